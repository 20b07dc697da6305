// SPDX-License-Identifier: Apache-2.0
// A random walk through the interface of one kind of policy, on one thread, compared with the model.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/policy_operations.hpp"
#include "model/selection_operations.hpp"
#include "model/walk_state.hpp"
#include "model/work_operations.hpp"

namespace pointsman::test {

template <class Kind>
class policy_walk {
  public:
    explicit policy_walk(std::uint64_t seed) : state_{seed} {}
    policy_walk(const policy_walk&) = delete;
    policy_walk& operator=(const policy_walk&) = delete;

    /// Performs one random operation, then compares everything that is visible.
    void step() {
        switch (state_.chance(20)) {
            case 0:
                policy_.make();
                break;
            case 1:
                policy_.copy();
                break;
            case 2:
                policy_.initialize();
                break;
            case 3:
                policy_.destroy();
                break;
            case 4:
                selection_.select();
                break;
            case 5:
                selection_.use();
                break;
            case 6:
                selection_.drop();
                break;
            case 7:
                work_.wait_for_group();
                break;
            case 8:
                policy_.refuse_bad_sets();
                break;
            case 9:
            case 10:
            case 11:
                work_.end_any();
                break;
            case 12:
            case 13:
                work_.wait_for_any();
                break;
            case 14:
                work_.drop_submission();
                break;
            default:
                work_.submit();
                break;
        }
        state_.look();
    }

    /// Completes all open work. Afterwards nothing is outstanding; the caller counts the remaining objects.
    void finish() {
        work_.end_everything();
        for (auto& held : state_.policies) {
            if (held.expected->current) {
                held.object.get_submission_group().wait();
            }
        }
        selection_.drop_all();
        state_.works.clear();
        if constexpr (walk_state<Kind>::counts) {
            for (auto& held : state_.policies) {
                if (held.expected->current) {
                    EXPECT_EQ(held.object.loads(),
                              std::vector<std::size_t>(held.expected->current->size()));
                }
            }
        }
        state_.policies.clear();
    }

  private:
    walk_state<Kind> state_;
    policy_operations<Kind> policy_{state_};
    work_operations<Kind> work_{state_};
    selection_operations<Kind> selection_{state_};
};

}  // namespace pointsman::test
