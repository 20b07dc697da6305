// SPDX-License-Identifier: Apache-2.0
// Submits from 16 threads, with some functions that throw, while another thread reinitialises the policy.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <random>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "pointsman/dynamic_selection.hpp"
#include "support/counted.hpp"
#include "support/eventually.hpp"
#include "support/every_policy.hpp"
#include "support/manual_work.hpp"
#include "support/on_threads.hpp"

namespace pointsman::test {
namespace {

struct counted_resource : counted<counted_resource> {};
struct heard_work : calling_work, counted<heard_work> {};
struct asked_work : polled_work, counted<asked_work> {};
struct i_threw {};

/// Completes work handed to it, with success or failure, on its own thread.
class finisher {
  public:
    void hand(manual_handle work, bool well) {
        {
            std::lock_guard lock{mutex_};
            given_.emplace_back(std::move(work), well);
        }
        more_.notify_one();
    }

  private:
    void run(const std::stop_token& stop) {
        std::unique_lock lock{mutex_};
        while (more_.wait(lock, stop, [this] { return !given_.empty(); })) {
            auto [work, well] = std::move(given_.front());
            given_.pop_front();
            lock.unlock();
            well ? work.succeed() : work.fail();
            lock.lock();
        }
    }

    std::mutex mutex_;
    std::condition_variable_any more_;
    std::deque<std::pair<manual_handle, bool>> given_;
    std::jthread thread_{[this](const std::stop_token& stop) { run(stop); }};
};

/// Submits, at random, values, void functions, exceptions, work that calls back and polled work.
template <class Policy>
class submitter {
  public:
    submitter(Policy policy, unsigned seed, finisher& other_thread)
        : policy_{std::move(policy)}, random_{seed}, other_thread_{&other_thread} {}

    /// Makes one submission, which counts its calls in `calls`.
    void submit(std::atomic<std::uint8_t>& calls) {
        const unsigned chance = random_() % 100;
        if (chance < 10) {
            EXPECT_THROW(
                policy_.submit([&](const counted_resource&) -> int { throw(++calls, i_threw{}); }),
                i_threw);
        } else if (chance < 50) {
            EXPECT_EQ(policy_.submit([&](const counted_resource&, int x) { return ++calls, x; }, 7)
                          .unwrap(),
                      7);
        } else if (chance < 96) {
            policy_.submit([&](const counted_resource&) { ++calls; });
        } else if (chance < 98) {
            submit_work<heard_work>(calls);
        } else {
            submit_work<asked_work>(calls);
        }
    }

  private:
    template <class Work>
    void submit_work(std::atomic<std::uint8_t>& calls) {
        const bool well = random_() % 8 != 0;
        auto submission = policy_.submit([&](const counted_resource&) {
            ++calls;
            Work work;
            other_thread_->hand(work, well);
            return work;
        });
        if (random_() % 8 != 0) {
            return;  // and drop it
        }
        try {
            submission.wait();
            EXPECT_TRUE(well);
        } catch (const std::runtime_error&) {
            EXPECT_FALSE(well);
        }
    }

    Policy policy_;
    std::minstd_rand random_;
    finisher* other_thread_;
};

#ifdef __SANITIZE_ADDRESS__  // races are looked for by ThreadSanitizer
constexpr int submissions = 200'000;
#else
constexpr int submissions = 1'000'000;
#endif
constexpr int threads = 16;
constexpr int share = submissions / threads;

/// Runs all submissions, and a thread that reinitialises the policy for most of that time.
template <class Policy>
void submit_all(Policy& p, unsigned seed, std::vector<std::atomic<std::uint8_t>>& calls) {
    constexpr int step = 2'500;
    std::atomic<int> made{0};
    std::jthread initializer{[&] {
        for (int seen = 0; seen < submissions / 4 * 3; seen = made) {
            made.wait(seen);
            p.initialize(std::vector<counted_resource>(4));
        }
    }};
    finisher other_thread;
    on_threads(threads, [&](int thread) {
        submitter<Policy> mine{p, seed + static_cast<unsigned>(thread), other_thread};
        for (int i = 0; i < share; ++i) {
            mine.submit(calls[static_cast<std::size_t>(thread * share + i)]);
            if ((i + 1) % step == 0) {
                made += step;
                made.notify_one();
            }
        }
    });
    p.get_submission_group().wait();
}

template <class Kind>
struct Stress : ::testing::Test {};
TYPED_TEST_SUITE(Stress, policy_kinds, kind_names);

TYPED_TEST(Stress, all_submissions_are_called_once_and_leave_nothing_behind) {
    const unsigned seed = std::random_device{}();
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::vector<std::atomic<std::uint8_t>> calls(submissions);
    {
        typename TypeParam::template policy<counted_resource> p{std::vector<counted_resource>(4)};
        submit_all(p, seed, calls);
        if constexpr (requires { p.loads(); }) {
            EXPECT_EQ(p.loads(), std::vector<std::size_t>(4));
        }
    }
    EXPECT_TRUE(std::ranges::all_of(calls, [](const auto& n) { return n == 1; }));
    EXPECT_EQ(counted_resource::alive(), 0);
    EXPECT_TRUE(eventually([] { return heard_work::alive() == 0 && asked_work::alive() == 0; }))
        << heard_work::alive() << " and " << asked_work::alive() << " tasks are alive";
}

}  // namespace
}  // namespace pointsman::test
