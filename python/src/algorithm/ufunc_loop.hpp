// SPDX-License-Identifier: Apache-2.0
// The inner loops of NumPy's functions, called without the interpreter.
#pragma once

#include <pybind11/pybind11.h>

#include <cstddef>
#include <stdexcept>
#include <string>

namespace pointsman::python {

namespace py = pybind11;

/// The loop of a NumPy function (ufunc) for one combination of types. It is the code that NumPy itself runs, so its
/// results are NumPy's bit for bit.
class ufunc_loop {
  public:
    /// The loop number `index` in the order of the function's attribute `types`.
    /// **Throws**: `RuntimeError` if NumPy's objects are not laid out as its C API documents; `IndexError`.
    ufunc_loop(py::object function, std::size_t index) : function_{std::move(function)} {
        const auto* const ufunc = reinterpret_cast<const layout*>(function_.ptr());
        const auto is = [&](const char* name, int value) {
            return function_.attr(name).cast<int>() == value;
        };
        if (!is("nin", ufunc->nin) || !is("nout", ufunc->nout) || !is("nargs", ufunc->nargs) ||
            !is("ntypes", ufunc->ntypes)) {
            throw std::runtime_error{"NumPy's functions are not laid out as its C API documents"};
        }
        if (index >= static_cast<std::size_t>(ufunc->ntypes)) {
            throw py::index_error{"there is no loop " + std::to_string(index)};
        }
        loop_ = ufunc->functions[index];
        data_ = ufunc->data == nullptr ? nullptr : ufunc->data[index];
    }

    /// Applies the function to `count` values of each operand, `steps` bytes apart; the result comes last.
    void operator()(char** operands, std::ptrdiff_t count, const std::ptrdiff_t* steps) const {
        loop_(operands, &count, steps, data_);
    }

  private:
    using loop = void (*)(char**, const std::ptrdiff_t*, const std::ptrdiff_t*, void*);

    /// The first members of `PyUFuncObject`, the same in all versions of NumPy's C API.
    struct layout {
        PyObject_HEAD int nin;
        int nout;
        int nargs;
        int identity;
        loop* functions;
        void** data;
        int ntypes;
    };

    py::object function_;
    loop loop_;
    void* data_;
};

}  // namespace pointsman::python
