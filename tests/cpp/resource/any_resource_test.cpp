// SPDX-License-Identifier: Apache-2.0
// Mixed resources: what one holds, how work on it is waited for, and what a machine has.
#include <gtest/gtest.h>

#include <type_traits>

#include "opencl_fixture.hpp"
#include "pointsman/resource/discover.hpp"

namespace pointsman::test {
namespace {

using work = std::variant<arena_task<void>, opencl::event>;
static_assert(waitable<work> && detail::tells_outcome<work>);
static_assert(has_default_universe<any_resource>);

TEST(AnyResource, equals_another_that_holds_the_same) {
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
    work started = held.visit([&](arena& a) -> work { return a.run([&] { ran = true; }); },
                              [](opencl::queue&) -> work { return opencl::event{}; });
    waitable_traits<work>::wait(started);
    EXPECT_TRUE(ran);
    EXPECT_TRUE(waitable_traits<work>::outcome(started).succeeded);
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

using AnyResourceWithQueue = OpenclTest;

TEST_F(AnyResourceWithQueue, runs_work_on_the_queue_that_it_holds) {
    any_resource held{queue()};
    EXPECT_EQ(held, any_resource{queue()});
    work started = held.visit([](arena&) -> work { return opencl::event{}; },
                              [](opencl::queue& q) -> work {
                                  gate open{q};
                                  open.open();
                                  return open.enqueue_marker(q);
                              });
    waitable_traits<work>::wait(started);
    EXPECT_TRUE(std::get<opencl::event>(started).is_ready());
    held.wait();
}

}  // namespace
}  // namespace pointsman::test
