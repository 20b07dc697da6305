// SPDX-License-Identifier: Apache-2.0
// Adds methods and functions that check their arguments against a `call_signature`.
#pragma once

#include <pybind11/pybind11.h>

#include "call_signature.hpp"

namespace pointsman::python {

/// Adds a method that returns `call(self, given)`; `given` are the arguments after `self`.
template <class T, class... Options, class Call>
void add_checked(py::class_<T, Options...>& cls, const call_signature& signature, const char* doc,
                 Call call) {
    cls.def(
        signature.function().c_str(),
        [signature, call](const T& self, const py::args& args, const py::kwargs& kwargs) {
            return call(self, signature.bind(args, kwargs));
        },
        signature.documented(doc, "self").c_str());
}
/// Adds a function that returns `call(given)`.
template <class Call>
void add_checked(py::module_& m, const call_signature& signature, const char* doc, Call call) {
    m.def(
        signature.function().c_str(),
        [signature, call](const py::args& args, const py::kwargs& kwargs) {
            return call(signature.bind(args, kwargs));
        },
        signature.documented(doc).c_str());
}

}  // namespace pointsman::python
