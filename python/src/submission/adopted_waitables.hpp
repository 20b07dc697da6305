// SPDX-License-Identifier: Apache-2.0
// Watches objects of other packages natively, without support from these packages.
#pragma once

#include <pybind11/pybind11.h>

#include <atomic>
#include <string>

#include "submission/native_waitable.hpp"

namespace pointsman::python {

namespace py = pybind11;

/// Types of other packages, registered by name, whose objects are watched natively. Never imports a
/// package: objects of its types exist only after the user has imported it.
/// **Thread safety**: any thread; GIL held.
class adopted_waitables {
  public:
    static adopted_waitables& instance();

    /// Watches the objects of class `type` of `module`, and of its subclasses, by `functions`, which
    /// must never be freed.
    void adopt(const std::string& module, const std::string& type,
               const native_waitable* functions);

    /// Returns the functions that watch `object`; null if its type is not adopted.
    [[nodiscard]] const native_waitable* find(PyObject* object) const;

  private:
    struct adopted_type {
        py::str module;
        py::str type;
        const native_waitable* functions;
        const adopted_type* next = nullptr;
    };
    std::atomic<const adopted_type*> first_{nullptr};  // head of a list that only grows
};

}  // namespace pointsman::python
