// SPDX-License-Identifier: Apache-2.0
// What an executor is called in messages and in the environment.
#pragma once

#include <string>
#include <string_view>
#include <typeinfo>

namespace pointsman {

/// The executor's member `name`, such as "arena"; the name of its type where it has none.
template <class Executor>
[[nodiscard]] std::string executor_name() {
    if constexpr (requires { std::string_view{Executor::name}; }) {
        return std::string{Executor::name};
    } else {
        return typeid(Executor).name();
    }
}

}  // namespace pointsman
