// SPDX-License-Identifier: Apache-2.0
// Asks a callable how long its arguments are under way to each resource.
#pragma once

#include <span>

namespace pointsman {

/// Returns the nanoseconds that it takes to bring the arguments of a task to each resource of the policy: what
/// the callable's `transfers()` returns, if it has that; otherwise an empty span. A policy that measures adds
/// them to what it compares, and takes none for resources beyond the end of the span.
template <class F, class... Args>
[[nodiscard, gnu::always_inline]] inline std::span<const double> transfers_of(
    [[maybe_unused]] const F& f, const Args&...) noexcept {
    if constexpr (requires { std::span<const double>{f.transfers()}; }) {
        return f.transfers();
    } else {
        return {};
    }
}

}  // namespace pointsman
