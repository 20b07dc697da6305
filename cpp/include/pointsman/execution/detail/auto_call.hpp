// SPDX-License-Identifier: Apache-2.0
// Chooses the policy for one call of an algorithm under an auto_policy, and times it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <string_view>
#include <type_traits>
#include <variant>

#include "pointsman/clock.hpp"
#include "pointsman/execution/detail/candidate_policy.hpp"
#include "pointsman/execution/detail/candidate_set.hpp"
#include "pointsman/tuning/task_key.hpp"

namespace pointsman::execution::detail {

/// The calling thread's last call under an `auto_policy`, for `explain`.
struct auto_call_record {
    std::uint64_t state_number = 0;  ///< 0 if there was no call
    candidate_set* set = nullptr;
    pointsman::task_key key;
    std::size_t index = 0;
    std::string_view name;
};
inline constinit thread_local auto_call_record last_auto_call;

/// One call of an algorithm: chooses its candidate, and reports its time or failure to the rule.
class auto_call {
  public:
    auto_call(auto_state& state, candidate_set& set, const task_key& key, std::string_view name)
        : state_{state},
          tuning_{set.tuning()},
          chosen_{tuning_.choose(pointsman::detail::hazard_registry::thread(), auto_task{key})} {
        last_auto_call = {state.number(), &set, key, chosen_.index, name};
    }
    auto_call(const auto_call&) = delete;
    auto_call& operator=(const auto_call&) = delete;
    ~auto_call() { tuning_.give_back(chosen_); }

    [[nodiscard]] std::size_t index() const noexcept { return chosen_.index; }

    /// Calls `run()`, and reports its time if the rule wants it. An exception counts as a failure.
    template <class Run>
    auto completed(const Run& run) {
        try {
            return tuning_.wants_time(chosen_) ? timed(run) : run();
        } catch (...) {
            tuning_.fail(chosen_);
            throw;
        }
    }

  private:
    template <class Run>
    [[gnu::noinline]] auto timed(const Run& run) {
        const auto begin = state_.now();
        const auto learn = [&] { tuning_.learn(chosen_, state_.now() - begin, true); };
        if constexpr (std::is_void_v<std::invoke_result_t<const Run&>>) {
            run();
            learn();
        } else {
            auto result = run();
            learn();
            return result;
        }
    }

    auto_state& state_;
    candidate_set::tuning_state& tuning_;
    candidate_set::choice chosen_;
};

template <auto_reach Reach, class Policy>
inline constexpr bool is_in_reach_v =
    Reach == auto_reach::anywhere || (Reach == auto_reach::host) == host_policy<Policy>;

/// Calls `call(policy, args...)` with the policy in `candidate`, which must be within `Reach`.
template <auto_reach Reach, class Call, class... Args>
auto under_candidate(const candidate_policy& candidate, const Call& call, const Args&... args) {
    using some_policy = std::variant_alternative_t<
        Reach == auto_reach::device ? std::variant_size_v<candidate_policy> - 1 : 0,
        candidate_policy>;
    using result = std::invoke_result_t<const Call&, const some_policy&, const Args&...>;
    return std::visit(
        [&]<class P>(const P& policy) -> result {
            if constexpr (is_in_reach_v<Reach, P>) {
                return call(policy, args...);
            } else {
                std::terminate();
            }
        },
        candidate);
}

}  // namespace pointsman::execution::detail
