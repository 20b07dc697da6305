// SPDX-License-Identifier: Apache-2.0
// written_time: durations with three digits and a unit.
#include "pointsman/base/written_time.hpp"

#include <gtest/gtest.h>

namespace {

using pointsman::detail::written_time;

TEST(WrittenTime, has_three_digits_and_a_unit) {
    EXPECT_EQ(written_time(0), "0 ns");
    EXPECT_EQ(written_time(403.4), "403 ns");
    EXPECT_EQ(written_time(1'200), "1.2 µs");
    EXPECT_EQ(written_time(12'345'678), "12.3 ms");
    EXPECT_EQ(written_time(2e9), "2 s");
}

TEST(WrittenTime, takes_the_next_unit_where_rounding_leads_to_it) {
    EXPECT_EQ(written_time(999.4), "999 ns");
    EXPECT_EQ(written_time(999.6), "1 µs");
    EXPECT_EQ(written_time(999'600), "1 ms");
}

TEST(WrittenTime, writes_all_digits_of_many_seconds) {
    EXPECT_EQ(written_time(86'400e9), "86400 s");
}

}  // namespace
