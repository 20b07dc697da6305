// SPDX-License-Identifier: Apache-2.0
// A process with work in its queues, callbacks pending or a build in progress exits cleanly.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <thread>

#include "opencl_fixture.hpp"

namespace pointsman::test {
namespace {

class OpenclExit : public OpenclTest {
  protected:
    void SetUp() override {
        // A forked child cannot use the parent's driver, so the death test restarts the program.
        GTEST_FLAG_SET(death_test_style, "threadsafe");
        OpenclTest::SetUp();
    }

    /// Enqueues work that outlasts the process.
    static void enqueue_long_work(const opencl::queue& q) {
        static const auto values = filled(q, 1 << 20, 1.0F);
        const auto scale = q.build(scale_source).kernel("scale");
        for (int i = 0; i < 100; ++i) {
            q.enqueue(scale, 1 << 20, values, 1.0F);
        }
    }

    /// Returns source that is not in the cache of any driver.
    static std::string new_source() {
        return "kernel void fresh(global float* x) { x[get_global_id(0)] *= " +
               std::to_string(clock::now().time_since_epoch().count()) + ".0f; }";
    }

    static void ignore(void*, const completion&) noexcept {}
};

TEST_F(OpenclExit, is_clean_with_work_queued) {
    EXPECT_EXIT(
        {
            static const opencl::queue q;
            enqueue_long_work(q);
            std::exit(0);
        },
        testing::ExitedWithCode(0), "");
}

TEST_F(OpenclExit, is_clean_while_the_driver_compiles) {
    EXPECT_EXIT(
        {
            const opencl::queue q;
            q.enqueue(q.build(new_source()).kernel("fresh"), 64, filled(q, 64, 1.0F));
            std::exit(0);
        },
        testing::ExitedWithCode(0), "");
}

TEST_F(OpenclExit, is_clean_with_callbacks_pending) {
    EXPECT_EXIT(
        {
            const opencl::queue q;
            enqueue_long_work(q);
            for (int i = 0; i < 100; ++i) {
                gate open{q};
                open.open();
                open.enqueue_marker(q).on_completion({&ignore, nullptr});
            }
            std::exit(0);
        },
        testing::ExitedWithCode(0), "");
}

TEST_F(OpenclExit, is_clean_with_commands_that_have_just_failed) {
    EXPECT_EXIT(
        {
            const opencl::queue q;
            gate fails{q};
            const auto failed = fails.enqueue_marker(q);
            fails.fail(CL_OUT_OF_RESOURCES);
            while (!failed.is_ready()) {
                std::this_thread::yield();
            }
            std::exit(0);
        },
        testing::ExitedWithCode(0), "");
}

TEST_F(OpenclExit, is_clean_with_a_user_event_that_is_never_set) {
    EXPECT_EXIT(
        {
            const opencl::queue q;
            const gate never{q};
            const opencl::event user{never.event()};
            const auto held = never.enqueue_marker(q);
            user.on_completion({&ignore, nullptr});
            held.on_completion({&ignore, nullptr});
            std::exit(0);
        },
        testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace pointsman::test
