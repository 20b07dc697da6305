// SPDX-License-Identifier: Apache-2.0
// A forked child counts no reference of OpenCL's: another thread of the driver may have held one of its
// locks at the fork, and NVIDIA's driver then hangs now and then. Seen in the driver's interface, since
// hanging is a matter of chance.
// link: -Wl,--wrap=clRetainCommandQueue,--wrap=clReleaseCommandQueue
// link: -Wl,--wrap=clRetainContext,--wrap=clReleaseContext,--wrap=clRetainDevice,--wrap=clReleaseDevice
// link: -Wl,--wrap=clRetainEvent,--wrap=clReleaseEvent,--wrap=clRetainKernel,--wrap=clReleaseKernel
// link: -Wl,--wrap=clRetainMemObject,--wrap=clReleaseMemObject
// link: -Wl,--wrap=clRetainProgram,--wrap=clReleaseProgram
#include <gtest/gtest.h>
#include <unistd.h>

#include <optional>

#include "opencl_fixture.hpp"
#include "pointsman/resource/opencl/buffer.hpp"
#include "support/forked_child.hpp"

namespace {
const pid_t parent = getpid();
bool counted_in_child = false;
}  // namespace

// The linker makes these names: they cannot be others.
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming,bugprone-macro-parentheses)
#define POINTSMAN_WATCH(call, handle)                              \
    extern "C" decltype(call) __real_##call;                       \
    extern "C" cl_int __wrap_##call(handle object) {               \
        counted_in_child = counted_in_child || getpid() != parent; \
        return __real_##call(object);                              \
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

    /// What a program holds of OpenCL, in our terms.
    struct objects {
        explicit objects(const opencl::queue& q)
            : program{q.build(scale_source)},
              kernel{program.kernel("scale")},
              values{q, 16},
              part{q.device()},
              done{q.enqueue(kernel, 16, values.handle(), 1.0F)} {}
        opencl::program program;
        opencl::kernel kernel;
        opencl::buffer<float> values;
        opencl::device part;
        opencl::event done;
    };
    objects& made() { return *made_; }
    void drop() { made_.reset(); }

  private:
    std::optional<objects> made_;
};

/// True when `action()` is refused in a child that counts no reference.
template <class Action>
testing::AssertionResult is_refused_untouched(Action&& action) {
    return holds_in_a_child([&] {
        try {
            static_cast<void>(action());
        } catch (const forked_process&) {
            return !counted_in_child;
        }
        return false;
    });
}

TEST_F(OpenclForkReferences, are_not_counted_by_what_is_refused) {
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

TEST_F(OpenclForkReferences, are_not_counted_by_copies) {
    EXPECT_TRUE(holds_in_a_child([&] {
        {
            const opencl::queue q = queue();
            const objects copies = made();
            const opencl::program again{made().program.handle()};
        }
        return !counted_in_child;
    }));
}

TEST_F(OpenclForkReferences, are_not_counted_when_everything_is_dropped) {
    EXPECT_TRUE(holds_in_a_child([&] {
        drop();
        queue() = opencl::queue{queue()};
        return !counted_in_child;
    }));
}

TEST_F(OpenclForkReferences, are_counted_in_the_parent) {
    const opencl::queue again{queue().handle()};
    EXPECT_EQ(again, queue());
    EXPECT_FALSE(counted_in_child);
}

}  // namespace
}  // namespace pointsman::test
