// SPDX-License-Identifier: Apache-2.0
// Host executors as resources of policies.
#pragma once

#include <stdexcept>

#include "conformance/policy_conformance.hpp"
#include "pointsman/executor/bulk_execute.hpp"

namespace pointsman::test {

/// A case of `conformance/policy_conformance.hpp` over executors.
template <class Executor>
struct executor_case {
    using resource_type = Executor;
    static auto work(const Executor& executor) {
        return bulk_execute(executor, [](std::size_t) {}, 10);
    }
    static auto failing_work(const Executor& executor) {
        return bulk_execute(
            executor,
            [](std::size_t i) {
                if (i == 5) {
                    throw std::runtime_error{"the work failed"};
                }
            },
            10);
    }
};

}  // namespace pointsman::test
