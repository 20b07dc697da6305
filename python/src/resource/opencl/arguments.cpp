// SPDX-License-Identifier: Apache-2.0
// How a Python value becomes a kernel argument.
#include "resource/opencl/arguments.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>

#include "resource/opencl/buffer.hpp"

namespace fairlead::python {

namespace py = pybind11;

namespace {

/// A scalar type of OpenCL C with its twins in Python's struct module and in NumPy.
struct scalar_type {
    const char* name;
    const char* packed;
    const char* numpy;
};

constexpr scalar_type scalar_types[] = {
    {"char", "=b", "int8"},     {"uchar", "=B", "uint8"},   {"short", "=h", "int16"},
    {"ushort", "=H", "uint16"}, {"int", "=i", "int32"},     {"uint", "=I", "uint32"},
    {"long", "=q", "int64"},    {"ulong", "=Q", "uint64"},  {"half", "=e", "float16"},
    {"float", "=f", "float32"}, {"double", "=d", "float64"}};

const scalar_type* find_scalar(std::string type) {
    if (type.starts_with("unsigned ")) {
        type = "u" + type.substr(9);
    }
    const auto* const found = std::ranges::find_if(
        scalar_types, [&](const scalar_type& known) { return type == known.name; });
    return found == std::end(scalar_types) ? nullptr : found;
}

std::string type_name(py::handle value) {
    return py::str(py::type::handle_of(value).attr("__name__")).cast<std::string>();
}

/// One parameter of a kernel, and what may be passed for it.
class parameter {
  public:
    parameter(const opencl::kernel& kernel, std::size_t index)
        : kernel_{kernel},
          index_{index},
          declared_{kernel.parameters()[index]},
          scalar_{find_scalar(declared_.type)} {}

    [[nodiscard]] bool is_pointer() const { return declared_.type.ends_with('*'); }
    [[nodiscard]] bool is_known() const { return !declared_.type.empty(); }

    void check_takes_buffer() const {
        if (is_known() && scalar_ != nullptr) {
            throw py::type_error{text() + " does not take a Buffer: pass a number"};
        }
    }

    /// The bytes of a value that is no buffer.
    [[nodiscard]] std::string bytes_of(py::handle value) const {
        if (is_pointer()) {
            if (value.is_none()) {
                return std::string(sizeof(cl_mem), '\0');
            }
            throw py::type_error{text() + " does not take " + type_name(value) +
                                 ": pass a Buffer, which queue.buffer(array) makes"};
        }
        if (py::isinstance(value, py::module_::import("numpy").attr("generic"))) {
            return numpy_bytes(value);
        }
        if (PyFloat_Check(value.ptr()) != 0 || PyLong_Check(value.ptr()) != 0) {
            return number_bytes(value);
        }
        throw py::type_error{text() + " does not take " + type_name(value) + ": pass " + wanted()};
    }

  private:
    [[nodiscard]] std::string numpy_bytes(py::handle value) const {
        const py::object dtype = value.attr("dtype");
        if (scalar_ != nullptr && !dtype.equal(py::str(scalar_->numpy))) {
            throw py::type_error{text() + " does not take numpy." + type_name(value) + ": pass " +
                                 wanted()};
        }
        return value.attr("tobytes")().cast<std::string>();
    }

    [[nodiscard]] std::string number_bytes(py::handle value) const {
        if (scalar_ == nullptr) {
            throw py::type_error{text() + " takes a Python " + type_name(value) +
                                 " only where its type is a known scalar: pass a NumPy scalar of "
                                 "its type, such as numpy.float32(value)"};
        }
        const py::module_ packer = py::module_::import("struct");
        try {
            return packer.attr("pack")(scalar_->packed, value).cast<std::string>();
        } catch (py::error_already_set& refused) {
            if (PyFloat_Check(value.ptr()) != 0 && refused.matches(packer.attr("error"))) {
                throw py::type_error{text() + " does not take a float: pass " + wanted()};
            }
            const std::string range =
                text() + " cannot hold " + py::repr(value).cast<std::string>();
            PyErr_SetString(PyExc_OverflowError, range.c_str());
            throw py::error_already_set{};
        }
    }

    [[nodiscard]] std::string wanted() const {
        return scalar_ != nullptr ? "numpy." + std::string{scalar_->numpy} + "(value)"
                                  : "a Buffer or a NumPy scalar of its type";
    }

    [[nodiscard]] std::string text() const {
        const std::string declared =
            is_known() ? " (" + declared_.type + " " + declared_.name + ")" : "";
        return "argument " + std::to_string(index_) + declared + " of kernel '" + kernel_.name() +
               "'";
    }

    const opencl::kernel& kernel_;
    std::size_t index_;
    const opencl::kernel_parameter& declared_;
    const scalar_type* scalar_;
};

}  // namespace

argument_list::argument_list(const opencl::queue& queue, const opencl::kernel& kernel,
                             const py::args& values) {
    const std::size_t expected = kernel.parameters().size();
    if (values.size() != expected) {
        throw py::type_error{"kernel '" + kernel.name() + "' takes " + std::to_string(expected) +
                             " arguments, given " + std::to_string(values.size())};
    }
    bytes_.reserve(expected);  // list_ refers to the elements
    list_.reserve(expected);
    for (std::size_t i = 0; i < expected; ++i) {
        const parameter taken{kernel, i};
        const py::handle value = values[i];
        if (py::isinstance<device_buffer>(value)) {
            taken.check_takes_buffer();
            const auto& buffer = value.cast<const device_buffer&>();
            check_same_device(queue, buffer);
            list_.emplace_back(buffer.memory);
        } else {
            const std::string& bytes = bytes_.emplace_back(taken.bytes_of(value));
            list_.emplace_back(bytes.size(), bytes.data());
        }
    }
}

}  // namespace fairlead::python
