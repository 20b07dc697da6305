// SPDX-License-Identifier: Apache-2.0
// Frees objects that keep each other in a long chain without as deep a recursion.
#pragma once

#include <Python.h>

#include <exception>
#include <utility>
#include <vector>

namespace pointsman::python {

/// References that wait until a thread has freed what it is freeing: CPython's containers have such
/// a list, the classes of pybind11 have none.
class nested_release {
  public:
    static void release(PyObject* object) noexcept {
        if (depth_ >= deepest && keep(object)) {
            return;
        }
        ++depth_;
        Py_DECREF(object);
        if (depth_ == 1 && kept_ != nullptr) [[unlikely]] {
            release_kept();
        }
        --depth_;
    }

  private:
    static constexpr int deepest = 50;

    /// False without memory for it.
    static bool keep(PyObject* object) noexcept {
        try {
            if (kept_ == nullptr) {
                kept_ = new std::vector<PyObject*>;
            }
            kept_->push_back(object);
            return true;
        } catch (const std::exception&) {
            return false;
        }
    }
    static void release_kept() noexcept {
        while (!kept_->empty()) {
            PyObject* const last = kept_->back();
            kept_->pop_back();
            Py_DECREF(last);
        }
        delete std::exchange(kept_, nullptr);
    }

    static inline thread_local int depth_ = 0;
    static inline thread_local std::vector<PyObject*>* kept_ = nullptr;
};

/// Drops a reference, if it is one, from inside an object that is being freed. GIL held.
inline void release_in_turn(PyObject* object) noexcept {
    if (object != nullptr) {
        nested_release::release(object);
    }
}

}  // namespace pointsman::python
