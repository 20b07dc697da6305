// SPDX-License-Identifier: Apache-2.0
// The event of a failed command is retained for a while, since the driver may still use it, then released.
#include "pointsman/resource/opencl/detail/failed_events.hpp"

#include <gtest/gtest.h>

#include <chrono>

#include "opencl_fixture.hpp"
#include "support/eventually.hpp"

namespace pointsman::test {
namespace {

using namespace std::chrono_literals;
using opencl::detail::failed_events;

/// Uses times far in the future, so that the watcher releases nothing.
class OpenclFailedEvents : public OpenclTest {
  protected:
    static constexpr auto while_kept = failed_events::kept_for - 1ns;

    cl::UserEvent failed() {
        cl::UserEvent event{queue().context()};
        event.setStatus(CL_OUT_OF_RESOURCES);
        return event;
    }
    static cl_uint references(const cl::Event& event) {
        return event.getInfo<CL_EVENT_REFERENCE_COUNT>();
    }

    const pointsman::detail::ref<failed_events> keeper =
        pointsman::detail::make_ref<failed_events>();
    const clock::time_point start = clock::now() + 1h;
};

TEST_F(OpenclFailedEvents, are_released_after_a_while) {
    const cl::UserEvent event = failed();
    const auto before = references(event);
    keeper->keep(event(), start);
    keeper->release_due(start + while_kept);
    EXPECT_EQ(references(event), before + 1);
    keeper->release_due(start + failed_events::kept_for);
    EXPECT_EQ(references(event), before);
}

TEST_F(OpenclFailedEvents, are_kept_once_however_often_they_are_queried) {
    const cl::UserEvent event = failed();
    const auto before = references(event);
    for (int query = 0; query < 3; ++query) {
        keeper->keep(event(), start);
    }
    EXPECT_EQ(references(event), before + 1);
    keeper->release_due(start + failed_events::kept_for);
    EXPECT_EQ(references(event), before);
}

TEST_F(OpenclFailedEvents, are_kept_again_when_they_are_queried_later) {
    const cl::UserEvent event = failed();
    const auto before = references(event);
    keeper->keep(event(), start);
    keeper->release_due(start + failed_events::kept_for);
    keeper->keep(event(), start + 2 * failed_events::kept_for);
    EXPECT_EQ(references(event), before + 1);
    keeper->release_due(start + 3 * failed_events::kept_for);
    EXPECT_EQ(references(event), before);
}

TEST_F(OpenclFailedEvents, are_released_one_by_one) {
    const cl::UserEvent first = failed();
    const cl::UserEvent second = failed();
    const auto before = references(first);
    keeper->keep(first(), start);
    keeper->keep(second(), start + 1ns);
    keeper->release_due(start + failed_events::kept_for);
    EXPECT_EQ(references(first), before);
    EXPECT_EQ(references(second), before + 1);
    keeper->release_due(start + 2 * failed_events::kept_for);
}

TEST_F(OpenclFailedEvents, are_released_by_the_watcher) {
    const cl::UserEvent event = failed();
    const auto before = references(event);
    keeper->keep(event(), clock::now() - failed_events::kept_for);
    EXPECT_TRUE(eventually([&] { return references(event) == before; }));
}

}  // namespace
}  // namespace pointsman::test
