// SPDX-License-Identifier: Apache-2.0
// Execution policies as types, and how device policies are created and copied.
#include <gtest/gtest.h>

#include <concepts>
#include <execution>
#include <type_traits>

#include "pointsman/execution/host_policies.hpp"
#ifndef POINTSMAN_WITHOUT_OPENCL
#include "pointsman/execution/device_policy.hpp"
#include "resource/opencl_fixture.hpp"
#endif

namespace pointsman::test {
namespace {

namespace ex = execution;

template <class... Ts>
constexpr bool all_are_policies = (is_execution_policy_v<Ts> && ...);
template <class... Ts>
constexpr bool some_is_a_policy = (is_execution_policy_v<Ts> || ...);

static_assert(all_are_policies<ex::sequenced_policy, ex::parallel_policy,
                               ex::parallel_unsequenced_policy, ex::unsequenced_policy>);
static_assert(!some_is_a_policy<ex::sequenced_policy&, const ex::parallel_policy, int,
                                std::execution::parallel_policy>);
static_assert(!std::is_execution_policy_v<ex::sequenced_policy>);
static_assert(std::same_as<is_execution_policy<int>, ex::is_execution_policy<int>>);
static_assert(ex::is_execution_policy_v<std::remove_cvref_t<decltype(ex::par)>>);
static_assert(std::is_base_of_v<std::true_type, is_execution_policy<ex::unsequenced_policy>>);

#ifndef POINTSMAN_WITHOUT_OPENCL

struct mine {};
struct other {};
using named = ex::device_policy<mine>;

static_assert(all_are_policies<named, ex::device_policy<>> &&
              !some_is_a_policy<named&, const named>);
static_assert(std::same_as<named::kernel_name, mine>);
static_assert(std::default_initializable<named> && std::copyable<named>);
static_assert(std::convertible_to<named, opencl::queue>);
static_assert(std::convertible_to<ex::device_policy<other>, named>);
static_assert(!std::convertible_to<opencl::queue, named>, "explicit");
static_assert(!std::convertible_to<opencl::device, named>, "explicit");
static_assert(std::same_as<decltype(ex::opencl_default), const ex::device_policy<>>);

using DevicePolicy = OpenclTest;

TEST_F(DevicePolicy, keeps_the_queue_it_is_made_with) {
    const named policy{queue()};
    EXPECT_EQ(policy.queue(), queue());
    const opencl::queue converted = policy;
    EXPECT_EQ(converted, queue());
}

TEST_F(DevicePolicy, makes_a_queue_on_a_device) {
    EXPECT_EQ(named{queue().device()}.queue().device(), queue().device());
    EXPECT_EQ(ex::device_policy<>{}.queue().device(), opencl::devices().front());
}

TEST_F(DevicePolicy, shares_its_queue_with_copies_of_any_name) {
    const ex::device_policy<> made_late;
    const named renamed = made_late;
    EXPECT_EQ(renamed.queue(), made_late.queue());
    named assigned{queue()};
    assigned = renamed;
    EXPECT_EQ(assigned.queue(), made_late.queue());
    const named moved = std::move(assigned);
    EXPECT_EQ(moved.queue(), made_late.queue());
}

TEST_F(DevicePolicy, is_made_by_functions) {
    EXPECT_EQ(ex::make_device_policy(queue()).queue(), queue());
    EXPECT_EQ(ex::make_device_policy<mine>(queue()).queue(), queue());
    EXPECT_EQ(ex::make_device_policy<mine>(queue().device()).queue().device(), queue().device());
    const auto renamed = ex::make_device_policy<other>(named{queue()});
    static_assert(std::same_as<decltype(renamed), const ex::device_policy<other>>);
    EXPECT_EQ(renamed.queue(), queue());
    EXPECT_EQ(ex::make_device_policy<mine>().queue(), ex::opencl_default.queue());
}

#endif

}  // namespace
}  // namespace pointsman::test
