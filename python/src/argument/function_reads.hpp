// SPDX-License-Identifier: Apache-2.0
// Whether a Python function still reads what it has read before.
#pragma once

#include <pybind11/pybind11.h>

#include <cstddef>
#include <utility>
#include <vector>

namespace pointsman::python {

namespace py = pybind11;

/// `object` as a function written in Python if it has neither attributes nor defaults of keyword-only parameters, its
/// globals are a plain dict and its built-in functions the usual ones; otherwise null.
inline PyFunctionObject* plain_function(PyObject* object) noexcept {
    if (!PyFunction_Check(object)) {
        return nullptr;
    }
    auto* const function = reinterpret_cast<PyFunctionObject*>(object);
    const bool has_attributes =
        function->func_dict != nullptr && PyDict_GET_SIZE(function->func_dict) != 0;
    const bool is_plain = !has_attributes && function->func_kwdefaults == nullptr &&
                          PyDict_CheckExact(function->func_globals) &&
                          function->func_builtins == PyEval_GetBuiltins();
    return is_plain ? function : nullptr;
}

/// The objects that a `plain_function` reads besides its arguments: globals, captured variables and defaults.
class function_reads {
  public:
    /// Holds nothing.
    function_reads() = default;

    /// Holds what `function` reads now.
    explicit function_reads(PyFunctionObject* function)
        : names_{py::reinterpret_borrow<py::object>(function->func_code).attr("co_names")} {
        for_each_read(function, [this](PyObject* object) {
            objects_.push_back(py::reinterpret_borrow<py::object>(object));
            return true;
        });
    }

    /// Returns true if `function`, which has the same code, reads the same objects. May run Python code: call it without
    /// a lock.
    [[nodiscard]] bool are_read_by(PyFunctionObject* function) const {
        std::size_t at = 0;
        const auto is_next = [&](PyObject* object) {
            return at < objects_.size() && objects_[at++].ptr() == object;
        };
        return for_each_read(function, is_next) && at == objects_.size();
    }

  private:
    /// Calls `take` for each object that is read, with null for a missing global or an empty cell. Stops and returns false
    /// once `take` returns false.
    template <class Take>
    bool for_each_read(PyFunctionObject* function, const Take& take) const {
        for (const py::handle name : names_) {
            PyObject* const global = PyDict_GetItemWithError(function->func_globals, name.ptr());
            if (global == nullptr && PyErr_Occurred() != nullptr) {
                throw py::error_already_set{};
            }
            if (!take(global)) {
                return false;
            }
        }
        const auto take_all = [&](PyObject* given, const auto& object_of) {
            const Py_ssize_t count = given == nullptr ? 0 : PyTuple_GET_SIZE(given);
            for (Py_ssize_t i = 0; i < count; ++i) {
                if (!take(object_of(PyTuple_GET_ITEM(given, i)))) {
                    return false;
                }
            }
            return true;
        };
        return take_all(function->func_closure, [](PyObject* cell) { return PyCell_GET(cell); }) &&
               take_all(function->func_defaults, [](PyObject* each) { return each; });
    }

    py::tuple names_;
    std::vector<py::object> objects_;
};

}  // namespace pointsman::python
