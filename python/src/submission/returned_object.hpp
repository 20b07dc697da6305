// SPDX-License-Identifier: Apache-2.0
// Makes the object that a submitted Python callable returned waitable for C++.
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

/// Running work and its completion kind, which is determined once: a native waitable
/// (`__pointsman_waitable__`, or adopted) or a future (`add_done_callback`) calls back; an object with
/// `done()` is polled; an object with `wait()`, `synchronize()` or `result()` can be waited for. Types of
/// `pointsman.register_waitable`, awaitables and objects with a `synchronize()` are replaced by a stand-in
/// object (`pointsman._waitable`).
/// **Thread safety**: any thread; members marked "GIL held" need the GIL.
class pending_work {
  public:
    /// GIL held. Throws `py::error_already_set`.
    explicit pending_work(py::object value);
    /// Native work that has no Python object yet; takes ownership of the handle.
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
    /// Returns the listeners that are called at the end.
    [[nodiscard]] listener_list& listeners() noexcept { return listeners_; }
    /// Returns true if the end has been noticed and accounted for.
    [[nodiscard]] bool is_over() const noexcept { return listeners_.is_closed(); }

    /// Throws `py::error_already_set` if the object's own method raises.
    void wait();
    [[nodiscard]] bool is_ready();
    /// This must live until `callback` is called.
    void on_completion(completion_callback callback);
    [[nodiscard]] completion outcome() noexcept;
    /// Returns the outcome of work whose future released the callback without calling it: a failure,
    /// unless the future is done. GIL held.
    [[nodiscard]] completion end_untold() noexcept;
    void ended(const completion* end) noexcept;

    /// Lets a waiting thread run native work itself, if the work supports it. GIL held.
    void help() {
        if (native_ != nullptr && native_->help != nullptr) {
            native_->help(handle_);
        }
    }
    /// Returns the object that the callable returned. GIL held.
    [[nodiscard]] py::object value();
    /// Returns the value of the work: the object's `result()` if it has one, else the object itself.
    /// Throws the error with which the work failed. Call it when the work is complete. GIL held.
    [[nodiscard]] py::object result();
    /// Called when the value is no longer needed. Releases a future of concurrent.futures: if its other
    /// owners drop it before its end, it releases the callback, which reports this (`end_untold`). Other
    /// futures are kept, since dropping them may end the work: Dask cancels it, asyncio may discard it.
    /// GIL held.
    void release_future() noexcept;
    /// Discards the exception of the object's own wait, which was not the work's error. GIL held.
    void forget_failure() { set_failure({}); }
    /// Returns how complete work ended: "done", "failed" or "cancelled". GIL held.
    [[nodiscard]] const char* end_state();
    /// Drops work that has not begun, and returns true if it did; asks running work to stop. GIL held.
    [[nodiscard]] bool cancel();

    /// Shows the garbage collector the objects that only this keeps alive. Only the sole owner of this may
    /// call it. GIL held.
    int traverse(visitproc visit, void* arg) const;

    /// Sets the time of the submission; called by the submitter.
    void begun_at(clock::time_point begin) noexcept { begin_ = begin; }
    /// Returns the time from submission to completion, negative if unknown. Call it after completion.
    [[nodiscard]] clock::duration elapsed() const noexcept { return elapsed_; }

  private:
    void find_native();
    void set_failure(shared_object failure);
    [[nodiscard]] py::object locked(const shared_object& member) const;
    [[nodiscard]] py::object seen_through() const;
    [[nodiscard]] bool was_cancelled();
    static void called_by_driver(void* context, const completion& end) noexcept;

    shared_object value_;  // null at first for native work made without an object
    shared_object stand_in_;
    const native_waitable* native_ = nullptr;
    void* handle_ = nullptr;
    waitable_rung rung_ = waitable_rung::complete_at_return;
    clock::time_point begin_{};
    clock::duration elapsed_{-1};
    bool succeeded_ = true;
    listener_list listeners_;
    completion_callback told_{};
    shared_object failure_;                             // raised by the object's own wait
    [[no_unique_address]] mutable no_gil_mutex mutex_;  // guards `value_` and `failure_`
};

/// Marks the calling thread, for a scope, as not interruptible: every exception of the object's own wait is
/// then the work's error, even KeyboardInterrupt.
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

/// The result of a callable: a value that is complete, or pending work. Small, since every submission
/// moves it.
class returned_object {
  public:
    /// Determines whether `value` is complete or pending. GIL held.
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

    /// Returns null for a value that is complete.
    [[nodiscard]] pending_work* pending() const noexcept { return pending_.get(); }
    /// Returns the complete value as a new reference of the caller. GIL held.
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
