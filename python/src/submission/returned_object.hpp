// SPDX-License-Identifier: Apache-2.0
// What a submitted Python callable returned, as a waitable of the engine.
#pragma once

#include <utility>

#include "fairlead/submission/waitable_traits.hpp"
#include "gil.hpp"
#include "submission/listeners.hpp"
#include "submission/native_waitable.hpp"

namespace fairlead::python {

/// Work and how its completion is seen, found out once: a native waitable (`__fairlead_waitable__`, or
/// adopted) or a future (`add_done_callback`) calls back; an object with `done()` is polled; one with
/// `wait()`, `synchronize()` or `result()` can be waited for; anything else is complete at return.
class returned_object {
  public:
    /// Finds out about what a callable returned. GIL held.
    explicit returned_object(py::object value);
    /// Native work that has no Python object yet; takes the handle over.
    returned_object(const native_waitable& functions, void* handle) noexcept
        : native_{&functions}, handle_{handle}, rung_{waitable_rung::calls_back} {}
    returned_object(returned_object&& other) noexcept
        : value_{std::move(other.value_)},
          native_{other.native_},
          handle_{std::exchange(other.handle_, nullptr)},
          rung_{other.rung_},
          begin_{other.begin_} {}
    returned_object& operator=(returned_object&& other) noexcept {
        std::swap(value_, other.value_);
        std::swap(native_, other.native_);
        std::swap(handle_, other.handle_);
        std::swap(rung_, other.rung_);
        std::swap(begin_, other.begin_);
        return *this;
    }
    ~returned_object() {
        if (handle_ != nullptr) {
            native_->release(handle_);
        }
    }

    [[nodiscard]] waitable_rung rung() const noexcept { return rung_; }
    [[nodiscard]] const native_waitable* native() const noexcept { return native_; }
    /// Those who want to hear of the end; never told of work that is complete at return.
    [[nodiscard]] listener_list& listeners() const noexcept { return listeners_; }

    /// With or without the GIL. Throws `py::error_already_set` when the object's own method raises.
    void wait() const;
    [[nodiscard]] bool is_ready() const;
    /// The object has to stay where it is, and to live until `callback` is called.
    void on_completion(completion_callback callback) const;
    [[nodiscard]] completion outcome() const noexcept;
    void ended(const completion* end) const noexcept;

    /// Lets a waiting thread run native work itself where that makes sense. GIL held.
    void help() const {
        if (native_ != nullptr && native_->help != nullptr) {
            native_->help(handle_);
        }
    }
    /// The object that the callable returned. GIL held.
    [[nodiscard]] py::object value() const;
    /// The same, taken from work that is complete at return. GIL held.
    [[nodiscard]] PyObject* take() const noexcept { return value_.release(); }
    /// GIL held. The value of the work: the object's `result()` where it has one, else the object itself.
    /// Throws the error with which the work failed. Call it when the work is over.
    [[nodiscard]] py::object result() const;
    /// What the object's own wait has raised was not the work's error.
    void forget_failure() const { failure_ = shared_object{}; }
    /// Drops work that has not begun, and says whether it did; asks running work to stop. GIL held.
    [[nodiscard]] bool cancel() const;

    /// When the work was submitted; told by who submits.
    void begun_at(clock::time_point begin) noexcept { begin_ = begin; }
    /// From submission to completion; negative when that is not known. Call it when the work is over.
    [[nodiscard]] clock::duration elapsed() const noexcept { return elapsed_; }

  private:
    void find_native();
    static void called_by_driver(void* context, const completion& end) noexcept;

    mutable shared_object value_;
    const native_waitable* native_ = nullptr;
    void* handle_ = nullptr;
    waitable_rung rung_ = waitable_rung::complete_at_return;
    clock::time_point begin_{};
    mutable listener_list listeners_;
    mutable completion_callback told_{};
    mutable shared_object failure_;  // what the object's own wait raised
    mutable clock::duration elapsed_{-1};
};

}  // namespace fairlead::python

namespace fairlead {
template <>
struct waitable_traits<python::returned_object> {
    using T = python::returned_object;
    static void wait(T& work) { work.wait(); }
    static bool is_ready(T& work) { return work.is_ready(); }
    static void on_completion(T& work, completion_callback callback) {
        work.on_completion(callback);
    }
    static completion outcome(T& work) { return work.outcome(); }
    static void ended(T& work, const completion* end) noexcept { work.ended(end); }
    static waitable_rung rung(const T& work) noexcept { return work.rung(); }
};
}  // namespace fairlead
