// SPDX-License-Identifier: Apache-2.0
// The objects of a random walk on policies, and their comparison with the model.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "model/failing_allocation.hpp"
#include "model/recorded_task.hpp"
#include "model/reference_model.hpp"
#include "pointsman/dynamic_selection.hpp"
#include "support/every_policy.hpp"

namespace pointsman::test {

/// The objects of one walk over policies of `Kind`, each with its expected state.
template <class Kind>
struct walk_state {
    using policy = typename Kind::template policy<model_resource>;
    template <class Work>
    using submission_of =
        decltype(std::declval<policy&>().submit(std::declval<recorded_task<Work>>()));

    struct held_policy {
        policy object;
        std::shared_ptr<reference_policy> expected;
    };
    struct held_work {
        std::shared_ptr<task_record> record;
        manual_handle handle;
        std::variant<std::monostate, submission_of<calling_work>, submission_of<polled_work>,
                     submission_of<waited_work>>
            submission;
    };
    struct held_selection {
        typename policy::selection_type object;
        std::shared_ptr<reference_policy> of;
        std::shared_ptr<reference_set> set;
        std::size_t index;
        bool is_reserved = true;
        int reported = 0;
    };

    static constexpr bool takes_offset =
        std::is_same_v<Kind, fixed_resource> || std::is_same_v<Kind, round_robin>;
    static constexpr bool has_tokens = std::is_same_v<Kind, token>;
    /// Without a free resource for the tasks of a new callable that it has no results of.
    static constexpr bool waits_in_bursts = std::is_same_v<Kind, kind_of<earliest_finish_policy>>;
    static constexpr bool counts = requires(const policy& p) { p.loads(); };

    explicit walk_state(std::uint64_t seed) : generator{seed} {}

    std::size_t chance(std::size_t below) {
        return std::uniform_int_distribution<std::size_t>{0, below - 1}(generator);
    }
    template <class Held>
    Held* any_of(std::vector<Held>& all) {
        return all.empty() ? nullptr : &all[chance(all.size())];
    }
    template <class Held>
    static void erase(std::vector<Held>& all, Held* one) {
        if (one != &all.back()) {
            std::swap(*one, all.back());
        }
        all.pop_back();
    }
    /// Returns a random policy if it has resources, else null.
    held_policy* ready_policy() {
        held_policy* const found = any_of(policies);
        return found != nullptr && found->expected->current ? found : nullptr;
    }

    std::optional<bool> is_full(const held_policy& chosen) {
        if constexpr (has_tokens) {
            return chosen.expected->current->is_full(chosen.expected->tokens);
        } else if constexpr (waits_in_bursts) {
            return std::nullopt;
        } else {
            return false;
        }
    }

    void expect_choice(held_policy& chosen, const task_record& record) {
        if (record.calls == 0) {
            return;
        }
        auto& expected = *chosen.expected;
        EXPECT_TRUE(record.set->owns(record.ran_on));
        if constexpr (std::is_same_v<Kind, fixed_resource>) {
            EXPECT_EQ(record.ran_on.index, expected.offset);
        }
        if constexpr (std::is_same_v<Kind, round_robin>) {
            const auto turn = (expected.offset + expected.turns++) % expected.current->size();
            EXPECT_TRUE(!expected.knows_turns || record.ran_on.index == turn);
        }
    }

    /// Makes an allocation fail in one operation of eight.
    std::unique_ptr<failing_allocation> fail_now_and_then() {
        return chance(8) == 0 ? std::make_unique<failing_allocation>(chance(6)) : nullptr;
    }

    /// Expects the visible state of the policies to agree with the model.
    void look() {
        for (const held_policy& held : policies) {
            if (held.expected->current) {
                EXPECT_EQ(held.object.get_resources(), held.expected->current->resources());
                if constexpr (counts) {
                    const auto loads = held.object.loads();
                    EXPECT_TRUE(held.expected->current->agrees_with(loads))
                        << ::testing::PrintToString(loads);
                }
            }
        }
    }

    std::mt19937_64 generator;
    int next_set = 0;
    std::vector<held_policy> policies;
    std::vector<held_work> works;
    std::vector<held_selection> selections;
};

}  // namespace pointsman::test
