// SPDX-License-Identifier: Apache-2.0
// Many submitters under injected faults: nothing is lost, left over, or run without permission.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <random>
#include <stdexcept>
#include <stop_token>
#include <thread>
#include <vector>

#include "pointsman/dynamic_selection.hpp"
#include "pointsman/recovery/recovering_policy.hpp"
#include "support/eventually.hpp"
#include "support/every_policy.hpp"
#include "support/live_work.hpp"
#include "support/on_threads.hpp"
#include "support/printer_lost.hpp"

namespace pointsman::test {
namespace {

using std::chrono::microseconds;
using std::chrono::minutes;
using run_counts = std::vector<std::atomic<std::uint32_t>>;

/// Resource 1 fails now and then, resource 2 dies when half of the tasks have begun.
struct counted_task {
    enders* ending;
    run_counts* runs;
    std::size_t number;

    live_work operator()(int resource) const {
        const std::uint32_t run = (*runs)[number].fetch_add(1);
        std::mt19937 random{static_cast<unsigned>(number + 7919 * run)};
        if (random() % 20 == 0) {
            throw std::domain_error{"by the fault of the work"};
        }
        if ((resource == 1 && random() % 5 == 0) || (resource == 2 && number > runs->size() / 2)) {
            throw printer_lost{"by the fault of the resource"};
        }
        return ending->begin();
    }
};

/// Submits so many tasks from several threads and waits for each. Expects that all end, that none has run more than
/// `most_runs` times, and that nothing is left.
template <class Policy>
void expect_none_lost(Policy p, std::size_t tasks, int submitters, std::uint32_t most_runs) {
    run_counts runs(tasks);
    enders ending{15};
    std::atomic<std::size_t> ended{0};
    std::atomic<std::size_t> next{0};
    on_threads(submitters, [&](int) {
        for (std::size_t number = next++; number < tasks; number = next++) {
            try {
                p.submit(counted_task{&ending, &runs, number}).wait();
            } catch (const std::exception&) {
            }
            ++ended;
        }
    });
    p.get_submission_group().wait();
    EXPECT_EQ(ended, tasks);
    for (const auto& each : runs) {
        EXPECT_LE(each, most_runs);
    }
    EXPECT_TRUE(eventually([&] { return ending.alive() == 0; })) << ending.alive() << " left";
    if constexpr (requires { p.policy().loads(); }) {
        for (const std::size_t load : p.policy().loads()) {
            EXPECT_EQ(load, 0U);
        }
    }
}

constexpr health_settings impatient{.failures = 2, .back_off = microseconds{50}};

template <class Kind>
struct RecoveryRace : ::testing::Test {};
TYPED_TEST_SUITE(RecoveryRace, combined_policy_kinds, kind_names);

TYPED_TEST(RecoveryRace, runs_each_task_until_it_succeeds_or_has_run_too_often) {
    expect_none_lost(
        recovering_policy{
            TypeParam::over(std::vector{1, 2, 3}),
            {.failure = on_failure::retry(2), .time_limit = minutes{1}, .max_outstanding = 64},
            impatient},
        2'000, 4, 3);
}

TEST(RecoveryUnderFaults, loses_none_of_100000_tasks_and_leaves_nothing_behind) {
    expect_none_lost(recovering_policy{dynamic_load_policy{{1, 2, 3, 4}},
                                       {.failure = on_failure::fallback(), .max_outstanding = 256},
                                       impatient},
                     100'000, 16, 4);
}

TEST(RecoveryUnderFaults, runs_no_task_twice_without_permission) {
    expect_none_lost(recovering_policy{dynamic_load_policy{{1, 2, 3, 4}}, {}, impatient}, 20'000,
                     16, 1);
}

TEST(RecoveryUnderFaults, ends_all_work_that_is_stopped_while_it_fails) {
    recovering_policy p{dynamic_load_policy{{1, 2, 3}}, {.failure = on_failure::retry(1000)}};
    const std::jthread stopper{[p](const std::stop_token& stopping) mutable {
        while (!stopping.stop_requested()) {
            p.request_stop();
            std::this_thread::yield();
        }
    }};
    expect_none_lost(p, 1'000, 2, 1001);
}

}  // namespace
}  // namespace pointsman::test
