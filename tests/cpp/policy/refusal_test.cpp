// SPDX-License-Identifier: Apache-2.0
// Callables that accept only some resources, under every policy.
#include <gtest/gtest.h>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/every_policy.hpp"

namespace pointsman::test {
namespace {

/// Runs only on odd numbers.
struct odd_only {
    [[nodiscard]] bool accepts(int resource) const { return resource % 2 == 1; }
    [[nodiscard]] std::string refusal(int resource) const {
        return std::to_string(resource) + " is even: add an odd number";
    }
    int operator()(int resource) const { return resource; }
};

template <class Kind>
struct Refusal : ::testing::Test {
    using policy = typename Kind::template policy<int>;
};
TYPED_TEST_SUITE(Refusal, policy_kinds, kind_names);

TYPED_TEST(Refusal, is_an_error_with_its_reason_when_no_resource_is_accepted) {
    typename TestFixture::policy p{std::vector{2, 4}};
    try {
        p.submit(odd_only{});
        FAIL() << "ran on an even number";
    } catch (const unsuitable_resources& error) {
        EXPECT_STREQ(error.what(), "2 is even: add an odd number");
    }
    EXPECT_THROW(static_cast<void>(p.try_submit(odd_only{})), std::runtime_error);
}

TYPED_TEST(Refusal, sends_the_task_to_a_resource_that_it_accepts) {
    typename TestFixture::policy p{std::vector{1, 2, 4}};
    for (int i = 0; i < 50; ++i) {
        EXPECT_EQ(p.submit(odd_only{}).unwrap(), 1);
    }
    if constexpr (requires { p.loads(); }) {
        EXPECT_EQ(p.loads(), (std::vector<std::size_t>{0, 0, 0}));
    }
}

TEST(DynamicLoadRefusal, compares_only_the_loads_of_accepted_resources) {
    dynamic_load_policy p{{1, 2, 3}};
    std::vector<decltype(p)::selection_type> held;
    for (int i = 0; i < 2000; ++i) {
        held.push_back(p.select(odd_only{}));
    }
    EXPECT_EQ(p.loads(), (std::vector<std::size_t>{1000, 0, 1000}));
}

TEST(TokenRefusal, takes_no_tokens_of_other_resources) {
    token_policy p{{1, 2, 4}, 1};
    const auto only = p.select(odd_only{});
    EXPECT_FALSE(p.try_submit(odd_only{}).has_value());
    EXPECT_EQ(p.loads(), (std::vector<std::size_t>{1, 0, 0}));
}

TYPED_TEST(Refusal, releases_the_load_when_accepts_throws) {
    struct unsure : odd_only {
        [[nodiscard]] bool accepts(int) const { throw std::logic_error{"not to be told"}; }
    };
    typename TestFixture::policy p{std::vector{1, 2}};
    EXPECT_THROW(p.submit(unsure{}), std::logic_error);
    EXPECT_THROW(static_cast<void>(p.try_submit(unsure{})), std::logic_error);
    if constexpr (requires { p.loads(); }) {
        EXPECT_EQ(p.loads(), (std::vector<std::size_t>{0, 0}));
    }
}

TEST(FixedResourceRefusal, is_an_immediate_error) {
    int calls = 0;
    struct counting : odd_only {
        int* calls;
        [[nodiscard]] bool accepts(int resource) const {
            ++*calls;
            return odd_only::accepts(resource);
        }
    };
    counting work{};
    work.calls = &calls;
    fixed_resource_policy p{{2, 1}};
    EXPECT_THROW(p.submit(work), unsuitable_resources);
    EXPECT_LT(calls, 8);
}

}  // namespace
}  // namespace pointsman::test
