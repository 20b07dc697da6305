// SPDX-License-Identifier: Apache-2.0
// Unwraps the resource of a selection or the result of a submission; returns other values unchanged.
#pragma once

#include <utility>

namespace pointsman {

/// Returns `w.unwrap()`: the resource of a selection, or the result of the submitted function.
template <class W>
    requires requires(W&& w) { std::forward<W>(w).unwrap(); }
decltype(auto) unwrap(W&& w) {
    return std::forward<W>(w).unwrap();
}

/// Returns an object that has no `unwrap()` unchanged: an lvalue by reference, an rvalue by value.
template <class W>
constexpr W unwrap(W&& w) noexcept {
    return std::forward<W>(w);
}

}  // namespace pointsman
