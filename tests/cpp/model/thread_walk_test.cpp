// SPDX-License-Identifier: Apache-2.0
// Random operations from several threads on shared policies: each task runs once, and no task remains.
#include <gtest/gtest.h>

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <random>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "model/failing_allocation.hpp"
#include "model/recorded_task.hpp"
#include "model/run_length.hpp"
#include "pointsman/dynamic_selection.hpp"
#include "support/eventually.hpp"
#include "support/every_policy.hpp"
#include "support/on_threads.hpp"

namespace pointsman::test {
namespace {

/// Completes the work that it is given, on its own thread and in another order.
class finisher {
  public:
    void hand(manual_handle work, bool fails) {
        {
            const std::lock_guard lock{mutex_};
            given_.insert(given_.size() % 3 == 0 ? given_.begin() : given_.end(),
                          {std::move(work), fails});
        }
        more_.notify_one();
    }

  private:
    void run(const std::stop_token& stop) {
        std::unique_lock lock{mutex_};
        while (more_.wait(lock, stop, [this] { return !given_.empty(); })) {
            auto [work, fails] = std::move(given_.front());
            given_.pop_front();
            lock.unlock();
            fails ? work.fail() : work.succeed();
            lock.lock();
        }
    }

    std::mutex mutex_;
    std::condition_variable_any more_;
    std::deque<std::pair<manual_handle, bool>> given_;
    std::jthread thread_{[this](const std::stop_token& stop) { run(stop); }};
};

/// One thread's walk over policies shared by all threads.
template <class Kind>
class thread_walk {
    using policy = typename Kind::template policy<model_resource>;

  public:
    thread_walk(std::vector<policy> policies, std::uint64_t seed, finisher& other_thread)
        : policies_{std::move(policies)}, random_{seed}, other_thread_{&other_thread} {}

    void step() {
        policy& p = policies_[chance(policies_.size())];
        switch (chance(16)) {
            case 0:
                policy{p}.initialize(reference_set{0, 1 + chance(4)}.resources());
                break;
            case 1:
                p.get_submission_group().wait();
                break;
            case 2:
                drop_or_use(policy{p}.select(recorded_value{nullptr}));
                break;
            case 3:
                std::swap(p, policies_[chance(policies_.size())]);
                break;
            case 4:
                submit_limited(p);
                break;
            case 5:
            case 6:
            case 7:
                submit_work<calling_work>(p);
                break;
            case 8:
            case 9:
                submit_work<polled_work>(p);
                break;
            case 10:
            case 11:
                submit_work<waited_work>(p);
                break;
            default:
                submit_value(p, [&p](auto f) { static_cast<void>(p.submit(f)); });
        }
    }

  private:
    std::size_t chance(std::size_t below) {
        return std::uniform_int_distribution<std::size_t>{0, below - 1}(random_);
    }
    std::unique_ptr<failing_allocation> fail_now_and_then() {
        return chance(16) == 0 ? std::make_unique<failing_allocation>(chance(6)) : nullptr;
    }

    /// Calls `submit(f)`; the task runs once, or not at all if `submit` refuses it.
    template <class Submit>
    void submit_value(policy&, Submit submit) {
        task_record record;
        record.fails = chance(4) == 0;
        try {
            submit(recorded_value{&record});
            EXPECT_FALSE(record.fails);
            EXPECT_EQ(record.calls, 1);
        } catch (const recorded_value::its_own_error&) {
            EXPECT_EQ(record.calls, 1);
        } catch (const std::runtime_error&) {  // no resource in time
            EXPECT_EQ(record.calls, 0);
        }
    }
    void submit_limited(policy& p) {
        submit_value(p, [&](auto f) {
            const auto limit = std::chrono::microseconds{chance(50)};
            static_cast<void>(p.submit(submit_options{.timeout = limit}, f));
        });
    }
    void drop_or_use(auto chosen) {
        if (chance(2) == 0) {
            submit_value(policies_.front(),
                         [&](auto f) { static_cast<void>(pointsman::submit(chosen, f)); });
        }
    }

    /// Half of the work may complete as soon as the function begins, the other half only after `submit`.
    template <class Work>
    void submit_work(policy& p) {
        task_record record;
        record.fails = chance(4) == 0;
        const bool ends_early = chance(2) == 0;
        const recorded_task<Work> task{&record, {}};
        const auto begin = [&](const model_resource& where) {
            const Work work = task(where);
            if (ends_early) {
                other_thread_->hand(task.handle, record.fails);
            }
            return work;
        };
        try {
            std::optional<decltype(p.submit(begin))> submission;
            {
                const auto failure = fail_now_and_then();
                submission.emplace(p.submit(begin));
            }
            EXPECT_EQ(record.calls, 1);
            if (!ends_early) {
                other_thread_->hand(task.handle, record.fails);
            }
            if (chance(3) != 0) {
                submission->wait();
                EXPECT_FALSE(record.fails);
                EXPECT_TRUE(submission->is_ready());
            }
        } catch (const std::bad_alloc&) {
            EXPECT_LE(record.calls, 1);
            other_thread_->hand(task.handle, record.fails);
        } catch (const std::runtime_error&) {
            EXPECT_TRUE(record.fails);
        }
    }

    std::vector<policy> policies_;
    std::mt19937_64 random_;
    finisher* other_thread_;
};

template <class Kind>
struct ThreadWalk : ::testing::Test {};
TYPED_TEST_SUITE(ThreadWalk, policy_kinds, kind_names);

TYPED_TEST(ThreadWalk, runs_each_task_once_and_leaves_nothing_outstanding) {
    using policy = typename TypeParam::template policy<model_resource>;
    const std::uint64_t seed = run_seed();
    SCOPED_TRACE(seed_message(seed));
    constexpr int threads = 4;
    {
        std::vector<policy> policies;
        for (int i = 0; i < 3; ++i) {
            policies.push_back(TypeParam::over(reference_set{0, 3}.resources()));
        }
        finisher other_thread;
        on_threads(threads, [&](int thread) {
            thread_walk<TypeParam> walk{policies, seed + static_cast<std::uint64_t>(thread),
                                        other_thread};
            for (std::uint64_t i = 0; i < run_length() / threads; ++i) {
                walk.step();
            }
        });
        for (policy& p : policies) {
            p.get_submission_group().wait();
            if constexpr (requires { p.loads(); }) {
                EXPECT_EQ(p.loads(), std::vector<std::size_t>(p.get_resources().size()));
            }
        }
    }
    EXPECT_TRUE(eventually([] { return model_resource::alive() == 0; }))
        << model_resource::alive() << " resources outlived their policies";
}

}  // namespace
}  // namespace pointsman::test
