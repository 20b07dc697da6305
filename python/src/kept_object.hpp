// SPDX-License-Identifier: Apache-2.0
// Python objects that C++ makes when it first needs them and keeps for ever.
#pragma once

#include <pybind11/pybind11.h>

#include <atomic>

namespace pointsman::python {

/// Makes an object at its first use. Threads that come at once may each make one, of which one is
/// kept: none waits for another, since the maker may let other threads run, and where it does, a
/// thread that waits with the interpreter in its hands, as at a static variable, may wait for ever.
/// **Thread safety**: any thread; GIL held.
class kept_object {
  public:
    /// Returns a new reference.
    using maker = PyObject* (*)();

    constexpr explicit kept_object(maker made_by) noexcept : make_{made_by} {}
    kept_object(const kept_object&) = delete;
    kept_object& operator=(const kept_object&) = delete;

    /// A borrowed reference. **Throws**: what the maker throws; `py::error_already_set` where it
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

/// The attribute `name` of a module, as a maker for `kept_object`.
[[nodiscard]] inline PyObject* imported(const char* module, const char* name) {
    return pybind11::object{pybind11::module_::import(module).attr(name)}.release().ptr();
}

}  // namespace pointsman::python
