// SPDX-License-Identifier: Apache-2.0
// Random operations on selections: creating, submitting, reporting, dropping them.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <utility>

#include "model/reference_model.hpp"
#include "model/walk_state.hpp"
#include "pointsman/dynamic_selection.hpp"

namespace pointsman::test {

/// Operations on selections.
template <class Kind>
class selection_operations {
    using state_type = walk_state<Kind>;
    using held_policy = typename state_type::held_policy;
    using held_selection = typename state_type::held_selection;

  public:
    explicit selection_operations(state_type& state) : state_{state} {}

    void select() {
        held_policy* const one = state_.ready_policy();
        if (one == nullptr ||
            (state_type::has_tokens && state_.is_full(*one) != std::optional{false}) ||
            state_.selections.size() > 8) {
            return;
        }
        auto chosen = one->object.select(recorded_value{nullptr});
        task_record seen;
        seen.ran_on = pointsman::unwrap(chosen);
        seen.set = one->expected->current;
        seen.calls = 1;
        state_.expect_choice(*one, seen);
        if constexpr (state_type::counts) {
            seen.set->add(seen.ran_on.index);
        }
        state_.selections.push_back(
            {std::move(chosen), one->expected, seen.set, seen.ran_on.index});
    }
    void use() {
        held_selection* const one = state_.any_of(state_.selections);
        if (one == nullptr) {
            return;
        }
        if (state_type::counts && state_.chance(2) == 0) {
            report(*one);
            return;
        }
        task_record record;
        record.fails = state_.chance(2) == 0;
        try {
            static_cast<void>(pointsman::submit(one->object, recorded_value{&record}));
        } catch (const recorded_value::its_own_error&) {
            EXPECT_TRUE(record.fails);
        }
        EXPECT_EQ(record.calls, 1);
        EXPECT_EQ(record.ran_on.index, one->index);
        give_up_reservation(*one);
    }
    void drop() {
        if (held_selection* const one = state_.any_of(state_.selections)) {
            while (one->reported != 0) {
                report(*one);
            }
            give_up_reservation(*one);
            state_.erase(state_.selections, one);
        }
    }
    /// Reports all open events of every selection and drops it.
    void drop_all() {
        while (!state_.selections.empty()) {
            drop();
        }
    }

  private:
    /// Reports the next event of the selection. One completion too many is refused.
    void report(held_selection& one) {
        [[maybe_unused]] constexpr std::chrono::nanoseconds step{1};
        if constexpr (state_type::counts) {
            if (one.is_reserved || one.reported == 0) {
                if (!one.is_reserved) {
                    EXPECT_THROW(pointsman::report(one.object, execution_info::task_completion),
                                 unexpected_report);
                }
                pointsman::report(one.object, execution_info::task_submission);
                if (!std::exchange(one.is_reserved, false)) {
                    one.set->add(one.index);
                }
                ++one.reported;
            } else {
                if constexpr (requires { one.object.report(execution_info::task_time, step); }) {
                    one.object.report(execution_info::task_time, step);
                }
                pointsman::report(one.object, execution_info::task_completion);
                --one.reported;
                one.set->give_back(one.index);
            }
        }
    }
    void give_up_reservation(held_selection& one) {
        if (std::exchange(one.is_reserved, false) && state_type::counts) {
            one.set->give_back(one.index);
        }
    }

    state_type& state_;
};

}  // namespace pointsman::test
