// SPDX-License-Identifier: Apache-2.0
// The policy that always chooses the same resource.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <type_traits>
#include <utility>
#include <vector>

#include "pointsman/error.hpp"
#include "pointsman/policy/policy.hpp"
#include "pointsman/policy/policy_base.hpp"
#include "pointsman/policy/policy_state.hpp"
#include "pointsman/policy/selection.hpp"

namespace pointsman {

/// Always chooses the resource at `offset` of its set. Use it to pin work, and as the baseline
/// against which the other policies are measured.
///
/// **Needs**: no reports.
/// **Throws**: at construction `empty_resource_set`, `resource_index_error`.
/// **Thread safety**: all members from any thread; copies share state.
/// **Cost**: a submit adds a few nanoseconds to the call and allocates nothing.
/// **Example**: `fixed_resource_policy p{{0, 1, 2}, 1};  submit(p, [](int r) { use(r); });`
/// Source: *fixed_resource_policy* in the dynamic selection document.
template <class Resource = any_resource, class ResourceAdapter = identity,
          class Backend = default_backend<Resource, ResourceAdapter>>
class fixed_resource_policy
    : public policy_base<fixed_resource_policy<Resource, ResourceAdapter, Backend>, ResourceAdapter,
                         Backend> {
    using base = policy_base<fixed_resource_policy, ResourceAdapter, Backend>;

  public:
    using typename base::resource_type;
    using selection_type = typename base::state_selection;

    class state_type {
      public:
        explicit state_type(const std::vector<resource_type>& resources, std::size_t offset = 0)
            : offset_{offset} {
            if (offset >= resources.size()) {
                throw resource_index_error{offset, resources.size()};
            }
        }

        static constexpr bool chooses_one = true;
        struct choice {
            std::size_t index;
        };
        template <class... Task>
        [[nodiscard]] choice choose(std::size_t /*thread*/, const Task&...) const noexcept {
            return {offset_};
        }

      private:
        std::size_t offset_;
    };

    explicit fixed_resource_policy(deferred_initialization_t) {}
    explicit fixed_resource_policy(std::size_t offset = 0) { base::initialize(offset); }
    explicit fixed_resource_policy(const std::vector<resource_type>& resources,
                                   std::size_t offset = 0) {
        base::initialize(resources, offset);
    }
    fixed_resource_policy(const std::vector<resource_type>& resources,
                          std::type_identity_t<ResourceAdapter> adapter, std::size_t offset = 0) {
        base::initialize(resources, std::move(adapter), offset);
    }
};

template <class Resource>
fixed_resource_policy(const std::vector<Resource>&, std::size_t = 0)
    -> fixed_resource_policy<Resource>;
template <detail::listed_resource Resource>
fixed_resource_policy(std::initializer_list<Resource>, std::size_t = 0)
    -> fixed_resource_policy<Resource>;
template <class Resource, class Adapter>
    requires(!std::is_integral_v<Adapter>)
fixed_resource_policy(const std::vector<Resource>&, Adapter, std::size_t = 0)
    -> fixed_resource_policy<Resource, Adapter>;
template <detail::listed_resource Resource, class Adapter>
    requires(!std::is_integral_v<Adapter>)
fixed_resource_policy(std::initializer_list<Resource>, Adapter, std::size_t = 0)
    -> fixed_resource_policy<Resource, Adapter>;

static_assert(policy<fixed_resource_policy<detail::sample_resource>> &&
              policy_state<fixed_resource_policy<detail::sample_resource>::state_type> &&
              selection<fixed_resource_policy<detail::sample_resource>::selection_type>);

}  // namespace pointsman
