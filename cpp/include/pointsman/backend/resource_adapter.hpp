// SPDX-License-Identifier: Apache-2.0
// The named requirement of an adapter, with which a backend serves other types of resources.
#pragma once

#include <concepts>
#include <type_traits>

#include "pointsman/fwd.hpp"
#include "pointsman/resource/resource.hpp"

namespace pointsman {

/// Adapter of resources of type `Resource`: called with a resource, it returns the object that the
/// backend works with, by value or by reference. The backend stores the adapter; submitted functions
/// receive the unadapted resource.
/// **Example**: `[](auto* pointer) { return *pointer; }`
/// Source: *Adapter Support for Resource Transformation* in the custom backends document.
template <class Adapter, class Resource>
concept resource_adapter =
    std::move_constructible<Adapter> && std::is_invocable_v<const Adapter&, const Resource&> &&
    !std::is_void_v<std::invoke_result_t<const Adapter&, const Resource&>>;

static_assert(resource_adapter<identity, detail::sample_resource>);

}  // namespace pointsman
