// SPDX-License-Identifier: Apache-2.0
// The bound is below every schedule of small workloads, and tight where the optimum is known.
#include "pointsman/replay/bound.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <random>
#include <vector>

#include "pointsman/replay/place.hpp"
#include "pointsman/replay/workload.hpp"

namespace {

namespace replay = pointsman::replay;
using replay::action;

replay::workload burst_of(std::vector<std::vector<double>> times) {
    replay::workload work;
    work.kinds = {{1, 1}};
    work.threads.resize(1);
    for (std::uint32_t i = 0; i < times.size(); ++i) {
        work.kind_of.push_back(0);
        work.threads[0].push_back({0, i, action::kind::submit});
    }
    work.time_on = [times = std::move(times)](std::size_t task, std::size_t place) {
        return times[task][place];
    };
    return work;
}

/// The least makespan of tasks that are all there at the begin, over all assignments to places with one slot. With
/// `is_shared`, all places share hardware with the capacity 1.
double optimum(const replay::workload& work, std::size_t places, bool is_shared) {
    std::size_t assignments = 1;
    for (std::size_t i = 0; i < work.size(); ++i) {
        assignments *= places;
    }
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t number = 0; number < assignments; ++number) {
        std::vector<double> busy(places);
        double sum = 0;
        for (std::size_t i = 0, rest = number; i < work.size(); ++i, rest /= places) {
            busy[rest % places] += work.time_on(i, rest % places);
            sum += work.time_on(i, rest % places);
        }
        least = std::min(least, is_shared ? sum : std::ranges::max(busy));
    }
    return least;
}

TEST(MakespanBound, is_below_the_optimum_of_random_tasks) {
    std::mt19937 random{11};
    double sum = 0;
    constexpr int rounds = 200;
    for (int round = 0; round < rounds; ++round) {
        const std::size_t places = 2 + random() % 2;
        std::vector<std::vector<double>> times(3 + random() % 6, std::vector<double>(places));
        for (auto& each : times) {
            for (double& time : each) {
                time = 1'000.0 + static_cast<double>(random() % 20'000);
            }
        }
        const bool is_shared = round % 4 == 0;
        const auto work = burst_of(times);
        std::vector<replay::place> machine;
        for (std::size_t i = 0; i < places; ++i) {
            machine.push_back(replay::place_with("", 1));
            machine.back().hardware.id = is_shared ? 3 : 0;
        }
        const double best = optimum(work, places, is_shared);
        const double bound = replay::makespan_bound(work, machine);
        ASSERT_LE(bound, best * (1 + 1e-9)) << "round " << round;
        sum += bound / best;
    }
    EXPECT_GT(sum / rounds, 0.8);  // and not trivially so
}

TEST(MakespanBound, is_the_optimum_of_many_equal_tasks_at_unlike_speeds) {
    const auto work = burst_of(std::vector<std::vector<double>>(60, {100, 200, 300}));
    std::vector<replay::place> places(3, replay::place_with("", 1));
    EXPECT_NEAR(replay::makespan_bound(work, places), 60 / (1 / 100.0 + 1 / 200.0 + 1 / 300.0), 1);
}

TEST(MakespanBound, improves_its_prices_where_kinds_suit_unlike_places) {
    std::vector<std::vector<double>> times(50, {100, 1'000});
    times.insert(times.end(), 50, {400, 200});
    const auto work = burst_of(times);
    std::vector<replay::place> places(2, replay::place_with("", 1));
    // The first place does all tasks that suit it and as many others as end when the second place does.
    const double optimal = 5'000 + 400 * (50 - (5'000 + 50 * 400) / 600.0);
    EXPECT_LE(replay::makespan_bound(work, places), optimal * (1 + 1e-9));
    EXPECT_GT(replay::makespan_bound(work, places), optimal * 0.99);
}

TEST(MakespanBound, counts_slots_and_latency) {
    const auto work = burst_of(std::vector<std::vector<double>>(40, {100}));
    auto place = replay::place_with("", 4);
    EXPECT_NEAR(replay::makespan_bound(work, {place}), 1'000, 1);
    place.latency = pointsman::clock::duration{50};
    EXPECT_NEAR(replay::makespan_bound(work, {place}), 1'050, 1);
}

TEST(MakespanBound, follows_the_critical_path_of_a_thread) {
    auto work = burst_of({{100, 50}, {100, 50}});
    work.threads[0] = {
        {7, 0, action::kind::submit}, {0, 0, action::kind::wait}, {3, 1, action::kind::submit}};
    std::vector<replay::place> places(2, replay::place_with("", 1));
    EXPECT_DOUBLE_EQ(replay::makespan_bound(work, places), 7 + 50 + 3 + 50);
}

}  // namespace
