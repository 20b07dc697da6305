// SPDX-License-Identifier: Apache-2.0
// Frees long chains of objects, each of which owns the next, without deep recursion.
#pragma once

#include <Python.h>

#include <exception>
#include <utility>
#include <vector>

namespace pointsman::python {

/// Limits how deeply releases of one thread are nested: references beyond `max_depth` are queued until
/// the outermost release is complete. CPython's containers have such a queue, pybind11 classes do not.
class nested_release {
  public:
    static void release(PyObject* object) noexcept {
        if (depth_ >= max_depth && enqueue(object)) {
            return;
        }
        ++depth_;
        Py_DECREF(object);
        if (depth_ == 1 && queue_ != nullptr) [[unlikely]] {
            release_queued();
        }
        --depth_;
    }

  private:
    static constexpr int max_depth = 50;

    /// Returns false if there is no memory for the queue.
    static bool enqueue(PyObject* object) noexcept {
        try {
            if (queue_ == nullptr) {
                queue_ = new std::vector<PyObject*>;
            }
            queue_->push_back(object);
            return true;
        } catch (const std::exception&) {
            return false;
        }
    }
    static void release_queued() noexcept {
        while (!queue_->empty()) {
            PyObject* const last = queue_->back();
            queue_->pop_back();
            Py_DECREF(last);
        }
        delete std::exchange(queue_, nullptr);
    }

    static inline thread_local int depth_ = 0;
    static inline thread_local std::vector<PyObject*>* queue_ = nullptr;
};

/// Releases a reference, which may be null, from inside an object that is being freed. GIL held.
inline void release_in_turn(PyObject* object) noexcept {
    if (object != nullptr) {
        nested_release::release(object);
    }
}

}  // namespace pointsman::python
