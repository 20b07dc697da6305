// SPDX-License-Identifier: Apache-2.0
// The traits of policy types, and the named requirements of the policy room.
#include "pointsman/policy/policy_traits.hpp"

#include <gtest/gtest.h>

#include <future>
#include <optional>
#include <type_traits>
#include <vector>

#include "pointsman/dynamic_selection.hpp"
#include "support/every_policy.hpp"
#include "support/tracked_backend.hpp"

namespace {

namespace pm = pointsman;
namespace info = pointsman::execution_info;

/// A backend whose functions must return an `int`.
class int_backend : public pm::backend_base<long> {
  public:
    using backend_base::backend_base;
    using wait_type = int;
};
using int_policy = pm::round_robin_policy<long, pm::identity, int_backend>;

struct waiting_policy {
    using resource_type = char;
    using wait_type = float;
    std::vector<char> get_resources() { return {}; }
    template <class F>
    void submit_and_wait(F&&) {}
};

TEST(PolicyTraits, give_the_resource_type_of_policies_and_backends) {
    EXPECT_TRUE((std::is_same_v<pm::policy_traits<int_policy>::resource_type, long>));
    EXPECT_TRUE((std::is_same_v<pm::resource_t<const int_policy&>, long>));
    EXPECT_TRUE((std::is_same_v<pm::resource_t<int_backend>, long>));
}

TEST(PolicyTraits, give_the_selection_type_of_a_policy_that_names_one) {
    using load_policy = pm::dynamic_load_policy<int>;
    EXPECT_TRUE((std::is_same_v<pm::selection_t<load_policy>, load_policy::selection_type>));
    EXPECT_TRUE((std::is_same_v<pm::policy_traits<load_policy>::selection_type,
                                load_policy::selection_type>));
    EXPECT_TRUE((std::is_same_v<pm::selection_t<waiting_policy>, void>));
}

TEST(PolicyTraits, give_the_wait_type_of_the_policy_or_of_its_backend) {
    EXPECT_TRUE((std::is_same_v<pm::policy_traits<int_policy>::wait_type, int>));
    EXPECT_TRUE((std::is_same_v<pm::wait_type_t<int_policy&>, int>));
    EXPECT_TRUE((std::is_same_v<pm::wait_type_t<int_backend>, int>));
    EXPECT_TRUE((std::is_same_v<pm::wait_type_t<waiting_policy>, float>));
    EXPECT_TRUE((std::is_same_v<pm::wait_type_t<pm::round_robin_policy<int>>, void>));
}

TEST(PolicyTraits, say_whether_work_can_be_submitted_without_waiting_for_it) {
    EXPECT_TRUE(pm::policy_traits<int_policy>::has_async_submit);
    EXPECT_TRUE(pm::has_async_submit<int_policy>::value);
    EXPECT_FALSE(pm::policy_traits<waiting_policy>::has_async_submit);
    EXPECT_FALSE(pm::has_async_submit_v<waiting_policy>);
}

TEST(Policy, names_its_resources_and_submits_in_at_least_one_way) {
    struct silent {
        using resource_type = int;
        std::vector<int> get_resources();
    };
    EXPECT_TRUE(pm::policy<int_policy>);
    EXPECT_TRUE(pm::policy<waiting_policy>);
    EXPECT_FALSE(pm::policy<silent>);
    EXPECT_FALSE(pm::policy<int>);
}

TEST(PolicyState, has_a_choice_with_an_index) {
    struct state {
        struct choice {
            unsigned index;
        };
    };
    struct without_index {
        struct choice {};
    };
    EXPECT_TRUE(pm::policy_state<state>);
    EXPECT_FALSE(pm::policy_state<without_index>);
    EXPECT_FALSE(pm::policy_state<int>);
}

template <class Kind>
struct NamedRequirements : ::testing::Test {};
TYPED_TEST_SUITE(NamedRequirements, pm::test::policy_kinds, pm::test::kind_names);

TYPED_TEST(NamedRequirements, are_met_by_everything_that_a_policy_returns) {
    using policy_type = typename TypeParam::template policy<int>;
    policy_type p{std::vector{4, 5}};
    EXPECT_TRUE((pm::policy<policy_type>));
    EXPECT_TRUE((pm::policy_state<typename policy_type::state_type>));
    EXPECT_TRUE((std::is_same_v<pm::selection_t<policy_type>, decltype(p.select([](int) {}))>));
    EXPECT_TRUE((pm::selection<decltype(p.select([](int) {}))>));
    EXPECT_TRUE((pm::submission<decltype(p.submit([](int) {}))>));
    EXPECT_TRUE((pm::submission<decltype(p.submit([](int) { return std::future<int>{}; }))>));
    EXPECT_TRUE((pm::submission_group<decltype(p.get_submission_group())>));
    EXPECT_TRUE((pm::backend<typename policy_type::backend_type>));
}

/// The members that a user-defined policy inherits from `policy_base`.
class heir : public pm::policy_base<heir, pm::identity, pm::default_backend<int>> {
  public:
    static_assert(std::is_same_v<backend_t, pm::default_backend<int>>);
    static_assert(std::is_same_v<resource_container_t, std::vector<int>>);
    static_assert(std::is_same_v<execution_resource_t, int>);
    static_assert(std::is_same_v<resource_type, int>);
    using base_selection = selection_type;

    heir() { initialize({7}); }
    std::vector<int> from_backend() const { return backend_->get_resources(); }
};

TEST(PolicyBase, passes_on_its_selection_type) { EXPECT_TRUE(pm::selection<heir::base_selection>); }

TEST(PolicyBase, passes_on_its_backend) { EXPECT_EQ(heir{}.from_backend(), std::vector{7}); }

/// True for policies whose selections require reports of submissions and completions, or of times.
template <class Policy>
constexpr bool counts = pm::report_info_v<pm::selection_t<Policy>, info::task_submission_t> &&
                        pm::report_info_v<pm::selection_t<Policy>, info::task_completion_t>;
template <class Policy>
constexpr bool measures = pm::report_value_v<pm::selection_t<Policy>, info::task_time_t>;

TEST(ReportInfo, says_what_the_selections_of_a_policy_need) {
    EXPECT_FALSE(counts<pm::fixed_resource_policy<int>> ||
                 measures<pm::fixed_resource_policy<int>>);
    EXPECT_FALSE(counts<pm::round_robin_policy<int>> || measures<pm::round_robin_policy<int>>);
    EXPECT_TRUE(counts<pm::dynamic_load_policy<int>> && !measures<pm::dynamic_load_policy<int>>);
    EXPECT_TRUE(counts<pm::auto_tune_policy<int>> && measures<pm::auto_tune_policy<int>>);
}

}  // namespace
