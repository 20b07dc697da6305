// SPDX-License-Identifier: Apache-2.0
// Python objects that C++ creates at first use and never releases.
#pragma once

#include <pybind11/pybind11.h>

#include <atomic>

namespace pointsman::python {

/// Makes an object at its first use. Several threads may make one at the same time; one object is kept.
/// No thread waits for another: the maker may release the GIL, and a thread that waited for it with the
/// GIL held, as for the initialisation of a static variable, could then wait for ever.
/// **Thread safety**: any thread; GIL held.
class kept_object {
  public:
    /// Returns a new reference.
    using maker = PyObject* (*)();

    constexpr explicit kept_object(maker made_by) noexcept : make_{made_by} {}
    kept_object(const kept_object&) = delete;
    kept_object& operator=(const kept_object&) = delete;

    /// Returns a borrowed reference. **Throws**: what the maker throws; `py::error_already_set` if it
    /// returned null.
    [[nodiscard]] PyObject* get() {
        PyObject* const kept = kept_.load(std::memory_order_acquire);
        return kept != nullptr ? kept : make();
    }

  private:
    [[nodiscard]] PyObject* make() {
        PyObject* const made = make_();
        if (made == nullptr) {
            throw pybind11::error_already_set{};
        }
        PyObject* kept = nullptr;
        if (kept_.compare_exchange_strong(kept, made, std::memory_order_acq_rel)) {
            return made;
        }
        Py_DECREF(made);
        return kept;
    }

    const maker make_;
    std::atomic<PyObject*> kept_{nullptr};
};

/// Returns a new reference to the attribute `name` of a module, for makers of `kept_object`.
[[nodiscard]] inline PyObject* imported(const char* module, const char* name) {
    return pybind11::object{pybind11::module_::import(module).attr(name)}.release().ptr();
}

}  // namespace pointsman::python
