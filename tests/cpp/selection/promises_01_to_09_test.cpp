// SPDX-License-Identifier: Apache-2.0
// Promises 1 to 9, each against a mistake of other implementations of dynamic selection.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <map>
#include <vector>

#include "pointsman/dynamic_selection.hpp"
#include "support/counted.hpp"
#include "support/eventually.hpp"
#include "support/every_policy.hpp"
#include "support/manual_work.hpp"
#include "support/tracked_backend.hpp"

namespace pointsman::test {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using loads = std::vector<std::size_t>;

// 1
TEST(Promise, releases_load_on_every_path_so_that_a_resource_that_threw_is_reused) {
    dynamic_load_policy p{{0, 1}};
    EXPECT_THROW(p.submit([](int r) -> int { throw r; }), int);
    calling_work failing;
    static_cast<void>(p.submit([&](int) { return failing; }));
    failing.fail();
    static_cast<void>(p.submit([](int) { return waited_work{}; }));
    static_cast<void>(p.select());
    EXPECT_EQ(p.loads(), (loads{0, 0}));
    std::map<int, int> chosen;
    for (int i = 0; i < 100; ++i) {
        ++chosen[p.submit([](int r) { return r; }).unwrap()];
    }
    EXPECT_EQ(chosen, (std::map<int, int>{{0, 50}, {1, 50}}));
}

// 2
TEST(Promise, keeps_nothing_of_unreported_submissions) {
    struct event : calling_work, counted<event> {};
    on_every_policy(std::vector{1, 2, 3}, [](auto p) {
        for (int i = 0; i < 10'000; ++i) {
            p.submit_and_wait([](int) {
                event done;
                done.succeed();
                return done;
            });
        }
        EXPECT_EQ(event::alive(), 0) << "while the policy exists";
    });
}

struct queue : counted<queue> {};

// 3
TEST(Promise, frees_its_resources_with_the_policy) {
    calling_work unfinished;
    {
        on_every_policy(std::vector<queue>(2), [&](auto p) {
            static_cast<void>(p.submit([](const queue&) { return waited_work{}; }));
            const auto kept = p.submit([&](const queue&) { return unfinished; });
            const auto group = p.get_submission_group();
            const auto selection = p.select([](const queue&) {});
        });
        dynamic_load_policy<queue, identity, tracked_backend<queue>> p{std::vector<queue>(2)};
        static_cast<void>(p.submit([](const queue&) { return 0; }));
        EXPECT_GT(queue::alive(), 0);
    }
    unfinished.succeed();
    EXPECT_EQ(queue::alive(), 0);
}

// 4
TEST(Promise, sees_the_last_task_of_a_phase_without_another_submission) {
    on_every_counting_policy(std::vector{0, 1}, [](auto p) {
        polled_work work;
        static_cast<void>(p.submit([&](int) { return work; }));
        EXPECT_EQ(p.loads(), (loads{1, 0}));
        work.succeed();
        EXPECT_TRUE(eventually([&] { return p.loads() == loads({0, 0}); }));
    });
}

/// Counts how often the submitting thread polls the work.
struct inquired_work : polled_work {
    static inline thread_local int inquiries = 0;
    bool is_ready() {
        ++inquiries;
        return polled_work::is_ready();
    }
};

// 5
TEST(Promise, polls_none_of_4000_outstanding_tasks_when_it_places_another) {
    on_every_policy(std::vector{0, 1}, [](auto p) {
        inquired_work::inquiries = 0;
        std::vector<inquired_work> outstanding(4'000);
        for (auto& work : outstanding) {
            static_cast<void>(p.submit([&](int) { return work; }));
        }
        EXPECT_EQ(inquired_work::inquiries, 0);
        for (auto& work : outstanding) {
            work.succeed();
        }
        p.get_submission_group().wait();
    });
}

// 6
TEST(Promise, distinguishes_tasks_of_nanoseconds) {
    for (const auto unit : {nanoseconds{1}, nanoseconds{1'000}}) {
        auto_tune_policy p{{700, 1}};
        std::map<int, int> chosen;
        for (int i = 0; i < 100; ++i) {
            ++chosen[tell(p, [&](int cost) { return cost * unit; }, [](int) {})];
        }
        EXPECT_EQ(chosen[700], 2) << "in units of " << unit.count() << " ns";
    }
}

// 7
TEST(Promise, leaves_a_resource_that_has_become_slow_with_and_without_resampling) {
    for (const nanoseconds resample_time : {never_resample, nanoseconds{std::chrono::hours{1}}}) {
        auto_tune_policy p{std::vector{0, 1}, resample_time};
        milliseconds costs[] = {milliseconds{2}, milliseconds{4}};
        std::map<int, int> chosen;
        const auto run = [&](int tasks) {
            chosen.clear();
            for (int i = 0; i < tasks; ++i) {
                ++chosen[tell(p, [&](int r) { return costs[r]; }, [](int) {})];
            }
        };
        run(16);
        EXPECT_EQ(chosen[0], 14);
        costs[0] = milliseconds{40};
        run(100);
        EXPECT_LE(chosen[0], 10);
    }
}

// 8
TEST(Promise, keeps_the_first_run_of_a_resource_out_of_every_statistic) {
    auto_tune_policy p{{0, 1}};
    std::map<int, int> chosen;
    const auto cost = [&](int r) { return milliseconds{r == 1 ? 5 : chosen[0] == 0 ? 1 : 30}; };
    for (int i = 0; i < 100; ++i) {
        ++chosen[tell(p, cost, [](int) {})];
    }
    EXPECT_LE(chosen[0], 3);
}

/// A task with an explicit key.
struct numbered_task {
    std::uint64_t number;
    pointsman::task_key task_key() const { return {number, 0}; }
};

// 9
TEST(Promise, identifies_a_task_by_an_explicit_key_in_a_bounded_table) {
    auto_tune_policy p{{0, 1}};
    std::map<int, int> chosen;
    const auto faster_on = [](int best) {
        return [best](int r) { return microseconds{r == best ? 10 : 500}; };
    };
    const auto at_depth = [&](auto self, int depth) -> void {
        volatile char room[64] = {};
        static_cast<void>(room);
        const auto task = [](int) {};
        ++chosen[tell(p, faster_on(1), task)];
        if (depth > 0) {
            self(self, depth - 1);
        }
    };
    at_depth(at_depth, 20);
    EXPECT_EQ(chosen, (std::map<int, int>{{0, 2}, {1, 19}})) << "one lambda at 21 stack depths";

    const auto last_of_six = [&](const auto& task, int best) {
        int last = -1;
        for (int i = 0; i < 6; ++i) {
            last = tell(p, faster_on(best), task);
        }
        return last;
    };
    EXPECT_EQ(last_of_six([](int) {}, 0), 0);
    EXPECT_EQ(last_of_six([](int) {}, 1), 1) << "two lambdas, possibly at one address";

    last_of_six(numbered_task{0}, 1);
    for (std::uint64_t n = 1; n <= cost_model::default_capacity; ++n) {
        tell(p, faster_on(1), numbered_task{n});
    }
    EXPECT_EQ(tell(p, faster_on(1), numbered_task{0}), 0) << "the oldest entry is evicted";
}

}  // namespace
}  // namespace pointsman::test
