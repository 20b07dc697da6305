// SPDX-License-Identifier: Apache-2.0
// The policy that takes its resources in turn.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <type_traits>
#include <utility>
#include <vector>

#include "pointsman/error.hpp"
#include "pointsman/policy/detail/turn.hpp"
#include "pointsman/policy/policy.hpp"
#include "pointsman/policy/policy_base.hpp"
#include "pointsman/policy/policy_state.hpp"
#include "pointsman/policy/selection.hpp"

namespace pointsman {

/// Takes the resources of its set in turn, beginning with `offset`. Use it for equal resources and
/// tasks of about equal length.
///
/// The order is strict for one thread. A thread takes up to eight turns at once, so another one may
/// come eight turns before or after its place, and no resource gets more than 8 × threads beyond another.
///
/// **Needs**: no reports.
/// **Throws**: at construction `empty_resource_set`, `resource_index_error`.
/// **Thread safety**: all members from any thread; copies share the turn.
/// **Cost**: one atomic step for up to eight submissions; no allocation.
/// **Example**: `round_robin_policy p{{0, 1, 2}};  submit(p, [](int r) { use(r); });`
/// Source: *round_robin_policy* in the dynamic selection document.
template <class Resource = any_resource, class ResourceAdapter = identity,
          class Backend = default_backend<Resource, ResourceAdapter>>
class round_robin_policy
    : public policy_base<round_robin_policy<Resource, ResourceAdapter, Backend>, ResourceAdapter,
                         Backend> {
    using base = policy_base<round_robin_policy, ResourceAdapter, Backend>;

  public:
    using typename base::resource_type;
    using selection_type = typename base::state_selection;

    class state_type {
      public:
        explicit state_type(const std::vector<resource_type>& resources, std::size_t offset = 0)
            : turn_{resources.size(), offset} {
            if (offset >= resources.size()) {
                throw resource_index_error{offset, resources.size()};
            }
        }

        struct choice {
            std::size_t index;
        };
        template <class... Task>
        [[nodiscard]] choice choose(std::size_t thread, const Task&...) noexcept {
            return {turn_.next(thread)};
        }

      private:
        turn turn_;
    };

    explicit round_robin_policy(deferred_initialization_t) {}
    explicit round_robin_policy(std::size_t offset = 0) { base::initialize(offset); }
    explicit round_robin_policy(const std::vector<resource_type>& resources,
                                std::size_t offset = 0) {
        base::initialize(resources, offset);
    }
    round_robin_policy(const std::vector<resource_type>& resources,
                       std::type_identity_t<ResourceAdapter> adapter, std::size_t offset = 0) {
        base::initialize(resources, std::move(adapter), offset);
    }
};

template <class Resource>
round_robin_policy(const std::vector<Resource>&, std::size_t = 0) -> round_robin_policy<Resource>;
template <detail::listed_resource Resource>
round_robin_policy(std::initializer_list<Resource>, std::size_t = 0)
    -> round_robin_policy<Resource>;
template <class Resource, class Adapter>
    requires(!std::is_integral_v<Adapter>)
round_robin_policy(const std::vector<Resource>&, Adapter, std::size_t = 0)
    -> round_robin_policy<Resource, Adapter>;
template <detail::listed_resource Resource, class Adapter>
    requires(!std::is_integral_v<Adapter>)
round_robin_policy(std::initializer_list<Resource>, Adapter, std::size_t = 0)
    -> round_robin_policy<Resource, Adapter>;

static_assert(policy<round_robin_policy<detail::sample_resource>> &&
              policy_state<round_robin_policy<detail::sample_resource>::state_type> &&
              selection<round_robin_policy<detail::sample_resource>::selection_type>);

}  // namespace pointsman
