// SPDX-License-Identifier: Apache-2.0
// The policy that takes its resources in turn.
#pragma once

#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <type_traits>
#include <vector>

#include "oneapi/dpl/selection/adapted_backend.hpp"
#include "pointsman/policy/round_robin_policy.hpp"

namespace oneapi::dpl::experimental {

/// `pointsman::round_robin_policy` over any backend that oneDPL's takes.
template <class Resource, class ResourceAdapter = identity,
          class Backend = default_backend<Resource, ResourceAdapter>>
class round_robin_policy
    : public pointsman::round_robin_policy<Resource, ResourceAdapter,
                                           detail::adapted_backend_t<Backend, ResourceAdapter>> {
    using base = pointsman::round_robin_policy<Resource, ResourceAdapter,
                                               detail::adapted_backend_t<Backend, ResourceAdapter>>;

  public:
    using backend_type = Backend;
    using base::base;
    /// What a selection or a submission says of its policy, which shares its state with this.
    template <std::same_as<base> Shared>
    round_robin_policy(const Shared& shared) : base{shared} {}
};

template <class Resource>
round_robin_policy(const std::vector<Resource>&, std::size_t = 0) -> round_robin_policy<Resource>;
template <pointsman::detail::listed_resource Resource>
round_robin_policy(std::initializer_list<Resource>, std::size_t = 0)
    -> round_robin_policy<Resource>;
template <class Resource, class Adapter>
    requires(!std::is_convertible_v<Adapter, std::size_t>)
round_robin_policy(const std::vector<Resource>&, Adapter, std::size_t = 0)
    -> round_robin_policy<Resource, Adapter>;
template <pointsman::detail::listed_resource Resource, class Adapter>
    requires(!std::is_convertible_v<Adapter, std::size_t>)
round_robin_policy(std::initializer_list<Resource>, Adapter, std::size_t = 0)
    -> round_robin_policy<Resource, Adapter>;

}  // namespace oneapi::dpl::experimental
