// SPDX-License-Identifier: Apache-2.0
// Resources of several kinds in one type: the kind held, waiting, the default sets, a user-defined kind.
#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <functional>
#include <future>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "opencl_fixture.hpp"
#include "pointsman/resource/discover.hpp"
#include "support/every_policy.hpp"

namespace pointsman::test {

/// A user-defined kind of resource.
struct server {
    std::string name;
    int* waits = nullptr;
    bool exact = true;

    static std::future<void> run(const std::function<void()>& work) {
        return std::async(std::launch::async, work);
    }
    void wait() const { ++*waits; }
    [[nodiscard]] bool reports_exact_times() const { return exact; }
    bool operator==(const server&) const = default;
};

}  // namespace pointsman::test

template <>
struct pointsman::default_universe<pointsman::test::server> {
    static std::vector<pointsman::test::server> get() { return {{"near"}, {"far"}}; }
};

namespace pointsman::test {
namespace {

using started_work = std::variant<arena_task<void>, opencl::event>;
static_assert(waitable<started_work> && detail::tells_outcome<started_work>);
static_assert(has_default_universe<any_resource>);

TEST(AnyResource, equals_another_that_holds_the_same_resource) {
    const arena a{1};
    const any_resource held{a};
    EXPECT_EQ(held, any_resource{a});
    EXPECT_NE(held, any_resource{arena{1}});
    ASSERT_NE(held.get_if<arena>(), nullptr);
    EXPECT_EQ(*held.get_if<arena>(), a);
    EXPECT_EQ(held.get_if<opencl::queue>(), nullptr);
}

TEST(AnyResource, runs_work_on_the_arena_that_it_holds) {
    any_resource held{arena{1}};
    bool ran = false;
    started_work started =
        held.visit([&](arena& a) -> started_work { return a.run([&] { ran = true; }); },
                   [](opencl::queue&) -> started_work { return opencl::event{}; });
    waitable_traits<started_work>::wait(started);
    EXPECT_TRUE(ran);
    EXPECT_TRUE(waitable_traits<started_work>::outcome(started).succeeded);
}

TEST(Discover, lists_the_default_arenas_before_the_default_queues) {
    const auto found = discover();
    const auto arenas = default_universe<arena>::get().size();
    const auto queues = default_universe<opencl::queue>::get().size();
    ASSERT_EQ(found.size(), arenas + queues);
    EXPECT_GT(arenas, 0U);
    for (std::size_t i = 0; i < found.size(); ++i) {
        EXPECT_EQ(found[i].get_if<arena>() != nullptr, i < arenas);
    }
}

using anywhere = any_resource_of<arena, opencl::queue, server>;
using work_anywhere = std::variant<arena_task<void>, opencl::event, std::future<void>>;
static_assert(resource<anywhere> && has_default_universe<anywhere>);
static_assert(waitable<work_anywhere>);
static_assert(!std::is_constructible_v<any_resource, server>);
static_assert(!std::is_constructible_v<any_resource, int>, "an arena's threads are no arena");

TEST(AnyResourceOf, holds_a_third_kind_beside_arenas_and_queues) {
    const anywhere near{server{"near"}};
    EXPECT_EQ(near, anywhere{server{"near"}});
    EXPECT_NE(near, anywhere{server{"far"}});
    EXPECT_NE(near, anywhere{arena{1}});
    ASSERT_NE(near.get_if<server>(), nullptr);
    EXPECT_EQ(near.get_if<server>()->name, "near");
    EXPECT_EQ(near.get_if<arena>(), nullptr);
}

TEST(AnyResourceOf, waits_by_the_wait_of_the_held_kind) {
    int waits = 0;
    anywhere held{server{"near", &waits}};
    held.wait();
    EXPECT_EQ(waits, 1);
}

struct without_members {};

TEST(AnyResourceOf, takes_a_kind_without_wait_as_idle_and_its_times_as_exact) {
    any_resource_of<without_members, arena> held{without_members{}};
    held.wait();
    EXPECT_TRUE(held.reports_exact_times());
}

TEST(AnyResourceOf, reports_exact_times_as_the_held_kind_does) {
    const std::vector<anywhere> set{server{"near", nullptr, false}, server{"far"}, arena{1}};
    const earliest_finish_policy policy{set, never_resample, exact_times::required};
    EXPECT_EQ(policy.get_resources(), (std::vector{set[1], set[2]}));
}

TEST(AnyResourceOf, has_the_default_sets_of_its_kinds_one_after_another) {
    const auto mixed = default_universe<any_resource_of<server, without_members, arena>>::get();
    ASSERT_EQ(mixed.size(), 2 + default_universe<arena>::get().size());
    EXPECT_EQ(mixed[0].get_if<server>()->name, "near");
    EXPECT_EQ(mixed[1].get_if<server>()->name, "far");
    EXPECT_NE(mixed[2].get_if<arena>(), nullptr);
    const round_robin_policy<anywhere> policy;
    EXPECT_EQ(policy.get_resources().size(), discover().size() + 2);
    static_assert(!has_default_universe<any_resource_of<without_members>>);
}

TEST(AnyResourceOf, is_used_and_waited_for_by_every_policy) {
    std::atomic<int> done = 0;
    const auto count = [&] { ++done; };
    const auto task = [&](const anywhere& where) {
        return where.visit([&](const arena& a) -> work_anywhere { return a.run(count); },
                           [](const opencl::queue&) -> work_anywhere { return opencl::event{}; },
                           [&](const server& s) -> work_anywhere { return s.run(count); });
    };
    const std::vector<anywhere> set{arena{1}, server{"near"}, server{"far"}};
    on_every_policy(set, [&](auto policy) {
        done = 0;
        for (int i = 1; i <= 12; ++i) {
            policy.submit(task).wait();
            EXPECT_EQ(done, i);
        }
    });
}

using AnyResourceWithQueue = OpenclTest;

TEST_F(AnyResourceWithQueue, runs_work_on_the_queue_that_it_holds) {
    any_resource held{queue()};
    EXPECT_EQ(held, any_resource{queue()});
    started_work started = held.visit([](arena&) -> started_work { return opencl::event{}; },
                                      [](opencl::queue& q) -> started_work {
                                          gate open{q};
                                          open.open();
                                          return open.enqueue_marker(q);
                                      });
    waitable_traits<started_work>::wait(started);
    EXPECT_TRUE(std::get<opencl::event>(started).is_ready());
    held.wait();
}

}  // namespace
}  // namespace pointsman::test
