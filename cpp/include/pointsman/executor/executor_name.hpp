// SPDX-License-Identifier: Apache-2.0
// The name of an executor in messages and environment variables.
#pragma once

#include <string>
#include <string_view>
#include <typeinfo>

namespace pointsman {

/// The executor's member `name`, such as "arena"; the name of its type if it has none.
template <class Executor>
[[nodiscard]] std::string executor_name() {
    if constexpr (requires { std::string_view{Executor::name}; }) {
        return std::string{Executor::name};
    } else {
        return typeid(Executor).name();
    }
}

}  // namespace pointsman
