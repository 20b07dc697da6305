// SPDX-License-Identifier: Apache-2.0
// What a submitted Python callable returned, as a waitable of the engine.
#pragma once

#include <memory>
#include <mutex>
#include <utility>

#include "gil.hpp"
#include "no_gil_mutex.hpp"
#include "pointsman/submission/waitable_traits.hpp"
#include "submission/listeners.hpp"
#include "submission/native_waitable.hpp"

namespace pointsman::python {

/// Work that is going on and how its completion is seen, found out once: a native waitable
/// (`__pointsman_waitable__`, or adopted) or a future (`add_done_callback`) calls back; an object with
/// `done()` is polled; one with `wait()`, `synchronize()` or `result()` can be waited for. Types of
/// `pointsman.register_waitable`, awaitables and what has a `synchronize()` are seen through the object
/// that stands for them (`pointsman._waitable`).
/// **Thread safety**: any thread; what is marked so needs the GIL.
class pending_work {
  public:
    /// GIL held. Throws `py::error_already_set`.
    explicit pending_work(py::object value);
    /// Native work that has no Python object yet; takes the handle over.
    pending_work(const native_waitable& functions, void* handle) noexcept
        : native_{&functions}, handle_{handle}, rung_{waitable_rung::calls_back} {}
    pending_work(const pending_work&) = delete;
    pending_work& operator=(const pending_work&) = delete;
    ~pending_work() {
        if (handle_ != nullptr) {
            native_->release(handle_);
        }
    }

    [[nodiscard]] waitable_rung rung() const noexcept { return rung_; }
    [[nodiscard]] const native_waitable* native() const noexcept { return native_; }
    /// The listeners that are notified of the end.
    [[nodiscard]] listener_list& listeners() noexcept { return listeners_; }
    /// Returns true if the end has been seen and accounted for.
    [[nodiscard]] bool is_over() const noexcept { return listeners_.is_closed(); }

    /// Throws `py::error_already_set` when the object's own method raises.
    void wait();
    [[nodiscard]] bool is_ready();
    /// Has to live until `callback` is called.
    void on_completion(completion_callback callback);
    [[nodiscard]] completion outcome() noexcept;
    /// How work stands whose future has let go of the callback without calling it: badly, unless it says
    /// that it is done. GIL held.
    [[nodiscard]] completion end_untold() noexcept;
    void ended(const completion* end) noexcept;

    /// Lets a waiting thread run native work itself where that makes sense. GIL held.
    void help() {
        if (native_ != nullptr && native_->help != nullptr) {
            native_->help(handle_);
        }
    }
    /// The object that the callable returned. GIL held.
    [[nodiscard]] py::object value();
    /// The value of the work: the object's `result()` where it has one, else the object itself. Throws
    /// the error with which the work failed. Call it when the work is complete. GIL held.
    [[nodiscard]] py::object result();
    /// Nobody will ask for the value any more. A future of concurrent.futures then lives for its other
    /// owners alone: when they drop it before its end, the callback goes with it, which tells of that.
    /// Other futures are kept, since the work may end with them: Dask's is cancelled, asyncio's forgotten.
    /// GIL held.
    void release_future() noexcept;
    /// What the object's own wait has raised was not the work's error. GIL held.
    void forget_failure() { set_failure({}); }
    /// How finished work ended: "done", "failed" or "cancelled". GIL held.
    [[nodiscard]] const char* end_state();
    /// Drops work that has not begun, and says whether it did; asks running work to stop. GIL held.
    [[nodiscard]] bool cancel();

    /// Shows the garbage collector the objects that only this keeps alive. To be called by the only
    /// owner of this. GIL held.
    int traverse(visitproc visit, void* arg) const;

    /// When the work was submitted; told by who submits.
    void begun_at(clock::time_point begin) noexcept { begin_ = begin; }
    /// From submission to completion; negative when that is not known. Call it when the work is complete.
    [[nodiscard]] clock::duration elapsed() const noexcept { return elapsed_; }

  private:
    void find_native();
    void set_failure(shared_object failure);
    [[nodiscard]] py::object locked(const shared_object& member) const;
    [[nodiscard]] py::object seen_through() const;
    [[nodiscard]] bool was_cancelled();
    static void called_by_driver(void* context, const completion& end) noexcept;

    shared_object value_;  // of native work that was made without one, null at first
    shared_object stand_in_;
    const native_waitable* native_ = nullptr;
    void* handle_ = nullptr;
    waitable_rung rung_ = waitable_rung::complete_at_return;
    clock::time_point begin_{};
    clock::duration elapsed_{-1};
    bool succeeded_ = true;
    listener_list listeners_;
    completion_callback told_{};
    shared_object failure_;                             // what the object's own wait raised
    [[no_unique_address]] mutable no_gil_mutex mutex_;  // of `value_` and `failure_`
};

/// Marks the calling thread, for a scope, as one that nobody interrupts: all that the object's own wait
/// raises there is the work's, KeyboardInterrupt as well.
class uninterrupted_wait {
  public:
    uninterrupted_wait() noexcept : outer_{std::exchange(is_entered_, true)} {}
    uninterrupted_wait(const uninterrupted_wait&) = delete;
    uninterrupted_wait& operator=(const uninterrupted_wait&) = delete;
    ~uninterrupted_wait() { is_entered_ = outer_; }

    [[nodiscard]] static bool is_entered() noexcept { return is_entered_; }

  private:
    static inline thread_local bool is_entered_ = false;
    bool outer_;
};

/// What a callable returned: a value that is complete, or pending work. Small, since it is moved on the
/// way of every submission.
class returned_object {
  public:
    /// Finds out which it is. GIL held.
    explicit returned_object(py::object value);
    explicit returned_object(std::unique_ptr<pending_work> pending) noexcept
        : pending_{std::move(pending)} {}
    returned_object(returned_object&& other) noexcept
        : plain_{std::exchange(other.plain_, nullptr)}, pending_{std::move(other.pending_)} {}
    returned_object& operator=(returned_object&& other) noexcept {
        std::swap(plain_, other.plain_);
        std::swap(pending_, other.pending_);
        return *this;
    }
    ~returned_object() {
        if (plain_ != nullptr) [[unlikely]] {
            drop();
        }
    }

    /// Null for a value that is complete.
    [[nodiscard]] pending_work* pending() const noexcept { return pending_.get(); }
    /// The value that is complete; the reference is the caller's. GIL held.
    [[nodiscard]] PyObject* take() const noexcept { return std::exchange(plain_, nullptr); }

  private:
    void drop() noexcept;

    mutable PyObject* plain_ = nullptr;
    std::unique_ptr<pending_work> pending_;
};

}  // namespace pointsman::python

namespace pointsman {
template <>
struct waitable_traits<python::returned_object> {
    using T = python::returned_object;
    static void wait(T& work) { work.pending()->wait(); }
    static bool is_ready(T& work) { return work.pending()->is_ready(); }
    static void on_completion(T& work, completion_callback callback) {
        work.pending()->on_completion(callback);
    }
    static completion outcome(T& work) { return work.pending()->outcome(); }
    static void ended(T& work, const completion* end) noexcept { work.pending()->ended(end); }
    static waitable_rung rung(const T& work) noexcept {
        return work.pending() == nullptr ? waitable_rung::complete_at_return
                                         : work.pending()->rung();
    }
};
}  // namespace pointsman
