// SPDX-License-Identifier: Apache-2.0
// The free function wait.
#pragma once

#include <utility>

namespace pointsman {

/// Blocks until `w` is complete when it has a `wait()`; does nothing otherwise.
/// **Throws**: what `w.wait()` throws.
template <class W>
void wait(W&& w) {
    if constexpr (requires { w.wait(); }) {
        w.wait();
    }
}

}  // namespace pointsman
