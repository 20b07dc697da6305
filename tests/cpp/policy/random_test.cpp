// SPDX-License-Identifier: Apache-2.0
// random_policy: uniform choices, seeds, and a generator for each thread.
#include "pointsman/policy/random_policy.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <thread>
#include <vector>

namespace {

using pointsman::random_policy;

std::vector<int> choices(random_policy<int>& p, int count) {
    std::vector<int> chosen;
    for (int i = 0; i < count; ++i) {
        chosen.push_back(p.submit([](int r) { return r; }).unwrap());
    }
    return chosen;
}

TEST(Random, chooses_each_resource_about_equally_often) {
    random_policy p{{0, 1, 2, 3, 4, 5, 6}, 42};
    std::vector<double> counts(7);
    constexpr int draws = 70'000;
    for (const int r : choices(p, draws)) {
        ++counts[static_cast<std::size_t>(r)];
    }
    const double chi_squared =
        std::accumulate(counts.begin(), counts.end(), 0.0, [](double sum, double count) {
            return sum + (count - draws / 7.0) * (count - draws / 7.0) / (draws / 7.0);
        });
    EXPECT_LT(chi_squared, 22.5) << "1 in 1000 with six degrees of freedom";
}

TEST(Random, does_not_follow_its_last_choice) {
    random_policy p{{0, 1, 2, 3}, 42};
    std::vector<int> followed(16);
    const auto chosen = choices(p, 40'000);
    for (std::size_t i = 1; i < chosen.size(); ++i) {
        ++followed[static_cast<std::size_t>(4 * chosen[i - 1] + chosen[i])];
    }
    for (const int count : followed) {
        EXPECT_NEAR(count, 2500, 250);
    }
}

TEST(Random, repeats_itself_with_the_same_seed_and_only_then) {
    random_policy first{{0, 1, 2, 3}, 7};
    random_policy again{{0, 1, 2, 3}, 7};
    random_policy other{{0, 1, 2, 3}, 8};
    const auto chosen = choices(first, 100);
    EXPECT_EQ(choices(again, 100), chosen);
    EXPECT_NE(choices(other, 100), chosen);
}

TEST(Random, differs_from_run_to_run_without_a_seed) {
    random_policy first{{0, 1, 2, 3}};
    random_policy second{{0, 1, 2, 3}};
    EXPECT_NE(choices(first, 100), choices(second, 100));
}

TEST(Random, gives_each_thread_its_own_choices) {
    random_policy p{{0, 1, 2, 3}, 7};
    const auto here = choices(p, 100);
    std::vector<int> there;
    std::jthread{[&] { there = choices(p, 100); }}.join();
    EXPECT_NE(here, there);
}

}  // namespace
