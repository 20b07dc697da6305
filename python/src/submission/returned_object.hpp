// SPDX-License-Identifier: Apache-2.0
// Makes the object that a submitted Python callable returned a waitable of the engine.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>

#include "gil.hpp"
#include "no_gil_mutex.hpp"
#include "pointsman/binding/submission.hpp"
#include "pointsman/submission/waitable_traits.hpp"
#include "submission/listeners.hpp"
#include "submission/native_waitable.hpp"
#include "submission/outstanding_work.hpp"
#include "submission/resource_record.hpp"

namespace pointsman::python {

/// Unfinished work and its completion kind, determined once: a native waitable
/// (`__pointsman_waitable__`, or adopted) or a future (`add_done_callback`) calls back; an object with
/// `done()` is polled; an object with `wait()`, `synchronize()` or `result()` is waited for. Types of
/// `pointsman.register_waitable`, awaitables and objects with a `synchronize()` are watched through their
/// stand-in (`pointsman._waitable`).
/// **Thread safety**: any thread; functions marked "GIL held" need the GIL.
class pending_work : public binding::ref_counted, public outstanding_work::entry {
  public:
    /// GIL held. Throws `py::error_already_set`.
    explicit pending_work(py::object value);
    /// Native work that has no Python object yet; takes ownership of the handle.
    pending_work(const native_waitable& functions, void* handle) noexcept
        : native_{&functions}, handle_{handle}, rung_{waitable_rung::calls_back} {}
    pending_work(const pending_work&) = delete;
    pending_work& operator=(const pending_work&) = delete;
    /// Listeners of work whose end nobody has noticed are notified now, and released.
    ~pending_work() override {
        leave();
        lose_time();
        if (!is_over()) {
            listeners_.close();
        }
        if (handle_ != nullptr) {
            native_->release(handle_);
        }
    }

    [[nodiscard]] waitable_rung rung() const noexcept { return rung_; }
    [[nodiscard]] const native_waitable* native() const noexcept { return native_; }
    /// The listeners that are notified of the end.
    [[nodiscard]] listener_list& listeners() noexcept { return listeners_; }
    /// Returns true if the completion has been noticed and accounted for.
    [[nodiscard]] bool is_over() const noexcept { return listeners_.is_closed(); }

    /// Throws `py::error_already_set` if the object's own method raises.
    void wait();
    [[nodiscard]] bool is_ready();
    /// This object must live until `callback` is called.
    void on_completion(completion_callback callback);
    [[nodiscard]] completion outcome() noexcept;
    /// Returns the outcome of work whose future has released the callback without calling it: failed,
    /// unless the future is done and succeeded. GIL held.
    [[nodiscard]] completion end_without_callback() noexcept;
    /// Notes how and when the work has ended, before a wait for it can return.
    void note_end(const completion* end) noexcept;
    /// Tells the listeners.
    void ended() noexcept;

    /// Lets a waiting thread run native work itself if the type supports it. GIL held.
    void help() {
        if (native_ != nullptr && native_->help != nullptr) {
            native_->help(handle_);
        }
    }
    /// The object that the callable returned. GIL held.
    [[nodiscard]] py::object value();
    /// Returns the value of complete work: the object's `result()` if it has one, else the object itself.
    /// Throws the error with which the work failed. GIL held.
    [[nodiscard]] py::object result();
    /// Returns the `__pointsman_choices__` of the object: a tuple of the explanations of choices that the work
    /// made where it ran; empty for most types. GIL held.
    [[nodiscard]] py::object choices() const;
    /// Returns the exception with which complete work failed; null if it did not fail, was cancelled, or
    /// its future is gone. GIL held.
    [[nodiscard]] py::object failure();
    /// Returns true if complete work did not fail and was not cancelled.
    [[nodiscard]] bool has_succeeded() const noexcept {
        return succeeded_ && failure_.ptr() == nullptr;
    }
    /// Called when the value is no longer needed: drops the reference to a future of concurrent.futures.
    /// If its other owners drop it before its end, the destruction of the callback notifies the engine.
    /// A future that fails is taken back for `failure`.
    /// `cancel` still finds it as long as others own it. Keeps other futures, since dropping them may end
    /// the work: Dask cancels it, asyncio loses it.
    /// GIL held.
    void release_future() noexcept;
    /// Discards what the object's own wait raised: it was no error of the work. GIL held.
    void forget_failure() { set_failure({}); }
    /// Returns how finished work ended: "done", "failed" or "cancelled". GIL held.
    [[nodiscard]] const char* end_state();
    /// Drops work that has not begun and returns true; asks running work to stop. GIL held.
    [[nodiscard]] bool cancel();

    /// Shows the garbage collector the objects that only this object keeps alive. To be called only by
    /// its sole owner. GIL held.
    int traverse(visitproc visit, void* arg) const;

    /// Sets the time of the submission and the record of its resource, which is told of a failure; the end
    /// is counted there too unless `is_counted_elsewhere`. From then on the group of the policy finds the
    /// work. Called by the submitting code.
    void begun_at(clock::time_point begin, binding::ref<resource_record> record,
                  const binding::submission_group_state& group, bool is_counted_elsewhere = false) {
        begin_ = begin;
        record_ = std::move(record);
        is_counted_ = !is_counted_elsewhere;
        timing_ = record_->began(begin);
        is_timed_ = true;
        join(group);
    }
    /// The record of the resource; null for work that no policy has placed.
    [[nodiscard]] const binding::ref<resource_record>& record() const noexcept { return record_; }
    /// Returns the time of complete work from submission to completion; negative if it is not known.
    [[nodiscard]] clock::duration elapsed() const noexcept { return elapsed_; }

  private:
    void find_native();
    /// Tells the record that nobody will notice the end, unless it was told of it.
    void lose_time() noexcept;
    void take_back(const py::object& future) noexcept;
    void set_failure(shared_object failure);
    [[nodiscard]] py::object locked(const shared_object& member) const;
    [[nodiscard]] py::object watched_object() const;
    [[nodiscard]] bool was_cancelled();
    static void called_by_driver(void* context, const completion& end) noexcept;

    shared_object value_;     // null at first for native work made without an object
    shared_object released_;  // a weak reference to the value that `release_future` dropped
    shared_object stand_in_;
    const native_waitable* native_ = nullptr;
    void* handle_ = nullptr;
    waitable_rung rung_ = waitable_rung::complete_at_return;
    clock::time_point begin_{};
    clock::duration elapsed_{-1};
    binding::ref<resource_record> record_;
    divided_time::task_id timing_ = 0;  // of `record_`, which waits for the end while `is_timed_`
    bool is_timed_ = false;
    bool is_counted_ = true;
    bool succeeded_ = true;
    listener_list listeners_;
    completion_callback callback_{};
    shared_object failure_;                             // what the object's own wait raised
    [[no_unique_address]] mutable no_gil_mutex mutex_;  // protects `value_` and `failure_`
};

/// Marks the calling thread, for a scope, as one that Ctrl-C cannot interrupt: everything that the
/// object's own wait raises there is an error of the work, even KeyboardInterrupt.
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

/// The object that a callable returned: a complete value, or pending work. Small, since it is moved on
/// the hot path of every submission.
class returned_object {
  public:
    /// Determines whether `value` is complete. GIL held.
    [[gnu::always_inline]] explicit returned_object(py::object value) {
        if (is_plain(value.ptr())) [[likely]] {
            held_ = of(value.release().ptr());
        } else {
            look_at(std::move(value));
        }
    }
    explicit returned_object(std::unique_ptr<pending_work> pending) noexcept
        : held_{of(pending.release())} {}
    [[gnu::always_inline]] returned_object(returned_object&& other) noexcept
        : held_{std::exchange(other.held_, 0)} {}
    returned_object& operator=(returned_object&& other) noexcept {
        std::swap(held_, other.held_);
        return *this;
    }
    [[gnu::always_inline]] ~returned_object() {
        if (held_ != 0) [[unlikely]] {
            drop();
        }
    }

    /// Returns null for a complete value.
    [[nodiscard]] pending_work* pending() const noexcept {
        return (held_ & pending_mark) == 0 ? nullptr
                                           : reinterpret_cast<pending_work*>(held_ & ~pending_mark);
    }
    /// Returns the complete value; the caller owns the reference. GIL held.
    [[nodiscard]] PyObject* take() const noexcept {
        return reinterpret_cast<PyObject*>(std::exchange(held_, 0));
    }

  private:
    /// Returns true for objects of the most frequent types of complete values.
    [[nodiscard, gnu::always_inline]] static bool is_plain(PyObject* object) noexcept {
        return object == Py_None || PyLong_CheckExact(object) || PyFloat_CheckExact(object) ||
               is_plain_type(Py_TYPE(object)) || PyType_Check(object);
    }
    [[nodiscard]] static bool is_plain_type(PyTypeObject* type) noexcept;
    void look_at(py::object value);
    [[gnu::cold]] void drop() noexcept;

    static constexpr std::uintptr_t pending_mark = 1;
    [[nodiscard]] static std::uintptr_t of(PyObject* value) noexcept {
        return reinterpret_cast<std::uintptr_t>(value);
    }
    [[nodiscard]] static std::uintptr_t of(pending_work* pending) noexcept {
        return reinterpret_cast<std::uintptr_t>(pending) | pending_mark;
    }

    /// The address of the complete value or, marked, of the pending work; both owned. One word, since a
    /// copy of two words right after the first was written waits for that store.
    mutable std::uintptr_t held_ = 0;
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
    static void note_end(T& work, const completion* end) noexcept { work.pending()->note_end(end); }
    static void ended(T& work, const completion*) noexcept { work.pending()->ended(); }
    static waitable_rung rung(const T& work) noexcept {
        return work.pending() == nullptr ? waitable_rung::complete_at_return
                                         : work.pending()->rung();
    }
};
}  // namespace pointsman
