// SPDX-License-Identifier: Apache-2.0
// The policy that chooses the resource with the least outstanding work.
#pragma once

#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <type_traits>
#include <utility>
#include <vector>

#include "oneapi/dpl/selection/adapted_backend.hpp"
#include "oneapi/dpl/selection/functions.hpp"
#include "pointsman/backend/backend_base.hpp"
#include "pointsman/policy/dynamic_load_policy.hpp"
#include "pointsman/policy/tie_break.hpp"

namespace oneapi::dpl::experimental {

/// `pointsman::dynamic_load_policy` over any backend that oneDPL's takes. Of resources with the same load it
/// takes the first, from `offset` on.
template <class Resource, class ResourceAdapter = identity,
          class Backend = default_backend<Resource, ResourceAdapter>>
class dynamic_load_policy
    : public pointsman::dynamic_load_policy<
          Resource, ResourceAdapter,
          detail::adapted_backend_t<Backend, ResourceAdapter, execution_info::task_submission_t,
                                    execution_info::task_completion_t>> {
    using base = pointsman::dynamic_load_policy<
        Resource, ResourceAdapter,
        detail::adapted_backend_t<Backend, ResourceAdapter, execution_info::task_submission_t,
                                  execution_info::task_completion_t>>;

    static_assert(
        !pointsman::detail::submits_unreported<Backend>,
        "dynamic_load_policy needs a backend that reports execution_info::task_submission "
        "and execution_info::task_completion: give it a submit(selection, f, args...) that "
        "does, or take default_backend, or a policy that needs no reports");

  public:
    using backend_type = Backend;
    using typename base::resource_type;

    /// What a selection or a submission says of its policy, which shares its state with this.
    template <std::same_as<base> Shared>
    dynamic_load_policy(const Shared& shared) : base{shared} {}
    explicit dynamic_load_policy(deferred_initialization_t tag) : base{tag} {}
    explicit dynamic_load_policy(std::size_t offset = 0) : base{offset, ties} {}
    explicit dynamic_load_policy(const std::vector<resource_type>& resources,
                                 std::size_t offset = 0)
        : base{resources, offset, ties} {}
    dynamic_load_policy(const std::vector<resource_type>& resources, ResourceAdapter adapter,
                        std::size_t offset = 0)
        : base{resources, std::move(adapter), offset, ties} {}

    /// Takes the default set. A template, so that `{3}` is a set of resources and not an offset.
    void initialize() { base::initialize(std::size_t{0}, ties); }
    template <std::integral Offset>
    void initialize(Offset offset) {
        base::initialize(static_cast<std::size_t>(offset), ties);
    }
    /// Takes `resources`; a second call replaces them.
    void initialize(const std::vector<resource_type>& resources, std::size_t offset = 0) {
        base::initialize(resources, offset, ties);
    }
    void initialize(const std::vector<resource_type>& resources, ResourceAdapter adapter,
                    std::size_t offset = 0) {
        base::initialize(resources, std::move(adapter), offset, ties);
    }

  private:
    static constexpr auto ties = pointsman::tie_break::first;
};

template <class Resource>
dynamic_load_policy(const std::vector<Resource>&, std::size_t = 0) -> dynamic_load_policy<Resource>;
template <pointsman::detail::listed_resource Resource>
dynamic_load_policy(std::initializer_list<Resource>, std::size_t = 0)
    -> dynamic_load_policy<Resource>;
template <class Resource, class Adapter>
    requires(!std::is_convertible_v<Adapter, std::size_t>)
dynamic_load_policy(const std::vector<Resource>&, Adapter, std::size_t = 0)
    -> dynamic_load_policy<Resource, Adapter>;
template <pointsman::detail::listed_resource Resource, class Adapter>
    requires(!std::is_convertible_v<Adapter, std::size_t>)
dynamic_load_policy(std::initializer_list<Resource>, Adapter, std::size_t = 0)
    -> dynamic_load_policy<Resource, Adapter>;

}  // namespace oneapi::dpl::experimental
