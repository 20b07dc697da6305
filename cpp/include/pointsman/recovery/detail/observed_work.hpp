// SPDX-License-Identifier: Apache-2.0
// A waitable whose end is told to an observer.
#pragma once

#include <concepts>
#include <exception>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "pointsman/base/ref_counted.hpp"
#include "pointsman/base/spare_threads.hpp"
#include "pointsman/submission/waitable.hpp"

namespace pointsman::detail {

/// Is told once how the work ended, on any thread; not at all if nobody notices the end.
class work_observer : public ref_counted {
  public:
    /// Called first, and at once, on the thread that noticed the end: it must not block.
    virtual void ending() noexcept {}
    virtual void succeeded() noexcept = 0;
    /// Called on a thread that may block, except if there is none.
    virtual void failed(const std::exception_ptr& error) noexcept = 0;
};

/// Work that a function returned, and who is told about its end.
template <waitable T>
struct observed_work {
    T work;
    ref<work_observer> observer{};
};

/// Returns the error of failed work. Does not wait for work that still runs, whose end nobody can notice.
template <class T>
[[nodiscard]] std::exception_ptr error_of(T& work) noexcept {
    try {
        bool is_complete = rung_of(work) == waitable_rung::waited;
        if constexpr (pollable<T>) {
            is_complete = is_complete || waitable_traits<T>::is_ready(work);
        }
        if constexpr (waits<T>) {
            if (is_complete) {
                waitable_traits<T>::wait(work);
            }
        }
        throw std::runtime_error{"the work failed, and does not say why"};
    } catch (...) {
        return std::current_exception();
    }
}

/// Tells the observer about failed work. The thread that noticed the failure may be a driver's, which must
/// not wait, not even for work that is complete: a copy of the work is asked for its error elsewhere.
template <class T>
void tell_failure(T& work, const ref<work_observer>& observer) noexcept {
    try {
        auto& threads = spare_threads::instance();
        if constexpr (std::copy_constructible<T>) {
            threads.run([copy = work, observer]() mutable { observer->failed(error_of(copy)); });
        } else {
            threads.run([error = error_of(work), observer] { observer->failed(error); });
        }
    } catch (...) {  // no memory or no thread
        observer->failed(error_of(work));
    }
}

}  // namespace pointsman::detail

namespace pointsman {

/// The work's own traits, and the observer.
template <class T>
struct waitable_traits<detail::observed_work<T>> {
    using observed = detail::observed_work<T>;

    static void wait(observed& work)
        requires detail::waits<T>
    {
        waitable_traits<T>::wait(work.work);
    }
    static void on_completion(observed& work, completion_callback callback)
        requires detail::calls_back<T>
    {
        waitable_traits<T>::on_completion(work.work, callback);
    }
    static bool is_ready(observed& work)
        requires detail::pollable<T>
    {
        return waitable_traits<T>::is_ready(work.work);
    }
    static completion outcome(observed& work)
        requires detail::tells_outcome<T>
    {
        return waitable_traits<T>::outcome(work.work);
    }
    static waitable_rung rung(const observed& work) { return rung_of(work.work); }
    static void note_end(observed& work, const completion* end) noexcept
        requires requires { waitable_traits<T>::note_end(work.work, end); }
    {
        waitable_traits<T>::note_end(work.work, end);
    }
    static void ended(observed& work, const completion* end) noexcept {
        if constexpr (requires { waitable_traits<T>::ended(work.work, end); }) {
            waitable_traits<T>::ended(work.work, end);
        }
        const detail::ref<detail::work_observer> observer = std::move(work.observer);
        if (!observer || end == nullptr) {
            return;
        }
        observer->ending();
        if (end->succeeded) {
            observer->succeeded();
        } else {
            detail::tell_failure(work.work, observer);
        }
    }
};

}  // namespace pointsman
