// SPDX-License-Identifier: Apache-2.0
// The set of resources that a policy uses if it is given none.
#pragma once

#include <concepts>
#include <vector>

namespace pointsman {

/// The default set of resources of one type. The primary template has none, so a policy over
/// `Resource` must be given its resources. A type with a default set specialises the template:
///
///     template <>
///     struct pointsman::default_universe<my_resource> {
///         static std::vector<my_resource> get();
///     };
///
/// `get` may open new resources at each call. It may return an empty set; the policy that called it then
/// throws `empty_resource_set`.
template <class Resource>
struct default_universe {};

/// True for a resource type with a default set.
template <class Resource>
concept has_default_universe = requires {
    { default_universe<Resource>::get() } -> std::same_as<std::vector<Resource>>;
};

}  // namespace pointsman
