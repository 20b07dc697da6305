// SPDX-License-Identifier: Apache-2.0
// Promises 18 to 28, each against a mistake of other implementations of dynamic selection.
//
// Promise 19 is tested in allocation_test.cpp, 25 to 27 (devices) in opencl_promises_test.cpp.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "pointsman/dynamic_selection.hpp"
#include "support/every_policy.hpp"
#include "support/manual_work.hpp"
#include "support/on_threads.hpp"

/// An argument whose values all have one size class.
struct alike {
    int value;
};
template <>
struct pointsman::size_class<alike> {
    static std::uint8_t of(const alike&) noexcept { return 1; }
};

namespace pointsman::test {
namespace {

using namespace std::chrono_literals;
using std::chrono::microseconds;
using loads = std::vector<std::size_t>;

// 18
TEST(Promise, a_second_initialize_replaces_resources_and_state_in_one_step) {
    for (const int threads : thread_counts) {
        SCOPED_TRACE(std::to_string(threads) + " threads");
        fixed_resource_policy fixed{{10, 11}, 1};
        auto_tune_policy tuned{{10, 11}};
        std::atomic<bool> stop{false};
        std::atomic<int> wrong{0};
        const auto seen = [](int r) { return r; };
        std::jthread initializer{[&] {
            while (!stop) {
                fixed.initialize({20, 21, 22}, 2);
                tuned.initialize({20, 21, 22});
                fixed.initialize({10, 11}, 1);
                tuned.initialize({10, 11});
            }
        }};
        on_threads(threads, [&](int) {
            for (int i = 0; i < 2'000; ++i) {
                const int r = fixed.submit(seen).unwrap();
                wrong += r == 11 || r == 22 ? 0 : 1;
                const int s = tuned.submit(seen).unwrap();
                wrong += s / 10 == 1 || s / 10 == 2 ? 0 : 1;
            }
        });
        stop = true;
        initializer.join();
        EXPECT_EQ(wrong, 0);
        fixed.initialize({30}, 0);
        EXPECT_EQ(fixed.submit(seen).unwrap(), 30);
        EXPECT_EQ(tuned.loads(), (loads{0, 0}));
        for (const int best : {40, 52}) {  // nothing is known of other resources
            const int first = best / 10 * 10;
            tuned.initialize({first, first + 1, first + 2});
            std::map<int, int> chosen;
            for (int i = 0; i < 50; ++i) {
                ++chosen[tell(
                    tuned, [&](int r) { return microseconds{r == best ? 10 : 100}; }, seen)];
            }
            EXPECT_EQ(chosen[first + 1], 2);
            EXPECT_EQ(chosen[best], 46);
        }
    }
}

// 20
TEST(Promise, every_policy_serves_every_resource_on_the_default_backend) {
    struct device {
        std::string name;
    };
    device first{"first"};
    const auto check = [](auto p) {
        for (int i = 0; i < 20; ++i) {
            p.submit_and_wait([](const auto&) {
                polled_work work;
                work.succeed();
                return work;
            });
            EXPECT_EQ(p.submit([](auto r) { return sizeof r; }).unwrap(),
                      sizeof(typename decltype(p)::resource_type));
        }
    };
    on_every_policy(std::vector{1, 2}, check);
    on_every_policy(std::vector<std::string>{"a", "b"}, check);
    on_every_policy(std::vector{device{"a"}, device{"b"}}, check);
    on_every_policy(std::vector{&first, &first}, check);
    on_every_policy(std::vector{std::make_shared<device>()}, check);
}

// 21
TEST(Promise, passes_through_move_only_values_and_void_functions) {
    on_every_policy(std::vector{1, 2}, [](auto p) {
        auto s = p.submit([](int, std::unique_ptr<int> x) { return x; }, std::make_unique<int>(5));
        EXPECT_EQ(*s.unwrap(), 5);
        bool called = false;
        p.submit([&](int) { called = true; }).wait();
        EXPECT_TRUE(called);
        p.submit_and_wait([](int, std::unique_ptr<int>) {}, std::make_unique<int>(5));
    });
}

// 22
TEST(Promise, unwrap_returns_the_event_that_the_function_returned) {
    on_every_policy(std::vector{1, 2}, [](auto p) {
        calling_work event;
        auto s = p.submit([&](int) { return event; });
        EXPECT_EQ(unwrap(s).state, event.state);
        event.succeed();
        s.wait();
        EXPECT_TRUE(unwrap(s).state->is_ready());
    });
}

// 23
TEST(Promise, a_group_waits_for_its_own_submissions_and_not_for_whole_resources) {
    struct shared_queue {
        std::atomic<int>* waits;
        void wait() const { ++*waits; }
    };
    std::atomic<int> waits{0};
    calling_work foreign;
    const std::vector resources{shared_queue{&waits}};
    round_robin_policy other{resources};
    static_cast<void>(other.submit([&](const shared_queue&) { return foreign; }));
    on_every_policy(resources, [&](auto p) {
        calling_work own;
        static_cast<void>(p.submit([&](const shared_queue&) { return own; }));
        std::jthread ending{[&] { own.succeed(); }};
        p.get_submission_group().wait();
        EXPECT_TRUE(own.is_ready());
    });
    EXPECT_FALSE(foreign.is_ready());
    EXPECT_EQ(waits, 0);
    foreign.succeed();
}

/// Stores in its first resource how many kinds of reports the policy requested.
struct noting_backend : backend_base<std::size_t*> {
    template <class... ReportReqs>
    noting_backend(const std::vector<std::size_t*>& resources, identity, ReportReqs... reqs)
        : backend_base{resources, reqs...} {
        *resources.front() = sizeof...(ReportReqs);
    }

    template <class Selection, class F>
    auto submit(const Selection& selection, F&& f) {
        return default_submission{std::forward<F>(f)(unwrap(selection))};
    }
};

// 24
TEST(Promise, reporting_is_switched_on_for_one_backend_and_not_for_its_type) {
    constexpr std::size_t unset = 99;
    std::array requested{unset, unset, unset};
    fixed_resource_policy<std::size_t*, identity, noting_backend> before{
        std::vector{&requested[0]}};
    auto_tune_policy<std::size_t*, identity, noting_backend> tuned{std::vector{&requested[1]}};
    fixed_resource_policy<std::size_t*, identity, noting_backend> after{std::vector{&requested[2]}};
    EXPECT_EQ(requested, (std::array<std::size_t, 3>{0, 1, 0}));  // the time only
}

// 26
TEST(Promise, a_resource_that_fails_at_once_is_not_taken_for_a_fast_one) {
    auto_tune_policy p{{0, 1}};
    std::map<int, int> chosen;
    for (int i = 0; i < 100; ++i) {
        static_cast<void>(p.submit([&](int r) {
            ++chosen[r];
            calling_work work = r == 0 ? calling_work{} : ended_after(1s);
            r == 0 ? work.fail() : void();
            return work;
        }));
    }
    EXPECT_GE(chosen[0], 2);
    EXPECT_LE(chosen[0], 15);
}

// 28
TEST(Promise, treats_sizes_of_one_power_of_two_as_one_task_unless_told_otherwise) {
    auto_tune_policy p{{0, 1}};
    std::map<int, int> chosen;
    const auto task = [](int) {};
    const auto run = [&](const auto& argument) {
        ++chosen[tell(p, [](int r) { return microseconds{r == 0 ? 500 : 10}; }, task, argument)];
    };
    for (int size = 1024; size < 2048; ++size) {
        run(size);
    }
    EXPECT_EQ(chosen[0], 2);
    EXPECT_TRUE(p.estimates(task, 1'500)[1]);
    EXPECT_FALSE(p.estimates(task, 2'048)[1]) << "another class has its own times";
    chosen.clear();
    for (int value = 0; value < 2048; ++value) {
        run(alike{value});
    }
    EXPECT_LE(chosen[0], 2);
}

}  // namespace
}  // namespace pointsman::test
