// SPDX-License-Identifier: Apache-2.0
// The property blocking: whether an execution function waits for the work to complete.
#pragma once

#include "pointsman/property/detail/property_value.hpp"
#include "pointsman/property/property.hpp"

namespace pointsman {

/// Whether `execute` and `bulk_execute` return before the work is complete.
///
/// - `blocking.always`: they return nothing once the work is complete, and throw its first error;
/// - `blocking.never`: they do not wait, and return a handle that can be waited for;
/// - `blocking.possibly`: the executor decides; they also return a handle.
///
/// An executor without this property always blocks.
/// **Example**: `auto handle = bulk_execute(require(executor, blocking.never), body, n);`
/// Source: *Executor Properties* in the executor document.
struct blocking_t : property_with_values<blocking_t> {
    struct always_t : property_value<blocking_t, 0> {};
    struct never_t : property_value<blocking_t, 1> {};
    struct possibly_t : property_value<blocking_t, 2> {};
    using values = property_values<always_t, never_t, possibly_t>;
    static constexpr always_t always{};
    static constexpr never_t never{};
    static constexpr possibly_t possibly{};

    constexpr blocking_t() = default;
    explicit constexpr blocking_t(int number) noexcept : property_with_values{number} {}
    [[nodiscard]] static constexpr always_t default_value() noexcept { return {}; }
};

inline constexpr blocking_t blocking{};

static_assert(property<blocking_t> && property<blocking_t::always_t>);

}  // namespace pointsman
