// SPDX-License-Identifier: Apache-2.0
// A choice and its load accounting: forwards reports on a selection to the policy's state.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "pointsman/backend/backend_traits.hpp"
#include "pointsman/error.hpp"
#include "pointsman/info/execution_info.hpp"
#include "pointsman/policy/detail/resource_set.hpp"

namespace pointsman::detail {

/// Base of all selections of a policy with a `state_type`; it owns nothing. It accepts the reports for which
/// the state has members (`policy_state`).
template <class Policy, class... ReportReqs>
class accounted_choice {
  protected:
    using set_type = resource_set<Policy>;
    using state_type = typename Policy::state_type;

    static constexpr bool counts = requires(
        state_type& state, const typename state_type::choice& choice) { state.give_back(choice); };
    static constexpr bool learns =
        requires(state_type& state, const typename state_type::choice& choice,
                 std::chrono::nanoseconds time) { state.learn(choice, time, true); };

  public:
    using choice_type = typename state_type::choice;
    /// A report of a completion wakes the threads that wait for a free resource.
    static constexpr bool wakes_waiters = true;

    accounted_choice& operator=(const accounted_choice&) = delete;

    /// Returns the chosen resource, valid as long as the selection.
    [[nodiscard]] const auto& unwrap() const noexcept { return set_->resources[choice_.index]; }
    /// Returns the state that chose; it can explain the choice.
    [[nodiscard]] const state_type& chosen_by() const noexcept { return set_->state; }
    [[nodiscard]] const choice_type& choice() const noexcept { return choice_; }
    /// Returns the index of the resource in the policy's set.
    [[nodiscard]] std::size_t index() const noexcept { return choice_.index; }
    /// Returns the number of the resource's name in traces.
    [[nodiscard]] std::uint32_t trace_name() const {
        return set_->trace_names.of(unwrap(), index());
    }
    /// Returns true if the policy learns from the time of this task.
    [[nodiscard]] bool wants_time() const noexcept
        requires learns
    {
        return state().wants_time(choice_);
    }

    [[gnu::always_inline]] void report(execution_info::task_submission_t) const
        requires counts
    {
        if (!std::exchange(reserved_, false)) {
            state().add(choice_);
            ++outstanding_;
        }
    }
    /// **Throws**: `unexpected_report` when nothing of this selection is outstanding.
    [[gnu::always_inline]] void report(execution_info::task_completion_t) const
        requires counts
    {
        if (outstanding_ == 0) [[unlikely]] {
            refuse_completion();
        }
        --outstanding_;
        reserved_ = false;
        give_back();
    }
    void report(execution_info::task_failure_t) const
        requires learns
    {
        state().fail(choice_);
    }
    /// The task refuses the resource, so that this choice is dropped.
    void refuse() const
        requires learns
    {
        if constexpr (requires { state().refuse(choice_); }) {
            state().refuse(choice_);
        } else {
            state().fail(choice_);
        }
    }
    void report(execution_info::task_time_t, std::chrono::nanoseconds time) const
        requires learns
    {
        state().learn(choice_, time, true);
    }
    void report(execution_info::task_time_bound_t, std::chrono::nanoseconds time) const
        requires learns
    {
        state().learn(choice_, time, false);
    }

    /// Storage for the backend's instrumentation.
    [[no_unique_address]] typename backend_traits<
        typename Policy::backend_type>::template selection_scratch_t<ReportReqs...> scratch_space{};

  protected:
    /// Counts one task; `reserved` is true if its submission has not been reported yet.
    accounted_choice(set_type& set, choice_type choice, bool reserved) noexcept
        : set_{&set}, choice_{std::move(choice)}, reserved_{reserved} {}
    /// A copy gives nothing back when it is destroyed; completions of outstanding tasks may be reported
    /// through it.
    accounted_choice(const accounted_choice& other)
        : scratch_space{other.scratch_space},
          set_{other.set_},
          choice_{other.choice_},
          outstanding_{other.outstanding_} {}
    accounted_choice(accounted_choice&& other) noexcept
        : scratch_space{std::move(other.scratch_space)},
          set_{other.set_},
          choice_{std::move(other.choice_)},
          outstanding_{std::exchange(other.outstanding_, 0)},
          reserved_{std::exchange(other.reserved_, false)} {}
    ~accounted_choice() = default;

    void swap(accounted_choice& other) noexcept {
        std::swap(scratch_space, other.scratch_space);
        std::swap(set_, other.set_);
        std::swap(choice_, other.choice_);
        std::swap(outstanding_, other.outstanding_);
        std::swap(reserved_, other.reserved_);
    }

    /// Gives an unused reservation back. Call it before the set is released.
    [[gnu::always_inline]] void drop() noexcept {
        if constexpr (counts) {
            if (std::exchange(reserved_, false)) {
                give_back();
            }
        }
    }

    /// Moves the reservation, if there is one, to `next`, a copy of this.
    void hand_over_to(accounted_choice& next) const noexcept {
        next.reserved_ = std::exchange(reserved_, false);
        next.outstanding_ = next.reserved_ ? 1 : 0;
        outstanding_ -= next.outstanding_;
    }

    [[nodiscard]] state_type& state() const noexcept { return set_->state; }

    /// Reduces the load before it notifies, so that a woken submitter sees the change.
    [[gnu::always_inline]] void give_back() const noexcept {
        state().give_back(choice_);
        set_->group->freed().notify();
    }

    set_type* set_;
    choice_type choice_;
    mutable std::uint32_t outstanding_ = 1;  // tasks, including the reserved one
    mutable bool reserved_ = false;

  private:
    [[noreturn, gnu::cold, gnu::noinline]] static void refuse_completion() {
        throw unexpected_report{
            "task_completion was reported for a selection without an outstanding task: report it "
            "once for each task that your code submitted with the selection"};
    }
};

}  // namespace pointsman::detail
