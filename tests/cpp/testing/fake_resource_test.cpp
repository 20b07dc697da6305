// SPDX-License-Identifier: Apache-2.0
// Fake resources do what their scripts and the test say, under every policy that survives failures.
#include "pointsman/testing/fake_resource.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <stdexcept>
#include <string>
#include <vector>

#include "pointsman/dynamic_selection.hpp"
#include "pointsman/recovery/recovering_policy.hpp"

namespace pointsman::test {
namespace {

using namespace std::chrono_literals;
using namespace pointsman::testing;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

struct device_lost : std::runtime_error, resource_failure {
    device_lost() : std::runtime_error{"lost"} {}
};

TEST(FakeResource, ends_the_oldest_work_when_the_test_says_so) {
    const fake_resource printer{"printer"};
    const fake_work first = printer.start();
    const fake_work second = printer.start();
    printer.finish();
    EXPECT_TRUE(first.is_ready() && !second.is_ready());
    printer.fail(std::domain_error{"jam"});
    EXPECT_THAT([&] { second.wait(); }, ThrowsMessage<std::domain_error>("jam"));
    EXPECT_EQ(printer.outstanding(), 0U);
}

TEST(FakeResource, ends_work_with_a_duration_one_after_the_other_on_the_clock) {
    const manual_clock time;
    const fake_resource printer{"printer", time};
    const fake_work first = printer.start(2s);
    const fake_work second = printer.start(1s);
    time.advance(2s);
    EXPECT_TRUE(first.is_ready() && !second.is_ready());
    time.advance(1s);
    EXPECT_TRUE(second.is_ready());
    EXPECT_EQ(time.now(), 3s);
}

TEST(FakeResource, follows_its_script) {
    const manual_clock time;
    const fake_resource printer{
        "printer",
        time,
        {works{}, fails{std::domain_error{"jam"}}, hangs{}, slows{50}, dies{device_lost{}}}};
    const fake_work sound = printer.start(1s);
    const fake_work jammed = printer.start(1s);
    const fake_work hanging = printer.start(1s);
    const fake_work slow = printer.start(1s);
    EXPECT_THROW(printer.start(1s), device_lost);
    EXPECT_THROW(printer.start(), device_lost);
    time.advance(2s);
    EXPECT_NO_THROW(sound.wait());
    EXPECT_THROW(jammed.wait(), std::domain_error);
    time.advance(49s);
    EXPECT_FALSE(slow.is_ready());
    time.advance(1000s);
    EXPECT_TRUE(slow.is_ready() && !hanging.is_ready());
    printer.finish();
    EXPECT_TRUE(hanging.is_ready());
    printer.revive();
    EXPECT_NO_THROW(printer.start());
}

TEST(FakeResource, refuses_what_it_cannot_do) {
    const auto made_with = [](fault step) { return [=] { fake_resource("printer", {step}); }; };
    EXPECT_THAT(made_with(works{0}), ThrowsMessage<invalid_option>(HasSubstr("count is 0")));
    EXPECT_THAT(made_with(slows{-1}), ThrowsMessage<invalid_option>(HasSubstr("factor is -1.0")));
    const fake_resource printer{"printer", {slows{2}}};
    EXPECT_THAT([&] { printer.start(1s); },
                ThrowsMessage<invalid_option>("printer has no clock: make it with a manual_clock"));
    EXPECT_THAT([&] { printer.start(); },
                ThrowsMessage<invalid_option>(HasSubstr("start it with a duration")));
    EXPECT_THAT([&] { printer.finish(); },
                ThrowsMessage<invalid_option>(HasSubstr("no outstanding work")));
    EXPECT_THAT([] { manual_clock{}.advance(-1s); },
                ThrowsMessage<invalid_option>(HasSubstr("advanced by -1000000000 ns")));
}

TEST(FakeResource, shows_what_a_program_does_when_a_device_dies) {
    const fake_resource fragile{"fragile", {works{1}, dies{device_lost{}}}};
    const fake_resource sound{"sound"};
    recovering_policy policy{round_robin_policy{{fragile, sound}},
                             {.failure = on_failure::fallback()},
                             {.failures = 1, .back_off = 1min}};
    std::vector<std::string> places;
    for (int i = 0; i < 4; ++i) {
        auto submission = policy.submit([](const fake_resource& r) { return r.start(); });
        places.push_back(submission.attempts().back().resource.name());
    }
    EXPECT_THAT(places, ElementsAre("fragile", "sound", "sound", "sound"));
    EXPECT_EQ(policy.health()[0].state, health_state::quarantined);
    fragile.finish();
    for (int i = 0; i < 3; ++i) {
        sound.finish();
    }
    policy.get_submission_group().wait();
}

TEST(FakeResource, teaches_policies_the_durations_on_its_clock) {
    const manual_clock time;
    const fake_resource slow{"slow", time};
    const fake_resource fast{"fast", time};
    auto_tune_policy policy{{slow, fast}};
    const auto work = [](const fake_resource& r) { return r.start(r.name() == "slow" ? 2s : 1s); };
    for (int i = 0; i < 20; ++i) {
        auto submission = policy.submit(work);
        time.advance(2s);
        submission.wait();
    }
    EXPECT_EQ(unwrap(policy.select(work)).name(), "fast");
}

}  // namespace
}  // namespace pointsman::test
