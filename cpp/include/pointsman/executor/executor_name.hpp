// SPDX-License-Identifier: Apache-2.0
// Names executors for messages and for the environment variables that switch them off.
#pragma once

#include <string>
#include <string_view>
#include <typeinfo>

namespace pointsman {

/// Returns the executor's member `name`, such as "arena", or the name of its type if it has none.
template <class Executor>
[[nodiscard]] std::string executor_name() {
    if constexpr (requires { std::string_view{Executor::name}; }) {
        return std::string{Executor::name};
    } else {
        return typeid(Executor).name();
    }
}

}  // namespace pointsman
