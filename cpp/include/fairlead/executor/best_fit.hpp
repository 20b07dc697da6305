// SPDX-License-Identifier: Apache-2.0
// The executor of several that is the fastest for a kind of work, by measurement.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include "fairlead/clock.hpp"
#include "fairlead/error.hpp"
#include "fairlead/executor/enable_exec.hpp"
#include "fairlead/executor/fit_tuning.hpp"
#include "fairlead/executor/runtime_checks.hpp"
#include "fairlead/submission/completion.hpp"
#include "fairlead/submission/waitable.hpp"

namespace fairlead {
namespace detail {

/// Hears of the end of a call that went on after its return.
struct pending_call {
    timed_call call;
    clock::time_point start;

    static void over(void* context, const completion& end) noexcept {
        const std::unique_ptr<pending_call> self{static_cast<pending_call*>(context)};
        if (end.succeeded) {
            self->call.ended(end.end - self->start, end.exact);
        } else {
            self->call.failed();
        }
    }
};

/// Tells `call` of the end of `work`, when it comes. Work that cannot call back is waited for.
template <class Work>
void await_end(const timed_call& call, clock::time_point start, Work& work) {
    if constexpr (calls_back<Work>) {
        if (rung_of(work) == waitable_rung::calls_back) {
            auto pending = std::make_unique<pending_call>(pending_call{call, start});
            waitable_traits<Work>::on_completion(work, {&pending_call::over, pending.get()});
            static_cast<void>(pending.release());
            return;
        }
    }
    if constexpr (waits<Work>) {
        if (rung_of(work) != waitable_rung::complete_at_return) {
            waitable_traits<Work>::wait(work);
        }
    }
    call.ended(clock::now() - start, true);
}

/// Calls `invoke()` and has `call` told of the end of all that it started.
template <class Invoke>
auto run_timed(const timed_call& call, Invoke invoke) {
    const auto start = clock::now();
    try {
        if constexpr (std::is_void_v<decltype(invoke())>) {
            invoke();
            call.ended(clock::now() - start, true);
        } else {
            decltype(auto) result = invoke();
            await_end(call, start, result);
            return result;
        }
    } catch (...) {
        call.failed();
        throw;
    }
}

/// The calls of `F` on a list of executors, from all places of the program.
template <class Checks, class F, class... Executors>
class fit_site {
    using result = result_on_t<F, Checks, Executors...>;
    static constexpr bool checks_alter = !std::is_same_v<Checks, executor_runtime_checks>;
    static_assert(sizeof...(Executors) <= 32, "best_fit: pass no more than 32 executors");

  public:
    [[gnu::always_inline]] static result call(const Checks& checks, F& f, const task_key& key,
                                              const Executors&... executors) {
        auto& known = memory_[key.sizes % memory_.size()];
        if constexpr (!checks_alter) {
            const std::size_t place = fit_tuning::recall(known, key);
            if (place != fit_tuning::none) [[likely]] {
                return call_at<result>(place, f, executors...);
            }
        }
        return measure(checks, f, key, known, executors...);
    }

  private:
    template <class Result>
    [[noreturn]] static Result call_at(std::size_t, F&) {
        std::abort();
    }
    template <class Result, class Executor, class... Rest>
    [[gnu::always_inline]] static Result call_at(std::size_t place, F& f,
                                                 const Executor& executor, const Rest&... rest) {
        if constexpr (takes<F, Checks, Executor>()) {
            if (place == 0) {
                return f(executor);
            }
        }
        return call_at<Result>(place - 1, f, rest...);
    }

    static fit_tuning& tuning() {
        static fit_tuning* const only = new fit_tuning;  // threads may outlive the end of main
        return *only;
    }

    inline static thread_local constinit std::array<fit_tuning::entry, 16> memory_{};
};

}  // namespace detail
}  // namespace fairlead
