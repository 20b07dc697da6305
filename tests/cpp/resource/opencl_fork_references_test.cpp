// SPDX-License-Identifier: Apache-2.0
// A forked child neither retains nor releases OpenCL objects: a driver thread may have held a lock
// at the fork. The calls themselves are counted, because a hang shows only sometimes.
// link: -Wl,--wrap=clRetainCommandQueue,--wrap=clReleaseCommandQueue
// link: -Wl,--wrap=clRetainContext,--wrap=clReleaseContext,--wrap=clRetainDevice,--wrap=clReleaseDevice
// link: -Wl,--wrap=clRetainEvent,--wrap=clReleaseEvent,--wrap=clRetainKernel,--wrap=clReleaseKernel
// link: -Wl,--wrap=clRetainMemObject,--wrap=clReleaseMemObject
// link: -Wl,--wrap=clRetainProgram,--wrap=clReleaseProgram
#include <gtest/gtest.h>

#include <atomic>
#include <optional>
#include <vector>

#include "opencl_fixture.hpp"
#include "pointsman/algorithm/opencl/copy.hpp"
#include "pointsman/resource/opencl/buffer.hpp"
#include "support/forked_child.hpp"

namespace {
/// The number of retaining and releasing driver calls of this process.
std::atomic<int> calls = 0;
}  // namespace

// The linker requires these names.
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming,bugprone-macro-parentheses)
#define POINTSMAN_WATCH(call, handle)                \
    extern "C" decltype(call) __real_##call;         \
    extern "C" cl_int __wrap_##call(handle object) { \
        ++calls;                                     \
        return __real_##call(object);                \
    }
#define POINTSMAN_WATCH_REFERENCES(name, handle) \
    POINTSMAN_WATCH(clRetain##name, handle)      \
    POINTSMAN_WATCH(clRelease##name, handle)

POINTSMAN_WATCH_REFERENCES(CommandQueue, cl_command_queue)
POINTSMAN_WATCH_REFERENCES(Context, cl_context)
POINTSMAN_WATCH_REFERENCES(Device, cl_device_id)
POINTSMAN_WATCH_REFERENCES(Event, cl_event)
POINTSMAN_WATCH_REFERENCES(Kernel, cl_kernel)
POINTSMAN_WATCH_REFERENCES(MemObject, cl_mem)
POINTSMAN_WATCH_REFERENCES(Program, cl_program)
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming,bugprone-macro-parentheses)

namespace pointsman::test {
namespace {

class OpenclForkReferences : public OpenclTest {
  protected:
    void SetUp() override {
        OpenclTest::SetUp();
        if (!IsSkipped()) {
            made_.emplace(queue());
        }
    }

    /// One object of each class that owns an OpenCL handle.
    struct objects {
        explicit objects(const opencl::queue& of)
            : device{of.device()},
              queue{device},
              program{queue.build(scale_source)},
              kernel{program.kernel("scale")},
              values{queue, 16},
              pooled{queue.take_buffer(64)},
              done{queue.enqueue(kernel, 16, values.handle(), 1.0F)} {}
        opencl::device device;
        opencl::queue queue;
        opencl::program program;
        opencl::kernel kernel;
        opencl::buffer<float> values;
        opencl::pooled_buffer pooled;
        opencl::event done;
    };
    objects& made() { return *made_; }
    void drop() { made_.reset(); }

  private:
    std::optional<objects> made_;
};

/// Succeeds if `action()` returns true in a forked child and retains and releases nothing there.
template <class Action>
testing::AssertionResult leaves_references_alone(Action&& action) {
    return holds_in_a_child([&] {
        calls = 0;
        return action() && calls == 0;
    });
}

/// Succeeds if `action()` is refused in a forked child before it retains anything.
template <class Action>
testing::AssertionResult is_refused_untouched(Action&& action) {
    return leaves_references_alone([&] {
        try {
            static_cast<void>(action());
        } catch (const forked_process&) {
            return true;
        }
        return false;
    });
}

TEST_F(OpenclForkReferences, are_not_counted_by_refused_calls) {
    EXPECT_TRUE(is_refused_untouched([&] { return opencl::queue{queue().handle()}; }));
    EXPECT_TRUE(is_refused_untouched([&] { return opencl::queue{queue().device()}; }));
    EXPECT_TRUE(is_refused_untouched([&] { return opencl::kernel{made().kernel.handle()}; }));
    EXPECT_TRUE(is_refused_untouched([&] { return opencl::event{made().done.handle()}; }));
    EXPECT_TRUE(
        is_refused_untouched([&] { return opencl::buffer<float>{made().values.handle(), 16}; }));
    EXPECT_TRUE(is_refused_untouched(
        [&] { return queue().enqueue(made().kernel, 16, made().values.handle(), 1.0F); }));
    EXPECT_TRUE(is_refused_untouched([&] { return queue().build(scale_source); }));
}

TEST_F(OpenclForkReferences, are_not_counted_by_algorithms) {
    const opencl::queue overtaking{queue().device(), {.out_of_order = true}};
    const auto first = begin(made().values);
    std::vector<float> host(16);
    for (const opencl::queue& where : {queue(), overtaking}) {
        EXPECT_TRUE(is_refused_untouched(
            [&] { return detail::copy_on_device(where, first, 16, host.begin()), true; }));
        EXPECT_TRUE(is_refused_untouched(
            [&] { return detail::copy_on_device(where, host.begin(), 16, first), true; }));
        EXPECT_TRUE(is_refused_untouched(
            [&] { return detail::copy_on_device(where, first, 8, first + 8), true; }));
    }
}

TEST_F(OpenclForkReferences, are_not_counted_by_copies) {
    EXPECT_TRUE(leaves_references_alone([&] {
        const opencl::device device{made().device.handle()};
        const opencl::queue q = queue();
        const opencl::program program{made().program.handle()};
        const opencl::kernel kernel = made().kernel;
        const opencl::buffer<float> values = made().values;
        const opencl::event done = made().done;
        return true;
    }));
}

TEST_F(OpenclForkReferences, are_not_counted_when_everything_is_dropped) {
    EXPECT_TRUE(leaves_references_alone([&] {
        drop();
        return true;
    }));
}

TEST_F(OpenclForkReferences, are_counted_in_the_parent) {
    calls = 0;
    {
        const opencl::queue again{queue().handle()};
    }
    EXPECT_GT(calls, 0);
    calls = 0;
    drop();
    EXPECT_GT(calls, 0);
}

}  // namespace
}  // namespace pointsman::test
