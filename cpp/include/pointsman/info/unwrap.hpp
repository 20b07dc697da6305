// SPDX-License-Identifier: Apache-2.0
// The free function unwrap.
#pragma once

#include <utility>

namespace pointsman {

/// Returns `w.unwrap()`: the resource of a selection, or what the function of a submission returned.
template <class W>
    requires requires(W&& w) { std::forward<W>(w).unwrap(); }
decltype(auto) unwrap(W&& w) {
    return std::forward<W>(w).unwrap();
}

/// Returns a thing that has no `unwrap()` as it is: an lvalue by reference, an rvalue by value.
template <class W>
constexpr W unwrap(W&& w) noexcept {
    return std::forward<W>(w);
}

}  // namespace pointsman
