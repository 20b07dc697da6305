// SPDX-License-Identifier: Apache-2.0
// Forward declarations that the selection core needs before the adapters are included.
#pragma once

namespace pointsman {

class any_resource;

/// Adapter that leaves a resource as it is.
struct identity {
    template <class T>
    constexpr T&& operator()(T&& value) const noexcept {
        return static_cast<T&&>(value);
    }
};

/// Tag type of `deferred_initialization`.
struct deferred_initialization_t {
    explicit constexpr deferred_initialization_t() = default;
};

/// Constructs a policy without resources; `initialize` supplies them later.
inline constexpr deferred_initialization_t deferred_initialization{};

}  // namespace pointsman
