// SPDX-License-Identifier: Apache-2.0
// Checks that a call throws an expected exception, and returns its message.
#pragma once

#include <string>

#include "pointsman/error.hpp"

namespace pointsman::test {

/// Returns the message of the `Standard` exception of `f()`, which must be a pointsman::error too.
template <class Standard, class F>
[[nodiscard]] std::string message_of(F f) {
    try {
        f();
    } catch (const Standard& thrown) {
        return dynamic_cast<const error*>(&thrown) != nullptr
                   ? thrown.what()
                   : std::string{"not a pointsman::error: "} + thrown.what();
    }
    return "nothing was thrown";
}

}  // namespace pointsman::test
