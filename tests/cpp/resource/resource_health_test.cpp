// SPDX-License-Identifier: Apache-2.0
// The states of a resource's health under invented failures and times.
#include "pointsman/resource/resource_health.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>

#include "support/message_of.hpp"

namespace {

using namespace std::chrono_literals;
using pointsman::health_settings;
using pointsman::health_state;
using pointsman::resource_health;
using pointsman::test::message_of;

constexpr pointsman::clock::time_point start{};

health_settings exact(std::uint32_t failures = 3) {
    return {.failures = failures, .back_off = 100ms, .longest_back_off = 1s, .jitter = 0};
}

health_state state_of(const resource_health& health) { return health.report(start).state; }

/// A resource that has failed until it was quarantined at `start`.
void quarantine(resource_health& health, int failures = 3) {
    for (int i = 0; i < failures; ++i) {
        static_cast<void>(health.failed(start, "lost"));
    }
}

TEST(ResourceHealth, is_quarantined_by_the_last_of_its_failures_in_a_row) {
    resource_health health{exact()};
    EXPECT_FALSE(health.failed(start, "first"));
    EXPECT_EQ(state_of(health), health_state::suspect);
    EXPECT_TRUE(health.admits(start));
    EXPECT_FALSE(health.failed(start, "second"));
    EXPECT_TRUE(health.failed(start, "third"));
    EXPECT_EQ(state_of(health), health_state::quarantined);
    EXPECT_FALSE(health.admits(start));
    const auto report = health.report(start + 40ms);
    EXPECT_EQ(report.failures_in_a_row, 3U);
    EXPECT_EQ(report.last_error, "third");
    EXPECT_EQ(report.until_probe, 60ms);
}

TEST(ResourceHealth, forgets_failures_after_a_success) {
    resource_health health{exact()};
    quarantine(health, 2);
    health.succeeded();
    quarantine(health, 2);
    EXPECT_EQ(state_of(health), health_state::suspect);
}

TEST(ResourceHealth, admits_one_probe_when_the_back_off_is_over) {
    resource_health health{exact()};
    quarantine(health);
    EXPECT_FALSE(health.admits(start + 99ms));
    ASSERT_TRUE(health.admits(start + 100ms));
    health.begin(start + 100ms);
    EXPECT_EQ(state_of(health), health_state::probing);
    EXPECT_FALSE(health.admits(start + 101ms));
    health.succeeded();
    EXPECT_EQ(state_of(health), health_state::healthy);
    EXPECT_TRUE(health.admits(start + 101ms));
}

TEST(ResourceHealth, doubles_the_back_off_up_to_the_longest) {
    resource_health health{exact(1)};
    auto now = start;
    EXPECT_TRUE(health.failed(now, "lost"));
    for (const auto back_off : {100ms, 200ms, 400ms, 800ms, 1000ms, 1000ms}) {
        EXPECT_FALSE(health.admits(now + back_off - 1ns));
        now += back_off;
        ASSERT_TRUE(health.admits(now)) << back_off.count() << " ms";
        health.begin(now);
        EXPECT_FALSE(health.failed(now, "lost again"));
    }
}

TEST(ResourceHealth, begins_with_the_first_back_off_after_a_recovery) {
    resource_health health{exact(1)};
    static_cast<void>(health.failed(start, "lost"));
    health.begin(start + 100ms);
    static_cast<void>(health.failed(start + 100ms, "lost again"));
    health.begin(start + 300ms);
    health.succeeded();
    static_cast<void>(health.failed(start + 1s, "lost later"));
    EXPECT_EQ(health.report(start + 1s).until_probe, 100ms);
}

TEST(ResourceHealth, replaces_a_probe_without_an_outcome) {
    resource_health health{exact(1)};
    static_cast<void>(health.failed(start, "lost"));
    health.begin(start + 100ms);
    EXPECT_FALSE(health.admits(start + 299ms));
    EXPECT_TRUE(health.admits(start + 300ms));
}

TEST(ResourceHealth, is_not_quarantined_longer_by_work_that_began_before) {
    resource_health health{exact(1)};
    EXPECT_TRUE(health.failed(start, "lost"));
    EXPECT_FALSE(health.failed(start + 90ms, "also lost"));
    EXPECT_TRUE(health.admits(start + 100ms));
    EXPECT_EQ(health.report(start).last_error, "also lost");
}

TEST(ResourceHealth, is_not_restored_by_work_that_began_before) {
    resource_health health{exact(1)};
    EXPECT_TRUE(health.failed(start, "lost"));
    health.succeeded();
    EXPECT_EQ(state_of(health), health_state::quarantined);
    EXPECT_FALSE(health.admits(start + 99ms));
}

TEST(ResourceHealth, shortens_back_offs_by_different_parts) {
    health_settings settings = exact(1);
    settings.jitter = 0.5;
    std::set<pointsman::clock::duration> seen;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        resource_health health{settings, seed};
        static_cast<void>(health.failed(start, "lost"));
        const auto until = health.report(start).until_probe;
        EXPECT_GE(until, 50ms);
        EXPECT_LE(until, 100ms);
        seen.insert(until);
    }
    EXPECT_EQ(seen.size(), 20U);
}

/// The rules of `resource_health` in the plainest form.
struct model {
    bool open = true;
    std::uint32_t failures = 0;
    pointsman::clock::duration back_off = 100ms;
    pointsman::clock::time_point probe_at{};
    bool probing = false;

    void wait_from(pointsman::clock::time_point now) {
        open = false;
        probe_at = now + back_off;
        back_off = std::min<pointsman::clock::duration>(2 * back_off, 1s);
    }
    void failed(pointsman::clock::time_point now) {
        ++failures;
        if (probing) {
            probing = false;
            probe_at = now + std::exchange(back_off,
                                           std::min<pointsman::clock::duration>(2 * back_off, 1s));
        } else if (open && failures >= 3) {
            wait_from(now);
        }
    }
};

TEST(ResourceHealth, agrees_with_a_model_under_random_events) {
    for (unsigned seed = 0; seed < 200; ++seed) {
        SCOPED_TRACE(seed);
        std::mt19937 random{seed};
        resource_health health{exact()};
        model expected;
        auto now = start;
        for (int step = 0; step < 200; ++step) {
            now += std::chrono::milliseconds{random() % 80};
            ASSERT_EQ(health.admits(now), expected.open || now >= expected.probe_at);
            switch (random() % 3) {
                case 0:
                    if (health.admits(now)) {
                        health.begin(now);
                        if (!expected.open) {
                            expected.probing = true;
                            expected.probe_at = now + expected.back_off;
                        }
                    }
                    break;
                case 1:
                    static_cast<void>(health.failed(now, "lost"));
                    expected.failed(now);
                    break;
                default:
                    if (random() % 4 == 0) {
                        health.succeeded();
                        if (expected.open || expected.probing) {
                            expected = {};
                        }
                    }
            }
        }
    }
}

TEST(HealthSettings, refuse_values_out_of_range) {
    const auto message = [](health_settings settings) {
        return message_of<std::invalid_argument>([&] { resource_health{settings}; });
    };
    EXPECT_NE(message({.failures = 0}).find("failures is 0"), std::string::npos);
    EXPECT_NE(message({.back_off = 0ns}).find("back_off is 0 ns"), std::string::npos);
    EXPECT_EQ(message({.back_off = 2s, .longest_back_off = 1s}),
              "longest_back_off is 1 s, less than back_off: pass 2 s or more");
    EXPECT_NE(message({.jitter = 1.5}).find("jitter is 1.5"), std::string::npos);
}

}  // namespace
