// SPDX-License-Identifier: Apache-2.0
// Times a function on each of several executors and then runs it on the fastest.
#pragma once

#include <array>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include "pointsman/clock.hpp"
#include "pointsman/error.hpp"
#include "pointsman/executor/detail/fit_tuning.hpp"
#include "pointsman/executor/enable_exec.hpp"
#include "pointsman/executor/runtime_checks.hpp"
#include "pointsman/submission/completion.hpp"
#include "pointsman/submission/waitable.hpp"

namespace pointsman {
namespace detail {

/// Context of a completion callback: records the time of work that continues after `f` has returned.
struct pending_call {
    timed_call call;
    clock::time_point start;

    static void completed(void* context, const completion& end) noexcept {
        const std::unique_ptr<pending_call> self{static_cast<pending_call*>(context)};
        if (end.succeeded) {
            self->call.ended(end.end - self->start, end.exact);
        } else {
            self->call.failed();
        }
    }
};

/// Notifies `call` when `work` completes. Blocks if `work` cannot call back.
template <class Work>
void await_end(const timed_call& call, clock::time_point start, Work& work) {
    if constexpr (calls_back<Work>) {
        if (rung_of(work) == waitable_rung::calls_back) {
            auto pending = std::make_unique<pending_call>(pending_call{call, start});
            waitable_traits<Work>::on_completion(work, {&pending_call::completed, pending.get()});
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

/// Calls `invoke()` and notifies `call` when everything that it started is complete.
template <class Invoke>
auto run_timed(const timed_call& call, Invoke invoke) -> decltype(invoke()) {
    const auto start = clock::now();
    try {
        if constexpr (std::is_void_v<decltype(invoke())>) {
            invoke();
            call.ended(clock::now() - start, true);
        } else {
            decltype(auto) result = invoke();
            await_end(call, start, result);
            return static_cast<decltype(result)>(result);
        }
    } catch (...) {
        call.failed();
        throw;
    }
}

/// All calls of `F` on one list of executor types, wherever in the program: they share their timings.
template <class Checks, class F, class... Executors>
class fit_site {
    static_assert(sizeof...(Executors) <= 32, "best_fit: pass no more than 32 executors");
    using result = result_on_t<F, Checks, Executors...>;
    static constexpr bool checks_are_default = std::is_same_v<Checks, executor_runtime_checks>;

  public:
    [[gnu::always_inline]] static result call(const Checks& checks, F& f, const task_key& key,
                                              const Executors&... executors) {
        if constexpr (checks_are_default) {
            const std::size_t index = fit_tuning::recall(memory_of(key), key);
            if (index != fit_tuning::none) [[likely]] {
                return call_at<0>(index, f, std::tie(executors...));
            }
        }
        return ask_checks(checks, f, key, executors...);
    }

  private:
    [[gnu::noinline]] static result ask_checks(const Checks& checks, F& f, const task_key& key,
                                               const Executors&... executors) {
        const std::tuple verdicts{ask(checks, executors)...};
        const accepted_set accepted =
            accepted_of(verdicts, std::index_sequence_for<Executors...>{});
        auto& known = memory_of(key);
        if (!checks_are_default && known.accepted == accepted) {
            const std::size_t index = fit_tuning::recall(known, key);
            if (index != fit_tuning::none) {
                return call_at<0>(index, f, verdicts);
            }
        }
        const auto chosen = tuning().choose(key, accepted, known);
        return run_timed(chosen.call,
                         [&]() -> result { return call_at<0>(chosen.index, f, verdicts); });
    }

    /// The verdict of the checks on one executor; a refusal if `f` cannot be called with it at all.
    template <class Executor>
    static auto ask(const Checks& checks, const Executor& executor) {
        if constexpr (takes<F, Checks, Executor>()) {
            return verdict_of(checks, executor);
        } else {
            return executor_refusal{reason_when_compiled<Executor>()};
        }
    }

    template <class Verdicts, std::size_t... Is>
    static accepted_set accepted_of(const Verdicts& verdicts, std::index_sequence<Is...>) {
        accepted_set accepted = 0;
        std::string refusals;
        const auto count = [&]<class Executor>(std::type_identity<Executor>, const auto& verdict,
                                               std::size_t index) {
            if constexpr (!takes<F, Checks, Executor>()) {
                refusals += refusal_line<Executor>(verdict.reason);
            } else if (verdict) {
                accepted |= accepted_set{1} << index;
            } else {
                refusals += refusal_line<Executor>(verdict.reason());
            }
        };
        (count(std::type_identity<Executors>{}, std::get<Is>(verdicts), Is), ...);
        if (accepted == 0) {
            throw no_executor_fits{refusals};
        }
        return accepted;
    }

    /// Calls `f` with element `index` of a tuple of executors, or of verdicts on them.
    template <std::size_t I, class Tuple>
    [[gnu::always_inline]] static result call_at(std::size_t index, F& f, const Tuple& tuple) {
        if constexpr (I == sizeof...(Executors)) {
            std::abort();  // only accepted executors are ever chosen
        } else {
            if constexpr (takes<F, Checks, std::tuple_element_t<I, std::tuple<Executors...>>>()) {
                if (index == I) {
                    return call_with(f, std::get<I>(tuple));
                }
            }
            return call_at<I + 1>(index, f, tuple);
        }
    }
    template <class Executor>
    [[gnu::always_inline]] static result call_with(F& f, const Executor& executor) {
        return f(executor);
    }
    template <class Executor>
    static result call_with(F& f, const executor_fit<Executor>& verdict) {
        return f(*verdict);
    }

    static fit_tuning& tuning() {
        static fit_tuning* const only = new fit_tuning;  // other threads may outlive main
        return *only;
    }
    [[gnu::always_inline]] static fit_tuning::entry& memory_of(const task_key& key) noexcept {
        return memory_[key.sizes % memory_.size()];
    }
    inline static thread_local constinit std::array<fit_tuning::entry, 16> memory_{};
};

template <class Checks, class F, class Key, class... Executors>
[[gnu::always_inline]] inline decltype(auto) call_on_fastest(const Checks& checks, F& f,
                                                             const Key& key,
                                                             const Executors&... executors) {
    using site = fit_site<Checks, F, Executors...>;
    if constexpr (std::is_same_v<Key, task_key>) {
        return site::call(checks, f, key, executors...);
    } else {
        return site::call(checks, f, task_key_of(f, key), executors...);
    }
}

}  // namespace detail

/// Calls `f(executor)` with the fastest of `executors` for this kind of work, and returns the result of
/// `f`; `executors` may also be one tuple. Use it if the fastest executor depends on the amount of work:
/// `best_fit` measures which one it is, separately for each size class.
///
/// The first call on each executor is warm-up, and the next one is measured, unless a neighbouring size
/// class shows that the executor is far slower. Later calls use the fastest one, and at most one call in
/// 32 is timed, to notice changes (`cost_model`). If `f` returns a handle, the measured time includes
/// the work behind it; if that handle cannot call back, a timed call waits for it.
///
/// An executor is tried if it was compiled in, `f` can be called with it, and `checks` accept it. The
/// checks of `executor_runtime_checks` run in timed calls only. User-defined checks run in every call,
/// since they may accept another executor each time.
///
/// **Key**: the type of `f` (the address of a plain function) and the size class of `key`, which is an
/// integer, a range, or a `task_key`. All calls in the process with the same types of `f`, `checks` and
/// `executors` share their measurements.
/// **Throws**: `no_executor_fits`; what `f` throws, which counts against the executor.
/// **Thread safety**: any thread, as far as `f` and `checks` allow.
/// **Cost**: once measured, under 40 ns, plus that of user-defined checks.
/// **Example**: `best_fit(filter, points.size(), inline_executor<>{}, arena_executor<>{});`
/// Source: *Best Fit Executor* in the executor document, where the order is fixed.
template <runtime_checks Checks, class F, class Key, class... Executors>
[[gnu::always_inline]] inline decltype(auto) best_fit(const Checks& checks, F&& f, const Key& key,
                                                      const Executors&... executors) {
    return detail::with_list(
        [&](const auto&... listed) -> decltype(auto) {
            return detail::call_on_fastest(checks, f, key, listed...);
        },
        executors...);
}
/// Like `best_fit` above, with the checks of `executor_runtime_checks`.
template <class F, class Key, class... Executors>
    requires(!runtime_checks<F>)
[[gnu::always_inline]] inline decltype(auto) best_fit(F&& f, const Key& key,
                                                      const Executors&... executors) {
    return pointsman::best_fit(executor_runtime_checks{}, f, key, executors...);
}

}  // namespace pointsman
