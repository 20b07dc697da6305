// SPDX-License-Identifier: Apache-2.0
// Packs Python and NumPy values for kernels and explains values that do not fit.
#include "resource/opencl/arguments.hpp"

#include <cstddef>
#include <utility>

#include "instance.hpp"
#include "kept_object.hpp"
#include "resource/opencl/buffer.hpp"
#include "resource/opencl/host_array.hpp"
#include "resource/opencl/local_memory.hpp"

namespace pointsman::python {

namespace py = pybind11;

namespace {

std::string type_name(py::handle value) {
    return py::str(py::type::handle_of(value).attr("__name__")).cast<std::string>();
}

constinit kept_object numpy_scalar{[] { return imported("numpy", "generic"); }};
constinit kept_object numpy_array{[] { return imported("numpy", "ndarray"); }};

bool is_numpy_scalar(py::handle value) {
    return PyObject_TypeCheck(value.ptr(), reinterpret_cast<PyTypeObject*>(numpy_scalar.get())) !=
           0;
}

bool is_array_of_one(py::handle value) {
    return py::isinstance(value, numpy_array.get()) && value.attr("ndim").cast<int>() == 0;
}

bool is_number(PyObject* value) { return PyFloat_Check(value) != 0 || PyLong_Check(value) != 0; }

/// A NumPy scalar as the Python number of the same value.
py::object as_number(PyObject* scalar) {
    auto number = py::reinterpret_steal<py::object>(
        PyIndex_Check(scalar) != 0 ? PyNumber_Index(scalar) : PyNumber_Float(scalar));
    if (!number) {
        throw py::error_already_set{};
    }
    return number;
}

opencl::kernel_argument plain_bytes(std::size_t size_bytes, const void* address) {
    opencl::kernel_argument made{size_bytes, address};
    made.is_plain = true;
    return made;
}

[[noreturn]] void throw_overflow(const std::string& text) {
    PyErr_SetString(PyExc_OverflowError, text.c_str());
    throw py::error_already_set{};
}

}  // namespace

bound_parameter::bound_parameter(const opencl::kernel& kernel, std::size_t index) {
    const auto& [name, type, is_local] = kernel.parameters()[index];
    type_ = type;
    kind_ = kind_of(kernel, index);
    const std::string space = kind_ == kind::local_pointer ? "local " : "";
    const std::string declared = type.empty() ? "" : " (" + space + type + " " + name + ")";
    text_ = "argument " + std::to_string(index) + declared + " of kernel '" + kernel.name() + "'";
    scalar_ = scalar_type::find(type);
    if (scalar_ != nullptr) {
        numpy_type_ = py::module_::import("numpy").attr(scalar_->numpy);
    }
    if (kind_ == kind::global_pointer) {
        element_ = pointed_type::find(type);
    }
}

bound_parameter::kind bound_parameter::kind_of(const opencl::kernel& kernel, std::size_t index) {
    const auto& [name, type, is_local] = kernel.parameters()[index];
    if (type.starts_with("image") || type == "sampler_t" || type.starts_with("pipe")) {
        return kind::unsupported;
    }
    if (is_local) {
        return kind::local_pointer;
    }
    return type.ends_with('*') ? kind::global_pointer : kind::value;
}

bool bound_parameter::pack(PyObject* value, scalar_bytes& bytes) const {
    if (scalar_ == nullptr) {
        return false;
    }
    py::object number;
    if (reinterpret_cast<PyObject*>(Py_TYPE(value)) == numpy_type_.ptr()) {
        number = as_number(value);
    } else if (is_number(value) && !is_numpy_scalar(value)) {  // numpy.float64 is a float
        number = py::reinterpret_borrow<py::object>(value);
    } else {
        return false;
    }
    switch (scalar_->pack(number.ptr(), bytes)) {
        case scalar_type::outcome::packed:
            return true;
        case scalar_type::outcome::out_of_range:
            throw_overflow(text_ + " cannot hold " + py::repr(value).cast<std::string>());
        case scalar_type::outcome::not_an_integer:
            break;
    }
    throw py::type_error{text_ + " does not take a float: " + wanted()};
}

std::string bound_parameter::bytes_of(py::handle value) const {
    if (kind_ == kind::global_pointer && value.is_none()) {
        return std::string(sizeof(cl_mem), '\0');
    }
    if (kind_ != kind::value) {
        throw py::type_error{text_ + " does not take " + type_name(value) + ": " + wanted()};
    }
    if (is_numpy_scalar(value) || is_array_of_one(value)) {
        check_fits(value.attr("dtype"));
        return value.attr("tobytes")().cast<std::string>();
    }
    if (is_number(value.ptr())) {
        throw py::type_error{text_ + " takes a Python " + type_name(value) +
                             " only where its type is a known scalar: pass a NumPy scalar of its "
                             "type, such as numpy.float32(value)"};
    }
    throw py::type_error{text_ + " does not take " + type_name(value) + ": " + wanted()};
}

/// A vector type needs a structured dtype. A typedef accepts any dtype: its definition is not known.
void bound_parameter::check_fits(py::handle dtype) const {
    const bool is_structured = dtype.attr("kind").cast<std::string>() == "V";
    const std::string element = type_.substr(0, type_.find_last_not_of("0123456789") + 1);
    const bool is_vector = element != type_ && scalar_type::find(element) != nullptr;
    if ((scalar_ != nullptr && !dtype.equal(py::str(scalar_->numpy))) ||
        (is_vector && !is_structured)) {
        throw py::type_error{text_ + " does not take numpy." +
                             dtype.attr("name").cast<std::string>() + ": " + wanted()};
    }
    check_native(dtype);
}

void bound_parameter::check_takes(const device_buffer& buffer) const {
    if (element_) {
        const array_layout& given = buffer.layout;
        if (!element_->takes(given.element)) {
            throw_wrong_elements(given);
        }
        if (given.size_bytes % element_->size_bytes() != 0 || has_rows_of_three(given)) {
            throw_wrong_count(given);
        }
        return;
    }
    if (scalar_ != nullptr || kind_ == kind::local_pointer || kind_ == kind::unsupported) {
        throw py::type_error{text_ + " does not take a Buffer: " + wanted()};
    }
}

/// Returns true if each row of a buffer would be taken for three quarters of a vector.
bool bound_parameter::has_rows_of_three(const array_layout& given) const {
    return element_->lanes() == 3 && given.element.stored != element_type::kind::other &&
           !given.shape.empty() && given.shape[given.shape.size() - 1].cast<std::size_t>() == 3;
}

void bound_parameter::throw_wrong_elements(const array_layout& given) const {
    const std::string wanted_dtype{element_->numpy()};
    std::string remedy = "convert the array with .astype('" + wanted_dtype + "')";
    if (element_->lanes() > 1) {
        remedy +=
            " or use a structured dtype of " + std::to_string(element_->size_bytes()) + " bytes";
    }
    throw py::type_error{text_ + " does not take a Buffer of dtype " + text(given.dtype) + ": " +
                         remedy + ", or pass buffer.view('" + wanted_dtype +
                         "') to reinterpret its bytes"};
}

void bound_parameter::throw_wrong_count(const array_layout& given) const {
    const std::string lanes = std::to_string(element_->lanes() == 3 ? 4 : element_->lanes());
    throw invalid_option{text_ + " takes vectors of " + std::to_string(element_->size_bytes()) +
                         " bytes, which a Buffer of shape " + text(given.shape) + " and dtype " +
                         text(given.dtype) + " does not hold: pad the last axis of the array to " +
                         "a multiple of " + lanes};
}

void bound_parameter::check_takes_local_memory() const {
    if (kind_ != kind::local_pointer) {
        throw py::type_error{text_ + " does not take LocalMemory: " + wanted()};
    }
}

/// The advice at the end of an error message.
std::string bound_parameter::wanted() const {
    if (scalar_ != nullptr) {
        return "pass numpy." + std::string{scalar_->numpy} + "(value)";
    }
    switch (kind_) {
        case kind::global_pointer:
            return "pass a Buffer, which queue.buffer(array) makes";
        case kind::local_pointer:
            return "pass pointsman.opencl.LocalMemory(size_bytes)";
        case kind::unsupported:
            return "images, samplers and pipes cannot be passed from Python: use buffers";
        case kind::value:
            break;
    }
    return "pass a Buffer, or a NumPy scalar of its type, structured for a struct or a vector, "
           "such "
           "as numpy.array((1, 2), dtype)[()]";
}

bound_kernel::bound_kernel(opencl::kernel made) : kernel{std::move(made)} {
    for (std::size_t i = 0; i < kernel.parameters().size(); ++i) {
        parameters.emplace_back(kernel, i);
    }
}

argument_list::argument_list(const opencl::queue& queue, const bound_kernel& kernel,
                             std::span<PyObject* const> values) {
    const std::size_t expected = kernel.parameters.size();
    if (values.size() != expected) {
        throw py::type_error{"kernel '" + kernel.kernel.name() + "' takes " +
                             std::to_string(expected) + " arguments, given " +
                             std::to_string(values.size())};
    }
    if (kernel.kernel.context() != queue.context()()) {
        throw invalid_option{"kernel '" + kernel.kernel.name() +
                             "' was built for another device: build its program with build() of "
                             "the queue that runs it"};
    }
    list_.reserve(expected);
    scalars_.reserve(expected);  // list_ refers to the elements
    for (std::size_t i = 0; i < expected; ++i) {
        const bound_parameter& taken = kernel.parameters[i];
        if (const auto* const buffer = find_in<const device_buffer>(values[i])) {
            taken.check_takes(*buffer);
            check_same_device(queue, *buffer);
            list_.emplace_back(buffer->memory, buffer->id);
        } else if (const auto* const local = find_in<const local_memory>(values[i])) {
            taken.check_takes_local_memory();
            list_.emplace_back(local->size_bytes, nullptr);
        } else if (taken.pack(values[i], scalars_.emplace_back())) {
            list_.push_back(plain_bytes(taken.size_bytes(), scalars_.back().data()));
        } else {
            others_.reserve(expected);
            const std::string& bytes = others_.emplace_back(taken.bytes_of(values[i]));
            list_.push_back(plain_bytes(bytes.size(), bytes.data()));
        }
    }
}

}  // namespace pointsman::python
