// SPDX-License-Identifier: Apache-2.0
// Asks Python objects for their names; what their own code raises is no error of the traced task.
#include "trace/object_names.hpp"

#include <exception>
#include <string_view>

#include "callable_name.hpp"
#include "kept_object.hpp"
#include "pointsman/trace/names.hpp"

namespace pointsman::python {
namespace {

namespace py = pybind11;

constinit kept_object text_of{[] { return imported("pointsman._representation", "text_of"); }};

/// Returns the characters of a str, valid as long as the str; empty if they are no valid Unicode.
std::string_view characters_of(const py::object& text) noexcept {
    Py_ssize_t size = 0;
    const char* const characters = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
    if (characters == nullptr) {
        PyErr_Clear();
        return {};
    }
    return {characters, static_cast<std::size_t>(size)};
}

std::string_view type_name_of(PyObject* object) noexcept {
    const std::string_view name = Py_TYPE(object)->tp_name;
    return name.substr(name.rfind('.') + 1);
}

template <class Find>
std::uint32_t number_or_type(PyObject* object, const Find& find) noexcept {
    const py::error_scope keeps_current_error;
    try {
        return find(trace::name_table::instance());
    } catch (const std::exception&) {
        return trace::name_table::instance().number_of(type_name_of(object));
    }
}

}  // namespace

std::uint32_t number_of_callable_name(PyObject* callable) noexcept {
    return number_or_type(callable, [&](trace::name_table& names) {
        const py::object name = qualified_name_of(py::reinterpret_borrow<py::object>(callable));
        return names.number_of(characters_of(name));
    });
}

std::uint32_t number_of_resource_name(PyObject* resource) noexcept {
    return number_or_type(resource, [&](trace::name_table& names) {
        const py::object name = py::handle{text_of.get()}(py::handle{resource});
        return names.number_of(characters_of(name), resource);
    });
}

std::uint32_t number_of_class_name(PyObject* policy) noexcept {
    return trace::name_table::instance().number_of(type_name_of(policy));
}

}  // namespace pointsman::python
