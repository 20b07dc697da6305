// SPDX-License-Identifier: Apache-2.0
// Promises 10 to 17, each against a mistake of other implementations of dynamic selection.
#include <gtest/gtest.h>

#include <atomic>
#include <barrier>
#include <chrono>
#include <functional>
#include <map>
#include <mutex>
#include <numeric>
#include <optional>
#include <set>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "pointsman/dynamic_selection.hpp"
#include "support/eventually.hpp"
#include "support/every_policy.hpp"
#include "support/manual_work.hpp"
#include "support/message_of.hpp"
#include "support/on_threads.hpp"

namespace pointsman::test {
namespace {

using namespace std::chrono_literals;
using std::chrono::microseconds;
using std::chrono::nanoseconds;
using std::chrono::seconds;
using loads = std::vector<std::size_t>;

calling_work slower_on_0(int r) { return ended_after(seconds{r == 0 ? 700 : 1}); }

// 10
TEST(Promise, tunes_plain_functions_and_const_callables) {
    auto_tune_policy p{{0, 1}};
    const std::function<calling_work(int)> callable = slower_on_0;
    for (int i = 0; i < 4; ++i) {
        static_cast<void>(p.submit(slower_on_0));
        static_cast<void>(p.submit(callable));
    }
    EXPECT_EQ(p.select(&slower_on_0).unwrap(), 1);
    EXPECT_EQ(p.select(callable).unwrap(), 1);
}

// 11
TEST(Promise, an_exception_while_profiling_uses_up_no_sample) {
    auto_tune_policy p{{0, 1}};
    int attempts_on_0 = 0;
    std::map<int, int> chosen;
    for (int i = 0; i < 100; ++i) {
        try {
            static_cast<void>(p.submit([&](int r) {
                if (r == 0 && ++attempts_on_0 <= 2) {
                    throw std::runtime_error{"not yet"};
                }
                ++chosen[r];
                return ended_after(seconds{r == 0 ? 10 : 80});
            }));
        } catch (const std::runtime_error&) {
        }
    }
    EXPECT_GE(chosen[0], 85);
    EXPECT_EQ(p.loads(), (loads{0, 0}));
}

// 12
TEST(Promise, spreads_a_burst_before_any_completion) {
    on_every_counting_policy(std::vector{0, 1, 2, 3}, [](auto p) {
        std::vector<calling_work> work(40);
        for (auto& w : work) {
            static_cast<void>(p.submit([&](int) { return w; }));
        }
        EXPECT_EQ(p.loads(), (loads{10, 10, 10, 10}));
        for (auto& w : work) {
            w.succeed();
        }
        EXPECT_EQ(p.loads(), (loads{0, 0, 0, 0}));
    });
}

// 13
TEST(Promise, many_threads_learn_the_best_resource_together) {
    const auto task = [](int) {};
    const auto cost = [](int r) { return microseconds{r}; };
    for (const int threads : thread_counts) {
        SCOPED_TRACE(std::to_string(threads) + " threads");
        auto_tune_policy settling{{30, 10, 20}};
        auto_tune_policy<int> unsettled{std::vector{30, 10, 20}, nanoseconds{1}};
        std::mutex one_at_a_time;  // the tasks follow each other, as their invented times say
        on_threads(threads, [&](int) {
            for (int i = 0; i < 500; ++i) {
                {
                    const std::lock_guard lock{one_at_a_time};
                    tell(settling, cost, task);
                }
                tell(unsettled, cost, task);
            }
        });
        int on_the_best = 0;  // now and then another is measured again
        for (int i = 0; i < 50; ++i) {
            on_the_best += tell(settling, cost, task) == 10 ? 1 : 0;
        }
        EXPECT_GE(on_the_best, 40);
        EXPECT_EQ(settling.loads(), (loads{0, 0, 0}));
        EXPECT_EQ(unsettled.loads(), (loads{0, 0, 0}));
    }
}

// 14
TEST(Promise, simultaneous_submitters_never_take_the_same_idle_resource) {
    for (const int threads : thread_counts) {
        std::vector<int> resources(static_cast<std::size_t>(threads));
        std::iota(resources.begin(), resources.end(), 0);
        for (int round = 0; round < 100; ++round) {
            dynamic_load_policy<int> p{resources};
            std::vector<int> chosen(resources.size());
            std::barrier all_chosen{threads};
            on_threads(threads, [&](int i) {
                const auto selection = p.select();
                chosen[static_cast<std::size_t>(i)] = selection.unwrap();
                all_chosen.arrive_and_wait();
            });
            EXPECT_EQ(std::set(chosen.begin(), chosen.end()).size(), resources.size())
                << threads << " threads, round " << round;
        }
    }
}

// 15
TEST(Promise, rotates_among_equals_and_weighs_work_by_its_predicted_time) {
    on_every_counting_policy(std::vector{0, 1, 2}, [](auto p) {
        std::vector<calling_work> outstanding(9);
        std::vector<int> chosen;
        for (auto& work : outstanding) {
            static_cast<void>(p.submit([&](int r) {
                chosen.push_back(r);
                return work;
            }));
        }
        EXPECT_EQ(chosen, (std::vector{0, 1, 2, 0, 1, 2, 0, 1, 2}));
        for (auto& work : outstanding) {
            work.succeed();
        }
    });
    dynamic_load_policy idle{{0, 1, 2}};
    std::map<int, int> chosen;
    for (int i = 0; i < 30; ++i) {
        ++chosen[idle.submit([](int r) { return r; }).unwrap()];
    }
    EXPECT_EQ(chosen, (std::map<int, int>{{0, 10}, {1, 10}, {2, 10}}));

    earliest_finish_policy weighing{{0, 1}};
    const auto large = [](int) { return ended_after(10'000s); };
    const auto small = [](int) { return ended_after(10s); };
    for (int i = 0; i < 4; ++i) {
        static_cast<void>(weighing.submit(large));
        static_cast<void>(weighing.submit(small));
    }
    const auto busy = weighing.select(large);
    std::vector<decltype(weighing.select(small))> many;
    for (int i = 0; i < 5; ++i) {
        many.push_back(weighing.select(small));
        EXPECT_NE(many.back().unwrap(), busy.unwrap());
    }
}

// 16
TEST(Promise, refuses_an_empty_set_and_an_invalid_index_at_construction) {
    on_every_kind(
        [](auto kind) { EXPECT_THROW(kind.over(std::vector<int>{}), std::invalid_argument); });
    const std::string outside = "resource index 7 is outside a set of 2: pass an index from 0 to 1";
    using std::out_of_range;
    EXPECT_EQ(message_of<out_of_range>([] { fixed_resource_policy p{{1, 2}, 7}; }), outside);
    EXPECT_EQ(message_of<out_of_range>([] { round_robin_policy p{{1, 2}, 7}; }), outside);
    EXPECT_EQ(message_of<out_of_range>([] { dynamic_load_policy p{{1, 2}, 7}; }), outside);
}

/// Has one resource, which takes one submission at a time.
class single_slot_policy
    : public policy_base<single_slot_policy, identity, default_backend<int>,
                         execution_info::task_submission_t, execution_info::task_completion_t> {
  public:
    using selection_type = state_selection;
    explicit single_slot_policy(deferred_initialization_t) {}
    explicit single_slot_policy(std::atomic<int>& attempts) {
        initialize(std::vector{7}, &attempts);
    }

    class state_type {
      public:
        static constexpr bool notifies_always = true;  // a lost one would block for an hour
        state_type(const std::vector<int>&, std::atomic<int>* attempts) : attempts_{attempts} {}
        struct choice {
            std::size_t index;
        };
        template <class... Task>
        std::optional<choice> choose(std::size_t, const Task&...) {
            ++*attempts_;
            return taken_.exchange(true) ? std::nullopt : std::optional{choice{0}};
        }
        void add(const choice&) {}
        void give_back(const choice&) { taken_ = false; }

      private:
        std::atomic<int>* attempts_;
        std::atomic<bool> taken_{false};
    };
};

// 17
TEST(Promise, a_submit_without_a_resource_ends_by_timeout_stop_or_notification) {
    std::atomic<int> attempts{0};
    single_slot_policy p{attempts};
    calling_work work;
    static_cast<void>(p.submit([&](int) { return work; }));
    const auto f = [](int r) { return r; };
    EXPECT_FALSE(p.try_submit(f).has_value());
    EXPECT_THROW(p.submit(submit_options{.timeout = 1ms}, f), submit_timeout);
    std::stop_source source;
    attempts = 0;
    std::jthread stopper{[&] {
        EXPECT_TRUE(eventually([&] { return attempts > 1; }));
        source.request_stop();
    }};
    EXPECT_THROW(p.submit(submit_options{.stop = source.get_token()}, f), submit_stopped);
    stopper.join();
    const auto expect_wake_up = [&](auto free) {
        attempts = 0;
        std::jthread freeing{[&] {
            EXPECT_TRUE(eventually([&] { return attempts > 1; }));  // submit now waits
            free();
        }};
        EXPECT_EQ(p.submit(f).unwrap(), 7);
    };
    expect_wake_up([&] { work.succeed(); });
    std::optional held{p.select(f)};
    expect_wake_up([&] { held.reset(); });
    const auto reported = p.select(f);
    expect_wake_up([&] { report(reported, execution_info::task_completion); });
    const auto of_the_old_set = p.select(f);
    expect_wake_up([&] { p.initialize(std::vector{7}, &attempts); });
}

}  // namespace
}  // namespace pointsman::test
