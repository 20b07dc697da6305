// SPDX-License-Identifier: Apache-2.0
// Execution info, reporting traits, unwrap, wait and report.
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "pointsman/info/execution_info.hpp"
#include "pointsman/info/report.hpp"
#include "pointsman/info/reporting.hpp"
#include "pointsman/info/reporting_requirement.hpp"
#include "pointsman/info/unwrap.hpp"
#include "pointsman/info/wait.hpp"

namespace pm = pointsman;
namespace info = pointsman::execution_info;

namespace {

struct load_listener {
    std::vector<int>* reports;
    void report(info::task_submission_t) { reports->push_back(1); }
    void report(info::task_completion_t) { reports->push_back(-1); }
};
struct time_listener {
    std::chrono::nanoseconds last{};
    void report(info::task_time_t, std::chrono::nanoseconds time) { last = time; }
};

TEST(ExecutionInfo, tags_are_recognised_and_other_types_are_not) {
    EXPECT_TRUE(pm::execution_info_v<info::task_submission_t>);
    EXPECT_TRUE(pm::execution_info_v<info::task_completion_t>);
    EXPECT_TRUE(pm::execution_info_v<info::task_time_t>);
    EXPECT_FALSE(pm::execution_info_v<int>);
    EXPECT_FALSE(pm::execution_info_v<load_listener>);
}

TEST(ExecutionInfo, time_is_carried_in_nanoseconds) {
    EXPECT_TRUE((std::is_same_v<info::task_time_t::value_type, std::chrono::nanoseconds>));
}

TEST(ReportingRequirement, is_the_tag_of_an_event) {
    EXPECT_TRUE(pm::reporting_requirement<info::task_time_t>);
    EXPECT_FALSE(pm::reporting_requirement<int>);
}

TEST(Reporting, traits_say_which_reports_a_selection_wants) {
    EXPECT_TRUE((pm::report_info_v<load_listener, info::task_submission_t>));
    EXPECT_FALSE((pm::report_value_v<load_listener, info::task_time_t>));
    EXPECT_FALSE((pm::report_info_v<time_listener, info::task_completion_t>));
    EXPECT_TRUE((pm::report_value_v<time_listener, info::task_time_t>));
    EXPECT_TRUE((pm::report_execution_info_v<time_listener, info::task_time_t>));
    EXPECT_TRUE((pm::report_execution_info_v<load_listener, info::task_completion_t>));
    EXPECT_FALSE((pm::report_execution_info_v<load_listener, info::task_time_t>));
}

TEST(Reporting, traits_are_class_templates_too) {
    using std::chrono::nanoseconds;
    EXPECT_TRUE((pm::report_info<load_listener, info::task_submission_t>::value));
    EXPECT_TRUE((pm::report_value<time_listener, info::task_time_t, nanoseconds>::value));
    EXPECT_FALSE((pm::report_value_v<time_listener, info::task_time_t, load_listener>));
    EXPECT_FALSE((pm::report_value_v<load_listener, info::task_submission_t>));
    EXPECT_TRUE((pm::report_execution_info<time_listener, info::task_time_t>::value));
}

TEST(Reporting, requirements_are_found_in_a_pack) {
    EXPECT_TRUE((pm::contains_reporting_req_v<info::task_time_t, info::task_submission_t,
                                              info::task_time_t>));
    EXPECT_FALSE((pm::contains_reporting_req_v<info::task_time_t, info::task_submission_t>));
    EXPECT_FALSE((pm::contains_reporting_req_v<info::task_time_t>));
}

TEST(Report, reaches_the_selection_with_and_without_a_value) {
    std::vector<int> reports;
    load_listener loads{&reports};
    pm::report(loads, info::task_submission);
    pm::report(loads, info::task_completion);
    EXPECT_EQ(reports, (std::vector{1, -1}));
    time_listener times;
    pm::report(times, info::task_time, std::chrono::nanoseconds{7});
    EXPECT_EQ(times.last, std::chrono::nanoseconds{7});
}

struct wrapper {
    int unwrap() const { return 5; }
};

TEST(Unwrap, calls_the_member_or_returns_the_object_unchanged) {
    EXPECT_EQ(pm::unwrap(wrapper{}), 5);
    int plain = 3;
    EXPECT_EQ(&pm::unwrap(plain), &plain);
    EXPECT_TRUE(noexcept(pm::unwrap(plain)));
    EXPECT_EQ(*pm::unwrap(std::make_unique<int>(4)), 4);
}

struct waiter {
    bool waited = false;
    void wait() { waited = true; }
};

TEST(Wait, calls_wait_if_there_is_one_and_ignores_other_objects) {
    waiter w;
    pm::wait(w);
    EXPECT_TRUE(w.waited);
    pm::wait(3);
}

}  // namespace
