// SPDX-License-Identifier: Apache-2.0
// Resources that fail are left out of choices, on every provided policy.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <exception>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "pointsman/recovery/recovering_policy.hpp"
#include "support/eventually.hpp"
#include "support/every_policy.hpp"
#include "support/manual_work.hpp"
#include "support/printer_lost.hpp"

namespace pointsman::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

using printing = std::function<int(int)>;

std::vector<health_state> states_of(const std::vector<health_report>& reports) {
    std::vector<health_state> states;
    for (const health_report& each : reports) {
        states.push_back(each.state);
    }
    return states;
}

template <class Kind>
struct Quarantine : ::testing::Test {
    using policy = typename Kind::template policy<int>;

    static auto over(std::vector<int> resources, health_settings health) {
        return recovering_policy{Kind::over(resources), {}, health};
    }
};
TYPED_TEST_SUITE(Quarantine, combined_policy_kinds, kind_names);

TYPED_TEST(Quarantine, leaves_out_a_resource_that_failed_too_often_in_a_row) {
    auto p = TestFixture::over({1, 2, 3}, {.failures = 2, .back_off = std::chrono::minutes{1}});
    int failures = 0;
    for (int i = 0; i < 60; ++i) {
        try {
            p.submit(printing{[](int r) { return r == 1 ? throw printer_lost{"no paper"} : r; }});
        } catch (const printer_lost&) {
            ++failures;
        } catch (const no_healthy_resource&) {  // by a policy that has no other to choose
        }
    }
    EXPECT_EQ(failures, 2);
    EXPECT_THAT(states_of(p.health()), ElementsAre(health_state::quarantined, health_state::healthy,
                                                   health_state::healthy));
    EXPECT_EQ(p.health()[0].last_error, "no paper");
}

TYPED_TEST(Quarantine, names_each_resource_and_its_last_error_if_all_are_left_out) {
    auto p = TestFixture::over({7}, quarantine_at_once);
    EXPECT_THROW(p.submit(printing{[](int) -> int { throw printer_lost{"no paper"}; }}),
                 printer_lost);
    EXPECT_THAT([&] { p.submit(printing{[](int r) { return r; }}); },
                testing::ThrowsMessage<no_healthy_resource>(
                    HasSubstr("7: no paper; quarantined, tried again in ")));
}

TYPED_TEST(Quarantine, ends_with_a_probe_that_succeeds) {
    auto p = TestFixture::over({7}, {.failures = 1, .back_off = std::chrono::microseconds{1}});
    EXPECT_THROW(p.submit(printing{[](int) -> int { throw printer_lost{"no paper"}; }}),
                 printer_lost);
    std::optional<int> printed;
    ASSERT_TRUE(eventually([&] {
        try {
            printed = p.submit(printing{[](int r) { return r; }}).unwrap();
        } catch (const no_healthy_resource&) {  // before the back-off has elapsed
        }
        return printed.has_value();
    }));
    EXPECT_EQ(printed, 7);
    EXPECT_EQ(p.health()[0].state, health_state::healthy);
}

TEST(QuarantineOfPendingWork, begins_when_the_failure_is_noticed) {
    recovering_policy p{round_robin_policy{{1, 2}}, {}, quarantine_at_once};
    calling_work work;
    p.submit([&](int) { return work; });
    struct lost_work : calling_work {
        void wait() { throw printer_lost{"no paper"}; }
    } lost;
    auto submission = p.submit([&](int) { return lost; });
    lost.fail();
    ASSERT_TRUE(eventually([&] { return p.health()[1].state == health_state::quarantined; }));
    work.fail();  // by the fault of the work
    p.get_submission_group().wait();
    EXPECT_EQ(p.health()[0].state, health_state::healthy);
}

TEST(QuarantineByFault, spares_resources_on_which_work_failed_by_its_own_fault) {
    recovering_policy p{round_robin_policy{{1, 2}}, {}, quarantine_at_once};
    EXPECT_THROW(p.submit([](int) -> int { throw std::domain_error{"no"}; }), std::domain_error);
    EXPECT_EQ(p.health()[0].state, health_state::healthy);
}

TEST(QuarantineByFault, is_decided_by_the_function_of_the_user) {
    const auto is_fault = [](const std::exception_ptr& error) {
        return detail::text_of(error) == "my printer";
    };
    recovering_policy p{round_robin_policy{{1, 2}}, {}, quarantine_at_once, is_fault};
    EXPECT_THROW(p.submit([](int) -> int { throw std::domain_error{"my printer"}; }),
                 std::domain_error);
    EXPECT_EQ(p.health()[0].state, health_state::quarantined);
}

TEST(QuarantineByFault, learns_nothing_from_work_that_had_not_begun) {
    detail::health_table<int> table{{.failures = 2}, is_resource_failure};
    const auto state_after = [&](const auto& error) {
        table.failed(1, std::make_exception_ptr(error));
        return table.report(1).state;
    };
    EXPECT_EQ(state_after(printer_lost{"no paper"}), health_state::suspect);
    EXPECT_EQ(state_after(work_cancelled{}), health_state::suspect);
    EXPECT_EQ(state_after(time_limit_exceeded{"1 s", false}), health_state::suspect);
    EXPECT_EQ(state_after(std::domain_error{"no"}), health_state::healthy);
}

TEST(QuarantineAndFallback, throws_the_error_of_the_work_if_no_other_resource_is_healthy) {
    recovering_policy p{
        round_robin_policy{{1, 2}}, {.failure = on_failure::fallback()}, quarantine_at_once};
    const auto lose = [](int r) -> int { throw printer_lost{std::to_string(r)}; };
    EXPECT_THAT([&] { p.submit(lose); }, testing::ThrowsMessage<printer_lost>("2"));
    EXPECT_THROW(p.submit(lose), no_healthy_resource);
}

TEST(QuarantineOfViews, is_shared_by_views_with_other_options) {
    recovering_policy p{round_robin_policy{{1, 2}}, {}, quarantine_at_once};
    auto view = p.with({.failure = on_failure::fallback()});
    view.submit([](int r) { return r == 1 ? throw printer_lost{"no paper"} : r; });
    EXPECT_EQ(p.health()[0].state, health_state::quarantined);
    EXPECT_EQ(p.submit([](int r) { return r; }).unwrap(), 2);
}

TEST(QuarantineAcrossSets, outlives_a_new_set_with_the_same_resource) {
    round_robin_policy inner{{1, 2}};
    recovering_policy p{inner, {}, quarantine_at_once};
    EXPECT_THROW(p.submit([](int) -> int { throw printer_lost{"no paper"}; }), printer_lost);
    inner.initialize({2, 1});
    EXPECT_THAT(states_of(p.health()),
                ElementsAre(health_state::healthy, health_state::quarantined));
}

TEST(QuarantineWithRefusals, lets_the_task_refuse_resources_itself) {
    struct odd_only {
        [[nodiscard]] bool accepts(int resource) const { return resource % 2 == 1; }
        [[nodiscard]] std::string refusal(int resource) const {
            return std::to_string(resource) + " is even";
        }
        int operator()(int resource) const { return resource; }
    };
    recovering_policy p{round_robin_policy{{1, 2}}, {}, quarantine_at_once};
    EXPECT_EQ(p.submit(odd_only{}).unwrap(), 1);
    EXPECT_EQ(p.submit(odd_only{}).unwrap(), 1);
    recovering_policy even{round_robin_policy{{2, 4}}, {}, quarantine_at_once};
    EXPECT_THAT([&] { even.submit(odd_only{}); },
                testing::ThrowsMessage<unsuitable_resources>("2 is even"));
}

}  // namespace
}  // namespace pointsman::test
