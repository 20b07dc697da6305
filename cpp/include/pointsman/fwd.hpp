// SPDX-License-Identifier: Apache-2.0
// Forward declarations that the selection core needs before the adapters are included.
#pragma once

namespace pointsman {

class arena;
#ifndef POINTSMAN_WITHOUT_OPENCL
namespace opencl {
class queue;
}
#endif

template <class... Kinds>
class any_resource_of;

/// A resource of any of the types that pointsman provides.
#ifndef POINTSMAN_WITHOUT_OPENCL
using any_resource = any_resource_of<arena, opencl::queue>;
#else
using any_resource = any_resource_of<arena>;
#endif

/// Adapter that returns a resource unchanged.
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
