// SPDX-License-Identifier: Apache-2.0
// auto_tune_policy end to end; the cost model has its own tests.
#include "pointsman/policy/auto_tune_policy.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "pointsman/selection/select.hpp"
#include "support/eventually.hpp"
#include "support/every_policy.hpp"
#include "support/manual_work.hpp"
#include "support/message_of.hpp"

namespace {

using pointsman::auto_tune_policy;
using std::chrono::microseconds;
using std::chrono::seconds;
namespace t = pointsman::test;
using loads = std::vector<std::size_t>;

TEST(AutoTune, predicts_the_time_of_a_task) {
    auto_tune_policy p{{900, 100}};
    const auto work = [](int cost) { return t::ended_after(seconds{cost}); };
    EXPECT_EQ(p.estimates(work), (std::vector<std::optional<std::chrono::nanoseconds>>(2)));
    for (int i = 0; i < 10; ++i) {
        static_cast<void>(p.submit(work));
    }
    const auto known = p.estimates(work);
    ASSERT_TRUE(known[0] && known[1]);
    EXPECT_GT(*known[0], *known[1]);
}

/// Is notified of its selection before it is called.
struct asking_task {
    std::size_t* placed;
    void placed_by(const auto& selection) const { *placed = selection.index(); }
    std::size_t operator()(int) const { return *placed; }
};

TEST(AutoTune, notifies_a_task_of_its_selection_before_the_call) {
    auto_tune_policy p{{8, 9}};
    std::size_t placed = 7;
    EXPECT_LT(p.submit(asking_task{&placed}).unwrap(), 2U);
}

TEST(AutoTune, uses_the_fastest_resource_after_two_runs_on_each) {
    auto_tune_policy p{{900, 100, 500}};
    std::map<int, int> chosen;
    for (int i = 0; i < 100; ++i) {
        static_cast<void>(p.submit([&](int cost) {
            ++chosen[cost];
            return t::ended_after(seconds{cost});
        }));
    }
    EXPECT_EQ(chosen[900], 2);
    EXPECT_EQ(chosen[500], 2);
    EXPECT_EQ(chosen[100], 96);
    EXPECT_EQ(p.loads(), (loads{0, 0, 0}));
}

TEST(AutoTune, keeps_the_best_resource_despite_scattered_failures) {
    auto_tune_policy p{{50, 500}};
    std::map<int, int> chosen;
    for (int i = 0; i < 20'000; ++i) {
        const auto task = p.select([](int) {});
        const int cost = task.unwrap();
        ++chosen[cost];
        pointsman::report(task, pointsman::execution_info::task_submission);
        if (i % 50 == 49 && cost == 50) {
            pointsman::report(task, pointsman::execution_info::task_failure);
        } else {
            pointsman::report(task, pointsman::execution_info::task_time,
                              std::chrono::nanoseconds{cost});
        }
        pointsman::report(task, pointsman::execution_info::task_completion);
    }
    EXPECT_LE(chosen[500], 40);
}

/// A task that states its kind.
struct task_of_kind {
    std::uint64_t kind;
    [[nodiscard]] pointsman::task_key task_key() const { return {kind, 0}; }
    void operator()(int) const {}
};

TEST(AutoTune, times_few_of_many_short_tasks_whether_of_one_kind_or_of_forty) {
    auto_tune_policy p{{0, 1}};
    const auto count_timed = [&] {
        int timed = 0;
        for (std::uint64_t i = 0; i < 8'000; ++i) {
            const auto task = p.select(task_of_kind{i % 40 + 1});
            timed += task.wants_time() ? 1 : 0;
            pointsman::report(task, pointsman::execution_info::task_submission);
            pointsman::report(task, pointsman::execution_info::task_time,
                              std::chrono::nanoseconds{10});
            pointsman::report(task, pointsman::execution_info::task_completion);
        }
        return timed;
    };
    EXPECT_GE(count_timed(), 40 * 4) << "two on each resource";
    EXPECT_LE(count_timed(), 8'000 / 50);
}

TEST(AutoTune, measures_short_tasks_again_after_the_resample_time_however_few) {
    constexpr std::chrono::milliseconds resample_time{20};
    auto_tune_policy p{{0, 1}, resample_time};
    const auto place = [&] {
        const auto task = p.select([](int) {});
        pointsman::report(task, pointsman::execution_info::task_submission);
        pointsman::report(task, pointsman::execution_info::task_time, std::chrono::nanoseconds{10});
        pointsman::report(task, pointsman::execution_info::task_completion);
        return task.wants_time();
    };
    while (place()) {
    }
    const auto settled = pointsman::clock::now();
    EXPECT_TRUE(t::eventually([&] { return pointsman::clock::now() > settled + resample_time; }));
    EXPECT_TRUE(place());
}

TEST(AutoTune, sends_functions_of_one_signature_and_flags_each_where_it_is_fastest) {
    auto_tune_policy p{{0, 1}};
    // The resource of the last of 50 tasks; each takes ten times as long on the other resource.
    const auto settled = [&](int fastest, const auto&... task) {
        int chosen = -1;
        for (int i = 0; i < 50; ++i) {
            const auto selection = p.select(task...);
            chosen = selection.unwrap();
            selection.report(pointsman::execution_info::task_time,
                             microseconds{chosen == fastest ? 100 : 1000});
            selection.report(pointsman::execution_info::task_completion);
        }
        return chosen;
    };
    const std::function<void(int)> sharpen = [](int) {};
    const std::function<void(int)> blur = [](int) {};
    const auto filter = [](int, bool) {};
    for (int round = 0; round < 3; ++round) {
        EXPECT_EQ(settled(0, sharpen), 0);
        EXPECT_EQ(settled(1, blur), 1);
        EXPECT_EQ(settled(0, filter, false), 0);
        EXPECT_EQ(settled(1, filter, true), 1);
    }
}

TEST(AutoTune, uses_another_resource_for_large_tasks_than_for_small_ones) {
    auto_tune_policy p{{0, 1}};
    // Resource 0 is better for small tasks, resource 1 for large ones.
    auto task = [](int r, int n) { return t::ended_after(seconds{r == 0 ? n : 1000 + n / 100}); };
    std::map<int, std::map<int, int>> chosen;
    for (int i = 0; i < 50; ++i) {
        for (const int n : {10, 1'000'000}) {
            static_cast<void>(p.submit(
                [&](int r, int size) {
                    ++chosen[n][r];
                    return task(r, size);
                },
                n));
        }
    }
    EXPECT_GE(chosen[10][0], 46);
    EXPECT_GE(chosen[1'000'000][1], 46);
}

seconds cost_of(int r) { return seconds{r == 0 ? 700 : 1}; }

TEST(AutoTune, forgets_what_it_learnt_when_initialised_again) {
    auto_tune_policy p{{10, 90}};
    std::map<int, int> chosen;
    auto task = [&](int cost) {
        ++chosen[cost];
        return t::ended_after(seconds{cost});
    };
    for (int i = 0; i < 20; ++i) {
        static_cast<void>(p.submit(task));
    }
    p.initialize({80, 20});
    for (int i = 0; i < 20; ++i) {
        static_cast<void>(p.submit(task));
    }
    EXPECT_EQ(chosen, (std::map<int, int>{{10, 18}, {90, 2}, {80, 2}, {20, 18}}));
}

TEST(AutoTune, keys_on_the_arguments_that_key_args_name) {
    auto_tune_policy<int, pointsman::identity, pointsman::default_backend<int>, int> p{{0, 1}};
    auto task = [](int r, int, const std::vector<int>&) { return t::ended_after(cost_of(r)); };
    for (std::size_t i = 0; i < 4; ++i) {
        static_cast<void>(p.submit(task, 5, std::vector<int>(std::size_t{1} << i)));
    }
    EXPECT_EQ(p.select(task, 5, std::vector<int>(1000)).unwrap(), 1);
}

TEST(AutoTune, times_one_in_so_many_of_the_shortest_tasks) {
    auto_tune_policy p{{1, 2}};
    int timed = 0;
    constexpr int tasks = 5000;
    for (int i = 0; i < tasks; ++i) {
        const auto selection = p.select(cost_of);
        timed += selection.wants_time() ? 1 : 0;
        selection.report(pointsman::execution_info::task_submission);
        selection.report(pointsman::execution_info::task_time, std::chrono::nanoseconds{50});
        selection.report(pointsman::execution_info::task_completion);
    }
    // 40 µs over 50 ns
    EXPECT_GE(timed, tasks / 800);
    EXPECT_LE(timed, tasks / 800 + 16);
    EXPECT_EQ(p.loads(), (loads{0, 0}));
}

TEST(AutoTune, times_every_task_of_ten_microseconds_or_more) {
    auto_tune_policy p{{10, 900}};
    for (int i = 0; i < 100; ++i) {
        const auto selection = p.select(cost_of);
        EXPECT_TRUE(selection.wants_time());
        selection.report(pointsman::execution_info::task_time, microseconds{selection.unwrap()});
        selection.report(pointsman::execution_info::task_completion);
    }
}

TEST(AutoTune, notices_a_drift_of_short_tasks_too) {
    auto_tune_policy p{{0, 1}};
    std::chrono::nanoseconds costs[] = {std::chrono::nanoseconds{100},
                                        std::chrono::nanoseconds{200}};
    const auto run = [&](int n) {
        int last = 0;
        for (int i = 0; i < n; ++i) {
            const auto selection = p.select(cost_of);
            last = selection.unwrap();
            selection.report(pointsman::execution_info::task_time, costs[last]);
            selection.report(pointsman::execution_info::task_completion);
        }
        return last;
    };
    EXPECT_EQ(run(1000), 0);
    costs[0] *= 5;
    EXPECT_EQ(run(20 * 400), 1) << "within 20 samples: one task in 400 is timed";
}

TEST(AutoTune, books_on_a_task_what_it_received_and_not_its_wait) {
    pointsman::auto_tune_rule<> rule{2};
    const auto task = [] {};
    const auto run = [&] {
        const auto chosen = rule.choose(0, task);
        rule.learn(chosen, seconds{chosen.index == 0 ? 100 : 150}, true);
        rule.give_back(chosen);
    };
    for (int i = 0; i < 100; ++i) {
        run();
    }
    // Of 64 tasks that are outstanding together, the last waits for 63.
    std::vector<pointsman::auto_tune_rule<>::choice> burst;
    for (int i = 0; i < 64; ++i) {
        burst.push_back(rule.choose(0, task));
    }
    seconds ends[2]{};
    for (const auto& chosen : burst) {
        ends[chosen.index] += seconds{chosen.index == 0 ? 100 : 150};
        rule.learn(chosen, ends[chosen.index], true);
        rule.give_back(chosen);
    }
    EXPECT_NEAR(static_cast<double>(rule.estimates(task)[0]->count()), 100e9, 5e9);
}

/// Submits from within a submission, with a different key at each level.
template <int depth>
int nested(auto_tune_policy<int>& p, int r) {
    if constexpr (depth == 0) {
        return r;
    } else {
        return p.submit([&p](int inner) { return nested<depth - 1>(p, inner); }).unwrap();
    }
}

TEST(AutoTune, submits_from_within_submissions_of_many_keys) {
    auto_tune_policy p{{7, 7}};
    for (int i = 0; i < 50; ++i) {
        EXPECT_EQ(nested<12>(p, 0), 7);
    }
    EXPECT_EQ(p.loads(), (loads{0, 0}));
}

TEST(AutoTune, a_selection_may_outlive_the_policy_on_another_thread) {
    std::optional<auto_tune_policy<int>> p{std::in_place, std::vector{1, 2}};
    auto work = [](int r) { return r; };
    for (int i = 0; i < 100; ++i) {
        static_cast<void>(p->submit(work));
    }
    auto kept = p->select(work);
    p.reset();
    std::jthread{[moved = std::move(kept)] {
        moved.report(pointsman::execution_info::task_submission);
        moved.report(pointsman::execution_info::task_completion);
    }}.join();
}

TEST(AutoTune, refuses_a_negative_resample_time_with_value_and_remedy) {
    const auto message = t::message_of<std::invalid_argument>(
        [] { auto_tune_policy<int> p{std::vector{1}, microseconds{-3}}; });
    EXPECT_EQ(
        message,
        "resample_time is -3e-06 s: pass 0 (never_resample) or a positive time, at most 9e9 s");
}

TEST(AutoTune, takes_its_resample_time_in_any_unit_and_in_seconds) {
    const std::vector<int> set{4, 5};
    const auto same = [](int r) { return r; };
    const auto resamples = [](auto p) {
        return p.get_resources().size() == 2 && p.submit([](int r) { return r; }).unwrap() == 4;
    };
    EXPECT_TRUE(resamples(auto_tune_policy{set, 0.5}));
    EXPECT_TRUE(resamples(auto_tune_policy{set, 2}));
    EXPECT_TRUE(resamples(auto_tune_policy{{4, 5}, std::chrono::duration<double>{0.5}}));
    EXPECT_TRUE(resamples(auto_tune_policy{set, same, std::chrono::hours{1}}));
    EXPECT_TRUE(resamples(auto_tune_policy{{4, 5}, same, 0.25F}));
    auto_tune_policy<int> p{pointsman::deferred_initialization};
    p.initialize({4, 5}, 0.5);
    EXPECT_TRUE(resamples(p));
}

TEST(AutoTune, takes_a_number_in_braces_as_a_set) {
    auto_tune_policy p{{7}};
    EXPECT_EQ(p.get_resources(), std::vector{7});
    p.initialize({8});
    EXPECT_EQ(p.get_resources(), std::vector{8});
}

TEST(AutoTune, measures_again_after_a_fraction_of_a_second) {
    constexpr double resample_s = 0.02;
    auto_tune_policy p{{0, 1}, resample_s};
    const auto work = [](int) {};
    const auto is_measured = [&] {
        static_cast<void>(p.submit(work));
        const auto known = p.estimates(work);
        return known[0].has_value() && known[1].has_value();
    };
    EXPECT_TRUE(t::eventually(is_measured));
    EXPECT_TRUE(t::eventually([&] { return !is_measured(); })) << "it starts over";
}

}  // namespace
