// SPDX-License-Identifier: Apache-2.0
// Work for which a resource had no memory waits for other work there to end.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <utility>
#include <vector>

#include "pointsman/dynamic_selection.hpp"
#include "pointsman/recovery/recovering_policy.hpp"
#include "pointsman/testing/fake_resource.hpp"
#include "pointsman/testing/manual_clock.hpp"
#include "support/eventually.hpp"
#include "support/printer_lost.hpp"

namespace pointsman::test {
namespace {

using std::chrono::milliseconds;
using testing::fails;
using testing::fake_resource;
using testing::manual_clock;

struct no_memory : std::runtime_error, out_of_memory {
    no_memory() : std::runtime_error{"a buffer of 2 GB"} {}
};

/// Whether the function throws, or the work that it has started fails.
enum class how { at_once, later };

/// Finds no memory in its first calls.
class hungry {
  public:
    hungry(how when, int failures) : when_{when}, failures_{failures} {}

    testing::fake_work operator()(const fake_resource& r) const {
        const int call = ++*calls_;
        if (call > failures_) {
            return r.start();
        }
        if (when_ == how::at_once) {
            throw no_memory{};
        }
        return fake_resource{"its memory", {fails{no_memory{}}}}.start();
    }
    [[nodiscard]] int calls() const { return *calls_; }

  private:
    how when_;
    int failures_;
    std::shared_ptr<std::atomic<int>> calls_ = std::make_shared<std::atomic<int>>(0);
};

const auto occupy = [](const fake_resource& r) { return r.start(); };

/// Two kinds of policies: one counts its loads, of the other the options count what they follow.
template <class Policy>
struct MemoryWait : ::testing::Test {
    static auto retrying(std::vector<fake_resource> resources, std::uint32_t times) {
        return recovering_policy{Policy{std::move(resources)},
                                 {.failure = on_failure::retry(times)}};
    }
    /// Waits until work on an idle resource has run out of memory and been retried four times.
    static void let_it_look() {
        const fake_resource other{"other"};
        auto submission = retrying({other}, 4).submit(hungry{how::at_once, 4});
        EXPECT_TRUE(eventually([&] { return other.outstanding() == 1; }));
        other.finish();
        submission.wait();
    }
    fake_resource gpu{"gpu"};
};
using memory_policies =
    ::testing::Types<dynamic_load_policy<fake_resource>, round_robin_policy<fake_resource>>;
TYPED_TEST_SUITE(MemoryWait, memory_policies);

TYPED_TEST(MemoryWait, ends_when_other_work_on_the_resource_has_ended) {
    for (const how when : {how::at_once, how::later}) {
        auto p = this->retrying({this->gpu}, 1);
        auto first = p.submit(occupy);
        auto second = p.submit(occupy);
        const hungry work{when, 1};
        auto submission = p.submit(work);
        this->let_it_look();
        EXPECT_EQ(work.calls(), 1);
        this->gpu.finish();
        first.wait();
        EXPECT_TRUE(eventually([&] { return this->gpu.outstanding() == 2; }));
        EXPECT_FALSE(second.is_ready());
        this->gpu.finish();
        this->gpu.finish();
        submission.wait();
        const auto attempts = submission.attempts();
        ASSERT_EQ(attempts.size(), 2U);
        EXPECT_TRUE(is_out_of_memory(attempts[0].error));
        EXPECT_EQ(attempts[1].error, nullptr);
        EXPECT_EQ(p.health()[0].state, health_state::healthy);
        EXPECT_EQ(p.health()[0].failures_in_a_row, 0U);
    }
}

TYPED_TEST(MemoryWait, ends_at_once_where_nothing_else_runs) {
    for (const how when : {how::at_once, how::later}) {
        auto p = this->retrying({this->gpu}, 3);
        auto submission = p.submit(hungry{when, 3});
        EXPECT_TRUE(eventually([&] { return this->gpu.outstanding() == 1; }));
        this->gpu.finish();
        submission.wait();
        auto hopeless = p.submit(hungry{when, 4});
        EXPECT_THROW(hopeless.wait(), no_memory);
        EXPECT_EQ(hopeless.attempts().size(), 4U);
    }
}

TYPED_TEST(MemoryWait, is_not_ended_by_other_work_that_finds_no_memory) {
    auto p = this->retrying({this->gpu}, 1);
    auto busy = p.submit(occupy);
    const hungry work{how::later, 1};
    auto submission = p.submit(work);
    auto unlucky = p.with({.max_outstanding = 8}).submit(hungry{how::later, 1});
    EXPECT_THROW(unlucky.wait(), no_memory);
    this->let_it_look();
    EXPECT_EQ(work.calls(), 1);
    this->gpu.finish();
    EXPECT_TRUE(eventually([&] { return this->gpu.outstanding() == 1; }));
    this->gpu.finish();
    submission.wait();
}

TYPED_TEST(MemoryWait, is_ended_by_other_work_that_fails) {
    auto p = this->retrying({this->gpu}, 1);
    auto first = p.submit(occupy);
    auto second = p.submit(occupy);
    const hungry work{how::at_once, 1};
    auto submission = p.submit(work);
    this->gpu.fail(printer_lost{"out of paper"});
    EXPECT_TRUE(eventually([&] { return work.calls() == 2; }));
    EXPECT_TRUE(eventually([&] { return this->gpu.outstanding() == 3; }));
    for (int i = 0; i < 3; ++i) {
        this->gpu.finish();
    }
    submission.wait();
}

TYPED_TEST(MemoryWait, is_ended_by_a_stop) {
    for (const how when : {how::at_once, how::later}) {
        auto p = this->retrying({this->gpu}, 1);
        auto busy = p.submit(occupy);
        const hungry work{when, 1};
        auto submission = p.submit(work);
        this->let_it_look();
        submission.request_stop();
        EXPECT_THROW(submission.wait(), work_cancelled);
        this->gpu.finish();
        p.get_submission_group().wait();
        EXPECT_EQ(work.calls(), 1);
    }
}

TYPED_TEST(MemoryWait, is_over_before_functions_are_told_of_the_stop) {
    auto p = this->retrying({this->gpu}, 1);
    auto busy = p.submit(occupy);
    std::optional<std::stop_callback<std::function<void()>>> on_stop;
    std::function<bool()> is_over;
    bool was_over = false;
    const auto find_none = [&](const fake_resource&,
                               const std::stop_token& stop) -> testing::fake_work {
        on_stop.emplace(stop, [&] {
            this->let_it_look();
            was_over = is_over();
        });
        throw no_memory{};
    };
    auto submission = p.submit(find_none);
    is_over = [&] { return submission.is_ready(); };
    submission.request_stop();
    EXPECT_TRUE(was_over);
    EXPECT_THROW(submission.wait(), work_cancelled);
    this->gpu.finish();
}

TYPED_TEST(MemoryWait, is_not_part_of_a_fallback) {
    for (const how when : {how::at_once, how::later}) {
        const fake_resource cpu{"cpu"};
        auto p = this->retrying({this->gpu, cpu}, 1).with({.failure = on_failure::fallback()});
        auto first = p.submit(occupy);
        auto second = p.submit(occupy);
        const hungry work{when, 1};
        auto submission = p.submit(work);
        EXPECT_TRUE(eventually([&] { return cpu.outstanding() + this->gpu.outstanding() == 3; }));
        while (cpu.outstanding() + this->gpu.outstanding() > 0) {
            (cpu.outstanding() > 0 ? cpu : this->gpu).finish();
        }
        submission.wait();
        const auto attempts = submission.attempts();
        EXPECT_NE(attempts.at(0).resource, attempts.at(1).resource);
    }
}

TYPED_TEST(MemoryWait, is_not_part_of_work_that_runs_once) {
    auto p = this->retrying({this->gpu}, 1).with({});
    EXPECT_THROW(p.submit(hungry{how::at_once, 1}), no_memory);
    auto submission = p.submit(hungry{how::later, 1});
    EXPECT_THROW(submission.wait(), no_memory);
    EXPECT_EQ(p.health()[0].failures_in_a_row, 0U);
}

TYPED_TEST(MemoryWait, lasts_until_work_on_a_manual_clock_has_ended) {
    manual_clock time;
    const fake_resource slow{"slow", time};
    auto p = this->retrying({slow}, 1);
    auto busy = p.submit([](const fake_resource& r) { return r.start(milliseconds{10}); });
    const hungry work{how::at_once, 1};
    auto submission = p.submit(work);
    time.advance(milliseconds{9});
    this->let_it_look();
    EXPECT_EQ(work.calls(), 1);
    time.advance(milliseconds{1});
    EXPECT_TRUE(eventually([&] { return slow.outstanding() == 1; }));
    slow.finish();
    submission.wait();
}

TEST(MemoryWaitForPlainWork, ends_with_it_on_a_policy_that_counts_loads) {
    const fake_resource gpu{"gpu"};
    recovering_policy plain{dynamic_load_policy{{gpu}}};
    auto first = plain.submit(occupy);
    auto second = plain.submit(occupy);
    const hungry work{how::at_once, 1};
    auto submission = plain.with({.failure = on_failure::retry(1)}).submit(work);
    gpu.finish();
    auto newer = plain.submit(occupy);
    EXPECT_TRUE(eventually([&] { return work.calls() == 2; }));
    EXPECT_TRUE(eventually([&] { return gpu.outstanding() == 3; }));
    for (int i = 0; i < 3; ++i) {
        gpu.finish();
    }
    submission.wait();
}

TEST(MemoryWaitWhereResourcesWereReplaced, ends) {
    const fake_resource gpu{"gpu"};
    const fake_resource newer{"newer"};
    dynamic_load_policy inner{std::vector{gpu}};
    recovering_policy p{inner, {.failure = on_failure::retry(1)}};
    auto busy = p.submit(occupy);
    auto submission = p.submit(hungry{how::at_once, 1});
    inner.initialize({newer});
    EXPECT_TRUE(eventually([&] { return newer.outstanding() == 1; }));
    newer.finish();
    submission.wait();
    EXPECT_EQ(submission.attempts().back().resource, newer);
    gpu.finish();
    busy.wait();
}

TEST(IsOutOfMemory, asks_the_exception) {
    struct perhaps : std::runtime_error, out_of_memory {
        perhaps() : std::runtime_error{""} {}
        [[nodiscard]] bool is_out_of_memory() const noexcept override { return false; }
    };
    EXPECT_TRUE(is_out_of_memory(std::make_exception_ptr(no_memory{})));
    EXPECT_FALSE(is_out_of_memory(std::make_exception_ptr(perhaps{})));
    EXPECT_FALSE(is_out_of_memory(std::make_exception_ptr(std::bad_alloc{})));
    EXPECT_FALSE(is_resource_failure(std::make_exception_ptr(no_memory{})));
}

}  // namespace
}  // namespace pointsman::test
