// SPDX-License-Identifier: Apache-2.0
// Fixtures that run a check under execution policies, and the types and sizes of the algorithm tests.
#pragma once

#include <gtest/gtest.h>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

#include "pointsman/execution/host_policies.hpp"
#include "support/sanitized.hpp"
#ifndef POINTSMAN_WITHOUT_OPENCL
#include "pointsman/execution/device_policy.hpp"
#include "pointsman/resource/opencl/default_queues.hpp"
#endif

namespace pointsman::test {

/// For tests of many programs or of slow comparisons.
inline constexpr std::size_t moderate_sizes[] = {0, 1, 2, 31, 33, 1000, 65'537};
#ifdef POINTSMAN_TEST_SANITIZED  // instrumented code is up to a hundred times slower
inline constexpr auto& algorithm_sizes = moderate_sizes;
#else
inline constexpr std::size_t algorithm_sizes[] = {0, 1, 2, 31, 33, 1000, 65'537, 1'000'000};
#endif
#ifdef POINTSMAN_TEST_SANITIZED
using algorithm_types = testing::Types<float, std::int64_t>;
#else
using algorithm_types = testing::Types<float, double, std::int32_t, std::uint64_t>;
#endif

/// Calls `check(policy)` with each host policy.
template <class Check>
void under_host_policies(Check check) {
    check(execution::seq);
    check(execution::par);
    check(execution::unseq);
    check(execution::par_unseq);
}

class ParallelAndDevicePolicies : public testing::Test {
  protected:
    /// Calls `check(policy, name)` with `par`, and with the policies of `on_every_device`.
    template <class Check>
    void under_policies(Check check) {
        check(execution::par, "par");
#ifndef POINTSMAN_WITHOUT_OPENCL
        on_every_device([&](const auto& policy) {
            const opencl::queue& queue = policy.queue();
            check(policy, queue.device().platform() +
                              (queue.is_out_of_order() ? ", work groups out of order" : ""));
        });
#endif
    }

    /// Calls `check(policy)` with two policies for each device: the default queue, and a queue out of order
    /// whose kernels use work groups.
    template <class Check>
    void on_every_device([[maybe_unused]] Check check) {
#ifndef POINTSMAN_WITHOUT_OPENCL
        for (const opencl::queue& queue : default_universe<opencl::queue>::get()) {
            check(execution::device_policy<>{queue});
#ifndef __SANITIZE_THREAD__  // kernels are not instrumented
            check(execution::device_policy<>{opencl::queue {
                queue.device(),
                {.out_of_order = true,
                 .items = opencl::item_work::in_groups }
            }});
#endif
        }
#endif
    }
};

class EveryExecutionPolicy : public ParallelAndDevicePolicies {
  protected:
    /// Calls `check(policy, name)` with each host policy, under a sanitizer with `par` alone, and with the
    /// policies of `on_every_device`.
    template <class Check>
    void under_policies(Check check) {
        ParallelAndDevicePolicies::under_policies(check);
#ifndef POINTSMAN_TEST_SANITIZED
        check(execution::seq, "seq");
        check(execution::par_unseq, "par_unseq");
        check(execution::unseq, "unseq");
#endif
    }
};

/// Host policies differ in their use of threads and vector registers, whatever the type of a value: a test of several
/// types tries them all with `float`.
template <class T>
using ExecutionPoliciesFor =
    std::conditional_t<std::same_as<T, float>, EveryExecutionPolicy, ParallelAndDevicePolicies>;

}  // namespace pointsman::test
