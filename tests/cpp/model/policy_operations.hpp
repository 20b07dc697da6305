// SPDX-License-Identifier: Apache-2.0
// Random operations on whole policies: creating, copying, initialising and destroying them.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "model/reference_model.hpp"
#include "model/walk_state.hpp"
#include "pointsman/dynamic_selection.hpp"

namespace pointsman::test {

/// Operations on whole policies.
template <class Kind>
class policy_operations {
    using state_type = walk_state<Kind>;
    using held_policy = typename state_type::held_policy;

  public:
    explicit policy_operations(state_type& state) : state_{state} {}

    void make() {
        if (state_.policies.size() < 6) {
            state_.policies.push_back({typename state_type::policy{deferred_initialization},
                                       std::make_shared<reference_policy>()});
            EXPECT_THROW(static_cast<void>(state_.policies.back().object.get_resources()),
                         not_initialized);
            EXPECT_THROW(state_.policies.back().object.submit(recorded_value{nullptr}),
                         not_initialized);
        }
    }
    void copy() {
        if (held_policy* const one = state_.any_of(state_.policies);
            one != nullptr && state_.policies.size() < 6) {
            held_policy copy = *one;
            if (state_.chance(2) == 0) {
                std::swap(*one, copy);
            }
            state_.policies.push_back(std::move(copy));
        }
    }
    void destroy() {
        if (held_policy* const one = state_.any_of(state_.policies)) {
            state_.erase(state_.policies, one);
        }
    }
    void initialize() {
        held_policy* const one = state_.any_of(state_.policies);
        if (one == nullptr) {
            return;
        }
        const auto set = std::make_shared<reference_set>(state_.next_set++, 1 + state_.chance(5));
        auto& expected = *one->expected;
        const std::size_t offset = state_.chance(set->size());
        const auto tokens = static_cast<std::uint32_t>(1 + state_.chance(3));
        try {
            const auto resources = set->resources();
            const auto failure = state_.fail_now_and_then();
            if constexpr (state_type::takes_offset) {
                one->object.initialize(resources, offset);
            } else if constexpr (state_type::has_tokens) {
                one->object.initialize(resources, tokens);
            } else {
                one->object.initialize(resources);
            }
        } catch (const std::bad_alloc&) {
            return;  // the old set remains
        }
        expected = {.current = set, .offset = offset, .tokens = tokens};
    }
    void refuse_bad_sets() {
        if (held_policy* const one = state_.any_of(state_.policies)) {
            EXPECT_THROW(one->object.initialize(std::vector<model_resource>{}), empty_resource_set);
            if constexpr (state_type::takes_offset) {
                EXPECT_THROW(one->object.initialize(std::vector<model_resource>(2), std::size_t{2}),
                             resource_index_error);
            }
            if constexpr (state_type::has_tokens) {
                EXPECT_THROW(one->object.initialize(std::vector<model_resource>(2), 0U),
                             invalid_option);
            }
        }
    }

  private:
    state_type& state_;
};

}  // namespace pointsman::test
