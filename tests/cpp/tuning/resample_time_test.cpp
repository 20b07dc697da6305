// SPDX-License-Identifier: Apache-2.0
// Durations and numbers of seconds are converted to resample times, or refused with their value.
#include "pointsman/tuning/resample_time.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <limits>
#include <ratio>
#include <stdexcept>
#include <string>

#include "support/message_of.hpp"

namespace {

using pointsman::never_resample;
using pointsman::to_resample_time;
using namespace std::chrono_literals;
namespace t = pointsman::test;

TEST(ResampleTime, takes_numbers_as_seconds) {
    EXPECT_EQ(to_resample_time(0.5), 500ms);
    EXPECT_EQ(to_resample_time(2), 2s);
    EXPECT_EQ(to_resample_time(0.25F), 250ms);
    EXPECT_EQ(to_resample_time(0.0), never_resample);
    EXPECT_EQ(to_resample_time(0U), never_resample);
}

TEST(ResampleTime, takes_durations_of_any_unit_and_type) {
    EXPECT_EQ(to_resample_time(std::chrono::duration<double>{0.5}), 500ms);
    EXPECT_EQ(to_resample_time(std::chrono::duration<float, std::milli>{1.5F}), 1500us);
    EXPECT_EQ(to_resample_time(3h), 3h);
    EXPECT_EQ(to_resample_time(std::chrono::nanoseconds{8'999'999'999'999'999'999}),
              std::chrono::nanoseconds{8'999'999'999'999'999'999});
}

TEST(ResampleTime, of_a_positive_time_is_never_zero) {
    EXPECT_EQ(to_resample_time(1e-15), 1ns);
    EXPECT_EQ(to_resample_time(std::chrono::duration<int, std::pico>{1}), 1ns);
}

TEST(ResampleTime, names_the_value_that_it_refuses) {
    const auto refused = [](auto time) {
        return t::message_of<std::invalid_argument>(
            [&] { static_cast<void>(to_resample_time(time)); });
    };
    const std::string remedy = " s: pass 0 (never_resample) or a positive time, at most 9e9 s";
    EXPECT_EQ(refused(-0.5), "resample_time is -0.5" + remedy);
    EXPECT_EQ(refused(-3ns), "resample_time is -3e-09" + remedy);
    EXPECT_EQ(refused(std::numeric_limits<double>::quiet_NaN()), "resample_time is nan" + remedy);
    EXPECT_EQ(refused(std::numeric_limits<float>::infinity()), "resample_time is inf" + remedy);
    EXPECT_EQ(refused(-std::numeric_limits<double>::infinity()), "resample_time is -inf" + remedy);
    EXPECT_EQ(refused(std::chrono::years{300}), "resample_time is 9.46709e+09" + remedy);
    EXPECT_FALSE(refused(std::chrono::hours::max()).empty());
    EXPECT_FALSE(refused(std::chrono::duration<double>{1e300}).empty());
}

}  // namespace
