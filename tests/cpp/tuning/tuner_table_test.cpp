// SPDX-License-Identifier: Apache-2.0
// The bounded table of tuners.
#include "fairlead/tuning/tuner_table.hpp"

#include <gtest/gtest.h>

namespace {

using fairlead::tuner_table;

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

TEST(TunerTable, forgets_what_was_not_used_for_longest) {
    tuner_table table{2, {}, 2};
    const auto one = table.find({1, 0});
    const auto two = table.find({2, 0});
    EXPECT_EQ(table.find({1, 0}), one);
    static_cast<void>(table.find({3, 0}));
    EXPECT_EQ(table.find({1, 0}), one);
    EXPECT_NE(table.find({2, 0}), two);
}

}  // namespace
