// SPDX-License-Identifier: Apache-2.0
// The bounded table of tuners, and which entries it drops.
#include "pointsman/tuning/tuner_table.hpp"

#include <gtest/gtest.h>

#include <chrono>

namespace {

using pointsman::tuner_table;

TEST(TunerTable, gives_the_same_tuner_for_the_same_key) {
    tuner_table table{2, {}};
    EXPECT_EQ(table.find({1, 0}), table.find({1, 0}));
    EXPECT_NE(table.find({1, 0}), table.find({1, 1}));
    EXPECT_NE(table.find({1, 0}), table.find({2, 0}));
}

TEST(TunerTable, never_grows_beyond_its_capacity) {
    tuner_table table{2, {}, 8};
    for (std::uint64_t i = 0; i < 1000; ++i) {
        static_cast<void>(table.find({i, 0}));
    }
    EXPECT_EQ(table.size(), 8U);
}

TEST(TunerTable, forgets_the_least_recently_used_entry) {
    tuner_table table{2, {}, 2};
    const auto one = table.find({1, 0});
    const auto two = table.find({2, 0});
    EXPECT_EQ(table.find({1, 0}), one);
    static_cast<void>(table.find({3, 0}));
    EXPECT_EQ(table.find({1, 0}), one);
    EXPECT_NE(table.find({2, 0}), two);
}

TEST(TunerTable, keeps_entries_that_were_used_without_a_lookup) {
    tuner_table table{2, {}, 2};
    const auto one = table.find({1, 0});
    const auto two = table.find({2, 0});
    one.tuner->touch();
    static_cast<void>(table.find({3, 0}));
    EXPECT_EQ(table.find({1, 0}), one);
    EXPECT_NE(table.find({2, 0}), two);
}

TEST(TunerTable, makes_room_even_if_all_entries_were_used) {
    tuner_table table{2, {}, 2};
    table.find({1, 0}).tuner->touch();
    table.find({2, 0}).tuner->touch();
    static_cast<void>(table.find({3, 0}));
    EXPECT_EQ(table.size(), 2U);
}

TEST(TunerTable, ignores_late_reports_on_forgotten_entries) {
    tuner_table table{2, {}, 1};
    const auto forgotten = table.find({1, 0});
    const auto present = table.find({2, 0});
    EXPECT_EQ(present.tuner, forgotten.tuner) << "the table is bounded";
    const auto learn = [](pointsman::tuner& t) { t.add(0, std::chrono::microseconds{1}, {}, {}); };
    EXPECT_FALSE(forgotten.with(learn));
    EXPECT_TRUE(present.with(learn));
}

TEST(LockedTuner, returns_a_settled_choice_without_the_lock) {
    pointsman::locked_tuner tuner{2, {}};
    for (int i = 0; i < 4; ++i) {
        EXPECT_EQ(tuner.steady().period, 0U) << "after " << i << " runs";
        tuner.with(0, [](pointsman::tuner& t) {
            const auto index = t.choose({});
            t.add(index, std::chrono::microseconds{index == 1 ? 1 : 50}, {}, {});
            t.release(index);
        });
    }
    EXPECT_EQ(tuner.steady().index, 1U);
    EXPECT_EQ(tuner.steady().period, 10U);
}

}  // namespace
