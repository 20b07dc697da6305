// SPDX-License-Identifier: Apache-2.0
// Commands that the driver stamped late are distinguished from commands stamped when they were enqueued.
#include "pointsman/resource/opencl/detail/stamp_check.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>

namespace pointsman::test {
namespace {

using opencl::detail::stamp_check;

/// Return the host's time after `us` microseconds, and the driver's stamp of the same moment: the clock of
/// the driver has another epoch, and the stamp is `later_us` late.
clock::time_point host(std::int64_t us) { return clock::time_point{std::chrono::microseconds{us}}; }
cl_ulong stamp(std::int64_t us, std::int64_t later_us = 1) {
    constexpr std::uint64_t epoch_ns = 1'700'000'000'000'000'000;
    return epoch_ns + static_cast<std::uint64_t>(us + later_us) * 1000;
}

TEST(OpenclStampCheck, confirms_nothing_before_it_is_set) {
    stamp_check stamps;
    EXPECT_FALSE(stamps.is_set());
    EXPECT_FALSE(stamps.confirms(host(5), stamp(5)));
}

TEST(OpenclStampCheck, confirms_commands_stamped_as_promptly_as_the_first) {
    stamp_check stamps;
    stamps.set(host(5), stamp(5));
    EXPECT_TRUE(stamps.confirms(host(1'000'000), stamp(1'000'000)));
    EXPECT_TRUE(stamps.confirms(host(2'000'000), stamp(2'000'000, 20)));
    EXPECT_TRUE(stamps.confirms(host(3'000'000), stamp(3'000'000, -20)));
    EXPECT_TRUE(stamps.is_set());
}

TEST(OpenclStampCheck, refuses_a_command_that_was_held_back) {
    stamp_check stamps;
    stamps.set(host(5), stamp(5));
    EXPECT_FALSE(stamps.confirms(host(100), stamp(100, 60)));
}

TEST(OpenclStampCheck, is_set_again_after_a_clock_was_changed) {
    stamp_check stamps;
    stamps.set(host(5), stamp(5));
    EXPECT_FALSE(stamps.confirms(host(100), stamp(100, -3'600'000'000)));
    EXPECT_FALSE(stamps.is_set());
    stamps.set(host(200), stamp(200, -3'600'000'000));
    EXPECT_TRUE(stamps.confirms(host(300), stamp(300, -3'600'000'000)));
}

}  // namespace
}  // namespace pointsman::test
