// SPDX-License-Identifier: Apache-2.0
// The host executors of this build, and a function that checks each of them.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <type_traits>

#include "pointsman/executor/arena_executor.hpp"
#include "pointsman/executor/executor_name.hpp"
#include "pointsman/executor/inline_executor.hpp"
#include "pointsman/executor/nested_executor.hpp"
#include "pointsman/executor/openmp_executor.hpp"
#include "pointsman/executor/unsequenced_executor.hpp"

namespace pointsman::test {

/// Returns the host executors, with four threads regardless of the machine. Add each new one here.
inline auto provided_executors() {
    const auto all = [](auto... executors) {
        const auto available = [](auto executor) {
            if constexpr (is_executor_available_v<decltype(executor)>) {
                return std::tuple{executor};
            } else {
                return std::tuple{};
            }
        };
        return std::tuple_cat(available(executors)...);
    };
    const arena_executor<> cores{arena{4}};
    return all(inline_executor<>{}, unsequenced_executor<>{}, openmp_executor<>{4}, cores,
               nested_executor{cores, unsequenced_executor<>{}});
}

/// Calls `check(executor)` with each host executor; all of them block.
template <class Check>
void on_every_executor(Check check) {
    const auto on = [&]<class Executor>(const Executor& executor) {
        SCOPED_TRACE(executor_name<Executor>());
        check(executor);
    };
    std::apply([&](const auto&... executors) { (on(executors), ...); }, provided_executors());
}

}  // namespace pointsman::test
