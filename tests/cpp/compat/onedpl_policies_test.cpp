// SPDX-License-Identifier: Apache-2.0
// Programs written for oneDPL's policies compile and behave the same with the drop-in.
#include <oneapi/dpl/dynamic_selection>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <future>
#include <stdexcept>
#include <thread>
#include <type_traits>
#include <vector>

#include "return_resource.hpp"

namespace {

namespace ex = oneapi::dpl::experimental;

template <class Policy>
class OneDplPolicy : public testing::Test {};

using policies = testing::Types<ex::fixed_resource_policy<int>, ex::round_robin_policy<int>,
                                ex::dynamic_load_policy<int>, ex::auto_tune_policy<int>>;
TYPED_TEST_SUITE(OneDplPolicy, policies);

TYPED_TEST(OneDplPolicy, names_its_resource_and_backend) {
    static_assert(std::is_same_v<ex::resource_t<TypeParam>, int>);
    static_assert(std::is_same_v<ex::backend_t<TypeParam>, ex::default_backend<int>>);
    static_assert(!ex::has_wait_type_v<TypeParam>);
    static_assert(std::is_void_v<ex::wait_t<TypeParam>>);
    static_assert(!ex::backend_traits<ex::backend_t<TypeParam>>::lazy_report_v);
}

TYPED_TEST(OneDplPolicy, returns_its_resources) {
    TypeParam policy{std::vector<int>{4, 5}};
    EXPECT_EQ(ex::get_resources(policy), (std::vector<int>{4, 5}));
    EXPECT_EQ(policy.get_resources(), (std::vector<int>{4, 5}));
}

TYPED_TEST(OneDplPolicy, submits_to_one_of_its_resources_in_each_way) {
    TypeParam policy{std::vector<int>{7}};
    auto done = ex::submit(policy, return_resource);
    ex::wait(done);
    EXPECT_EQ(ex::unwrap(done), 7);
    auto tried = ex::try_submit(policy, return_resource);
    ASSERT_TRUE(tried.has_value());
    EXPECT_EQ(ex::unwrap(tried.value()), 7);
    int seen = 0;
    ex::submit_and_wait(policy, [&](int resource, int more) { seen = resource + more; }, 3);
    EXPECT_EQ(seen, 10);
}

TYPED_TEST(OneDplPolicy, submits_to_a_selection) {
    TypeParam policy{std::vector<int>{7}};
    auto selection = ex::select(policy, return_resource);
    EXPECT_EQ(ex::unwrap(selection), 7);
    EXPECT_EQ(selection.get_policy().get_resources(), policy.get_resources());
    auto done = ex::submit(selection, return_resource);
    ex::wait(done);
    EXPECT_EQ(ex::unwrap(done), 7);
    ex::submit_and_wait(selection, return_resource);
}

TYPED_TEST(OneDplPolicy, waits_for_the_group_of_all_its_submissions) {
    TypeParam policy{std::vector<int>{1, 2}};
    std::promise<void> promise;
    auto shared = promise.get_future().share();
    for (int i = 0; i < 4; ++i) {
        ex::submit(policy, [&](int) { return shared; });
    }
    auto all = std::async(std::launch::async, [&] { ex::wait(ex::get_submission_group(policy)); });
    promise.set_value();
    all.get();
    EXPECT_EQ(shared.wait_for(std::chrono::seconds{0}), std::future_status::ready);
}

TYPED_TEST(OneDplPolicy, cannot_be_used_before_a_deferred_initialisation) {
    TypeParam policy{ex::deferred_initialization};
    EXPECT_THROW(ex::submit(policy, return_resource), std::logic_error);
    EXPECT_THROW(ex::get_resources(policy), std::logic_error);
    EXPECT_THROW(ex::get_submission_group(policy), std::logic_error);
    policy.initialize({3});
    EXPECT_EQ(ex::unwrap(ex::submit(policy, return_resource)), 3);
}

TYPED_TEST(OneDplPolicy, passes_a_copy_of_its_resource_to_the_function) {
    TypeParam policy{std::vector<int>{3}};
    ex::submit_and_wait(policy, [](auto&& resource) { return ++resource; });
    EXPECT_EQ(ex::get_resources(policy), std::vector<int>{3});
}

TYPED_TEST(OneDplPolicy, accepts_submissions_from_many_threads) {
    TypeParam policy{std::vector<int>{1, 2, 3}};
    std::atomic<int> calls = 0;
    auto count = [&](int) { ++calls; };
    std::vector<std::thread> threads;
    for (int i = 0; i < 7; ++i) {
        threads.emplace_back([&, copy = policy]() mutable {
            for (int n = 0; n < 50; ++n) {
                ex::submit_and_wait(n % 2 == 0 ? policy : copy, count);
            }
        });
    }
    for (auto& thread : threads) {
        thread.join();
    }
    EXPECT_EQ(calls, 350);
}

TEST(OneDplFixedResource, stays_at_its_offset) {
    ex::fixed_resource_policy policy{{10, 11, 12}, 1};
    EXPECT_EQ(ex::unwrap(ex::submit(policy, return_resource)), 11);
    EXPECT_EQ(ex::unwrap(ex::submit(policy, return_resource)), 11);
}

TEST(OneDplRoundRobin, shares_its_rotation_only_with_its_copies) {
    ex::round_robin_policy first{{10, 11}};
    ex::round_robin_policy second{{10, 11}};
    ex::round_robin_policy copy = second;
    EXPECT_EQ(ex::unwrap(ex::submit(first, return_resource)), 10);
    EXPECT_EQ(ex::unwrap(ex::submit(second, return_resource)), 10);
    EXPECT_EQ(ex::unwrap(ex::submit(copy, return_resource)), 11);
    EXPECT_EQ(ex::unwrap(ex::submit(second, return_resource)), 10);
}

TEST(OneDplRoundRobin, passes_an_adapted_resource_unadapted_to_the_function) {
    int one = 1;
    int two = 2;
    auto adapter = [](int* resource) -> int& { return *resource; };
    std::vector<int*> resources{&one, &two};
    ex::round_robin_policy<int*, decltype(adapter)> policy{resources, adapter};
    ex::round_robin_policy deduced{{&one, &two}, adapter, 1};
    EXPECT_EQ(ex::unwrap(ex::submit(policy, [](int* resource) { return *resource; })), 1);
    EXPECT_EQ(ex::unwrap(ex::submit(deduced, [](int* resource) { return *resource; })), 2);
}

TEST(OneDplDynamicLoad, avoids_the_resource_with_outstanding_work) {
    ex::dynamic_load_policy policy{{0, 1}};
    std::promise<void> promise;
    auto shared = promise.get_future().share();
    int busy = -1;
    auto running = ex::submit(policy, [&](int resource) {
        busy = resource;
        return shared;
    });
    EXPECT_EQ(ex::unwrap(ex::submit(policy, return_resource)), 1 - busy);
    EXPECT_EQ(ex::unwrap(ex::submit(policy, return_resource)), 1 - busy);
    promise.set_value();
    ex::wait(running);
}

TEST(OneDplDynamicLoad, takes_the_first_of_resources_with_the_same_load) {
    ex::dynamic_load_policy deduced{{0, 1, 2}};
    ex::dynamic_load_policy<int> set_later{ex::deferred_initialization};
    set_later.initialize({0, 1, 2});
    for (auto* policy : {&deduced, &set_later}) {
        std::promise<void> promise;
        auto shared = promise.get_future().share();
        for (int repetition = 0; repetition < 3; ++repetition) {
            EXPECT_EQ(ex::unwrap(ex::submit(*policy, return_resource)), 0);
        }
        auto running = ex::submit(*policy, [&](int) { return shared; });
        EXPECT_EQ(ex::unwrap(ex::submit(*policy, return_resource)), 1);
        EXPECT_EQ(ex::unwrap(ex::submit(*policy, return_resource)), 1);
        promise.set_value();
        ex::wait(running);
        EXPECT_EQ(ex::unwrap(ex::submit(*policy, return_resource)), 0);
    }
}

TEST(OneDplDynamicLoad, begins_with_its_offset_among_resources_with_the_same_load) {
    ex::dynamic_load_policy policy{{10, 11, 12}, 1};
    EXPECT_EQ(ex::unwrap(ex::submit(policy, return_resource)), 11);
    EXPECT_EQ(ex::unwrap(ex::submit(policy, return_resource)), 11);
}

TEST(OneDplAutoTune, takes_its_resample_time_in_milliseconds) {
    ex::auto_tune_policy policy{{0, 1}, 100};
    ex::auto_tune_policy<int> by_type{std::vector<int>{5}, 100U};
    policy.initialize({8}, 50);
    by_type.initialize({5});
    EXPECT_EQ(ex::unwrap(ex::submit(policy, return_resource)), 8);
    EXPECT_EQ(ex::unwrap(ex::submit(by_type, return_resource)), 5);
}

TEST(OneDplAutoTune, distinguishes_tasks_by_its_key_arguments) {
    ex::auto_tune_policy<int, oneapi::dpl::identity, ex::default_backend<int>, std::size_t> policy{
        std::vector<int>{1, 2}};
    auto task = [](int resource, std::size_t) { return resource; };
    EXPECT_EQ(ex::unwrap(ex::submit(policy, task, std::size_t{10})), 1);
    EXPECT_EQ(ex::unwrap(ex::submit(policy, task, std::size_t{100000})), 1);
}

}  // namespace
