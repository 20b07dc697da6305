// SPDX-License-Identifier: Apache-2.0
// What a cost model records of a decision, and for which tasks there is a record.
#include "pointsman/tuning/measured_record.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <cstddef>
#include <vector>

#include "pointsman/tuning/cost_model.hpp"

namespace {

using namespace std::chrono_literals;
using pointsman::cost_model;
using pointsman::detail::measured_record;

struct asking_for_a_record {
    measured_record* record;
    [[nodiscard]] measured_record& recorder() const { return *record; }
};

TEST(MeasuredRecord, is_made_only_for_a_callable_that_asks_for_it) {
    measured_record record;
    EXPECT_EQ(pointsman::detail::record_of(asking_for_a_record{&record}, 1), &record);
    EXPECT_FALSE(pointsman::detail::is_record_v<decltype(pointsman::detail::record_of([] {}, 1))>);
}

/// Tells the model that tasks of `kind` took 16 s on resource 0, and 1 s on resource 1.
void learn_times(cost_model& model, cost_model::kind& kind) {
    for (int i = 0; i < 1'000; ++i) {
        for (const std::size_t index : {0U, 1U}) {
            cost_model::reserve(kind, index);
            model.learn(kind, index, index == 0 ? 16s : 1s);
            cost_model::release(kind, index);
        }
    }
}

TEST(MeasuredRecord, has_the_scores_with_the_work_before_the_task) {
    cost_model model{2};
    auto& kind = model.find({1, 0});
    learn_times(model, kind);
    measured_record record;
    const auto chosen = model.choose(kind, std::vector<double>{0, 2e9}, 0, &record);
    EXPECT_EQ(chosen.index, 1U);
    EXPECT_NEAR(record.candidates[0].score, 16e9F, 1e6);
    EXPECT_NEAR(record.candidates[1].score, 7e9F, 1e6);
    EXPECT_NEAR(record.candidates[1].time, 1e9F, 1e6);
}

TEST(MeasuredRecord, has_no_score_of_a_resource_where_the_task_would_end_too_late) {
    cost_model model{2};
    auto& kind = model.find({1, 0});
    learn_times(model, kind);
    measured_record record;
    // Ends after 16 s or 7 s, with scores of 16 s and 19 s.
    const auto chosen = model.choose(kind, std::vector<double>{0, 6e9}, 0, &record);
    EXPECT_EQ(chosen.index, 1U);
    EXPECT_TRUE(std::isinf(record.candidates[0].score));
    EXPECT_NEAR(record.candidates[0].time, 16e9F, 1e6);
    EXPECT_NEAR(record.candidates[1].score, 19e9F, 1e6);
}

}  // namespace
