// SPDX-License-Identifier: Apache-2.0
// exact_times::required excludes resources that report only bounds of their times.
#include "pointsman/policy/exact_times.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

#include "pointsman/policy/auto_tune_policy.hpp"
#include "pointsman/policy/earliest_finish_policy.hpp"
#include "support/message_of.hpp"

namespace {

using pointsman::auto_tune_policy;
using pointsman::earliest_finish_policy;
using pointsman::exact_times;
using pointsman::never_resample;
namespace t = pointsman::test;

struct device {
    int number;
    bool has_timestamps;
    [[nodiscard]] bool reports_exact_times() const { return has_timestamps; }
};
std::vector<int> numbers(const std::vector<device>& devices) {
    std::vector<int> all;
    for (const device& each : devices) {
        all.push_back(each.number);
    }
    return all;
}
const std::vector<device> mixed{{0, false}, {1, true}, {2, false}, {3, true}};

TEST(ExactTimes, exclude_resources_with_only_bounds_if_required) {
    auto_tune_policy tuned{mixed, never_resample, exact_times::required};
    EXPECT_EQ(numbers(tuned.get_resources()), (std::vector{1, 3}));
    earliest_finish_policy earliest{mixed, never_resample, exact_times::required};
    EXPECT_EQ(numbers(earliest.get_resources()), (std::vector{1, 3}));
}

TEST(ExactTimes, are_not_required_by_default) {
    EXPECT_EQ(numbers(auto_tune_policy{mixed}.get_resources()), (std::vector{0, 1, 2, 3}));
    EXPECT_EQ(numbers(earliest_finish_policy{mixed}.get_resources()), (std::vector{0, 1, 2, 3}));
}

TEST(ExactTimes, are_assumed_if_a_resource_says_nothing) {
    auto_tune_policy p{{4, 5}, 1.5, exact_times::required};
    EXPECT_EQ(p.get_resources(), (std::vector{4, 5}));
}

TEST(ExactTimes, are_queried_on_the_adapted_resource) {
    const std::vector<const device*> pointers{mixed.data(), mixed.data() + 1};
    const auto dereferenced = [](const device* d) { return *d; };
    auto_tune_policy p{pointers, dereferenced, never_resample, exact_times::required};
    EXPECT_EQ(p.get_resources(), (std::vector{mixed.data() + 1}));
}

TEST(ExactTimes, are_required_anew_by_initialize) {
    auto_tune_policy p{mixed};
    p.initialize(mixed, never_resample, exact_times::required);
    EXPECT_EQ(numbers(p.get_resources()), (std::vector{1, 3}));
}

TEST(ExactTimes, that_no_resource_has_are_refused_with_a_remedy_and_keep_the_old_set) {
    auto_tune_policy p{mixed};
    const std::vector<device> inexact(3);
    const auto message = t::message_of<std::runtime_error>(
        [&] { p.initialize(inexact, never_resample, exact_times::required); });
    EXPECT_EQ(
        message,
        "none of the 3 resources reports exact times: give OpenCL queues profiling, or do not "
        "require exact times");
    EXPECT_EQ(p.get_resources().size(), 4U);
}

}  // namespace
