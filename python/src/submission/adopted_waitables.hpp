// SPDX-License-Identifier: Apache-2.0
// Waitables whose types belong to packages that know nothing of pointsman.
#pragma once

#include <pybind11/pybind11.h>

#include <atomic>
#include <string>

#include "submission/native_waitable.hpp"

namespace pointsman::python {

namespace py = pybind11;

/// The types of other packages that are watched natively, by name. A package is never imported
/// from here: a type can only turn up when the user has imported it.
/// **Thread safety**: any thread; GIL held.
class adopted_waitables {
  public:
    static adopted_waitables& instance();

    /// Watches the objects of `module`'s class `type`, and of those derived from it, by
    /// `functions`, which live for ever.
    void adopt(const std::string& module, const std::string& type,
               const native_waitable* functions);

    /// How `object` is watched; null when it is of no adopted type.
    [[nodiscard]] const native_waitable* find(PyObject* object) const;

  private:
    struct adopted_type {
        py::str module;
        py::str type;
        const native_waitable* functions;
        const adopted_type* next = nullptr;
    };
    std::atomic<const adopted_type*> first_{nullptr};  // of a list that only grows
};

}  // namespace pointsman::python
