// SPDX-License-Identifier: Apache-2.0
// The policy that takes its resources in turn, some more often than others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "pointsman/policy/detail/rule_policy.hpp"
#include "pointsman/policy/detail/turn.hpp"
#include "pointsman/policy/detail/weighted_order.hpp"

namespace pointsman {

/// The rule of `weighted_round_robin_policy`, for `size` resources.
class weighted_round_robin_rule {
  public:
    static constexpr auto name = "weighted_round_robin";
    using settings = detail::rule_settings<std::vector<std::uint32_t>>;
    using reports = detail::needed_reports<>;
    using choice = detail::chosen_index;

    explicit weighted_round_robin_rule(std::size_t size, std::vector<std::uint32_t> weights = {})
        : size_{size}, order_{weighted_order(size, std::move(weights))}, turn_{order_.size(), 0} {}

    template <class... Task>
    [[nodiscard]] choice choose(std::size_t thread, const Task&...) noexcept {
        return {order_[turn_.next(thread)]};
    }
    [[nodiscard]] std::string explain(const choice& chosen) const {
        return "it was the turn of " + detail::number_of(chosen.index, size_) + ", by weight";
    }

  private:
    std::size_t size_;
    const std::vector<std::uint32_t> order_;
    turn turn_;
};

/// Takes the resources of its set in turn; in each round, resource `i` gets `weights[i]` turns, spread
/// evenly. Without weights it is `round_robin_policy`. Use it for resources whose speeds are known.
///
/// **Needs**: no reports.
/// **Throws**: at construction `empty_resource_set`; `invalid_option` if the number of weights differs
/// from that of resources, if all weights are zero, or if a round is longer than `longest_round`.
/// **Thread safety**: all members from any thread; copies share the rotation. A thread leases up to eight
/// turns at once.
/// **Cost**: as `round_robin_policy`, plus one array lookup.
/// **Example**: `weighted_round_robin_policy p{{gpu, cpu}, {5, 1}};`
template <class Resource = any_resource, class ResourceAdapter = identity,
          class Backend = default_backend<Resource, ResourceAdapter>>
class weighted_round_robin_policy
    : public detail::rule_policy<weighted_round_robin_policy<Resource, ResourceAdapter, Backend>,
                                 weighted_round_robin_rule, ResourceAdapter, Backend> {
  public:
    using weights_type = std::vector<std::uint32_t>;
    using weighted_round_robin_policy::rule_policy::rule_policy;
};
POINTSMAN_POLICY_GUIDES(weighted_round_robin_policy, std::vector<std::uint32_t>);

static_assert(detail::policy_by_rule<weighted_round_robin_policy<detail::sample_resource>>);

}  // namespace pointsman
