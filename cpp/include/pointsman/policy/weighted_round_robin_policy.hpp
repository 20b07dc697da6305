// SPDX-License-Identifier: Apache-2.0
// The policy that takes its resources in turn, some more often than others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <type_traits>
#include <utility>
#include <vector>

#include "pointsman/policy/detail/turn.hpp"
#include "pointsman/policy/detail/weighted_order.hpp"
#include "pointsman/policy/policy.hpp"
#include "pointsman/policy/policy_base.hpp"
#include "pointsman/policy/policy_state.hpp"
#include "pointsman/policy/selection.hpp"

namespace pointsman {

/// Takes the resources of its set in turn; of each round, resource `i` has `weights[i]` turns, spread
/// evenly. Without weights it is `round_robin_policy`. Use it for resources whose speeds are known.
///
/// **Needs**: no reports.
/// **Throws**: at construction `empty_resource_set`; `invalid_option` when there is not one weight for
/// each resource, when all are zero, and when a round is longer than `longest_round`.
/// **Thread safety**: all members from any thread; copies share the turn. A thread
/// takes up to eight turns at once.
/// **Cost**: as `round_robin_policy`, and a look into the round's order.
/// **Example**: `weighted_round_robin_policy p{{gpu, cpu}, {5, 1}};`
template <class Resource = any_resource, class ResourceAdapter = identity,
          class Backend = default_backend<Resource, ResourceAdapter>>
class weighted_round_robin_policy
    : public policy_base<weighted_round_robin_policy<Resource, ResourceAdapter, Backend>,
                         ResourceAdapter, Backend> {
    using base = policy_base<weighted_round_robin_policy, ResourceAdapter, Backend>;

  public:
    using typename base::resource_type;
    using selection_type = typename base::state_selection;
    using weights_type = std::vector<std::uint32_t>;

    class state_type {
      public:
        explicit state_type(const std::vector<resource_type>& resources, weights_type weights = {})
            : order_{weighted_order(resources.size(), std::move(weights))},
              turn_{order_.size(), 0} {}

        struct choice {
            std::size_t index;
        };
        template <class... Task>
        [[nodiscard]] choice choose(std::size_t thread, const Task&...) noexcept {
            return {order_[turn_.next(thread)]};
        }

      private:
        const std::vector<std::uint32_t> order_;
        turn turn_;
    };

    explicit weighted_round_robin_policy(deferred_initialization_t) {}
    explicit weighted_round_robin_policy() { base::initialize(); }
    explicit weighted_round_robin_policy(const std::vector<resource_type>& resources,
                                         weights_type weights = {}) {
        base::initialize(resources, std::move(weights));
    }
    weighted_round_robin_policy(const std::vector<resource_type>& resources,
                                std::type_identity_t<ResourceAdapter> adapter,
                                weights_type weights = {}) {
        base::initialize(resources, std::move(adapter), std::move(weights));
    }
};

template <class Resource>
weighted_round_robin_policy(const std::vector<Resource>&, std::vector<std::uint32_t> = {})
    -> weighted_round_robin_policy<Resource>;
template <detail::listed_resource Resource>
weighted_round_robin_policy(std::initializer_list<Resource>, std::vector<std::uint32_t> = {})
    -> weighted_round_robin_policy<Resource>;
template <class Resource, class Adapter>
    requires(!std::is_convertible_v<Adapter, std::vector<std::uint32_t>>)
weighted_round_robin_policy(const std::vector<Resource>&, Adapter, std::vector<std::uint32_t> = {})
    -> weighted_round_robin_policy<Resource, Adapter>;
template <detail::listed_resource Resource, class Adapter>
    requires(!std::is_convertible_v<Adapter, std::vector<std::uint32_t>>)
weighted_round_robin_policy(std::initializer_list<Resource>, Adapter,
                            std::vector<std::uint32_t> = {})
    -> weighted_round_robin_policy<Resource, Adapter>;

static_assert(policy<weighted_round_robin_policy<detail::sample_resource>> &&
              policy_state<weighted_round_robin_policy<detail::sample_resource>::state_type> &&
              selection<weighted_round_robin_policy<detail::sample_resource>::selection_type>);

}  // namespace pointsman
