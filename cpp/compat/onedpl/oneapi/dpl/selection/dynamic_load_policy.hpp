// SPDX-License-Identifier: Apache-2.0
// The policy that chooses the resource with the least outstanding work.
#pragma once

#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <type_traits>
#include <vector>

#include "fairlead/policy/dynamic_load_policy.hpp"
#include "oneapi/dpl/selection/adapted_backend.hpp"

namespace oneapi::dpl::experimental {

/// `fairlead::dynamic_load_policy` over any backend that oneDPL's takes.
template <class Resource, class ResourceAdapter = identity,
          class Backend = default_backend<Resource, ResourceAdapter>>
class dynamic_load_policy
    : public fairlead::dynamic_load_policy<
          Resource, ResourceAdapter,
          detail::adapted_backend_t<Backend, ResourceAdapter, execution_info::task_submission_t,
                                    execution_info::task_completion_t>> {
    using base = fairlead::dynamic_load_policy<
        Resource, ResourceAdapter,
        detail::adapted_backend_t<Backend, ResourceAdapter, execution_info::task_submission_t,
                                  execution_info::task_completion_t>>;

    static_assert(
        !fairlead::detail::submits_unreported<Backend>,
        "dynamic_load_policy needs a backend that reports execution_info::task_submission "
        "and execution_info::task_completion: give it a submit(selection, f, args...) that "
        "does, or take default_backend, or a policy that needs no reports");

  public:
    using backend_type = Backend;
    using base::base;
    /// What a selection or a submission says of its policy, which shares its state with this.
    template <std::same_as<base> Shared>
    dynamic_load_policy(const Shared& shared) : base{shared} {}
};

template <class Resource>
dynamic_load_policy(const std::vector<Resource>&, std::size_t = 0) -> dynamic_load_policy<Resource>;
template <fairlead::detail::listed_resource Resource>
dynamic_load_policy(std::initializer_list<Resource>, std::size_t = 0)
    -> dynamic_load_policy<Resource>;
template <class Resource, class Adapter>
    requires(!std::is_convertible_v<Adapter, std::size_t>)
dynamic_load_policy(const std::vector<Resource>&, Adapter, std::size_t = 0)
    -> dynamic_load_policy<Resource, Adapter>;
template <fairlead::detail::listed_resource Resource, class Adapter>
    requires(!std::is_convertible_v<Adapter, std::size_t>)
dynamic_load_policy(std::initializer_list<Resource>, Adapter, std::size_t = 0)
    -> dynamic_load_policy<Resource, Adapter>;

}  // namespace oneapi::dpl::experimental
