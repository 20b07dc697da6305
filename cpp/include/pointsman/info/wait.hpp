// SPDX-License-Identifier: Apache-2.0
// Blocks on any submission or waitable; does nothing for values that cannot be waited for.
#pragma once

#include <utility>

namespace pointsman {

/// Blocks until `w` is complete if it has a `wait()`; does nothing otherwise.
/// **Throws**: what `w.wait()` throws.
template <class W>
void wait(W&& w) {
    if constexpr (requires { w.wait(); }) {
        w.wait();
    }
}

}  // namespace pointsman
