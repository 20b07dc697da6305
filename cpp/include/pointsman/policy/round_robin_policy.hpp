// SPDX-License-Identifier: Apache-2.0
// The policy that takes its resources in turn, with one atomic operation for several submissions.
#pragma once

#include <cstddef>
#include <string>

#include "pointsman/error.hpp"
#include "pointsman/policy/detail/rule_policy.hpp"
#include "pointsman/policy/detail/turn.hpp"

namespace pointsman {

/// The rule of `round_robin_policy`, for `size` resources.
class round_robin_rule {
  public:
    static constexpr auto name = "round_robin";
    using settings = detail::rule_settings<std::size_t>;
    using reports = detail::needed_reports<>;
    using choice = detail::chosen_index;

    explicit round_robin_rule(std::size_t size, std::size_t offset = 0) : turn_{size, offset} {
        if (offset >= size) {
            throw resource_index_error{offset, size};
        }
    }

    template <class... Task>
    [[nodiscard]] choice choose(std::size_t thread, const Task&...) noexcept {
        return {turn_.next(thread)};
    }
    [[nodiscard]] std::string explain(const choice& chosen) const {
        return "it was the turn of " + detail::number_of(chosen.index, turn_.size());
    }

  private:
    turn turn_;
};

/// Takes the resources of its set in turn, beginning with `offset`. Use it for equal resources and
/// tasks of about equal length.
///
/// With one thread the order is strict. A thread leases up to eight turns at once, so with several
/// threads the order is approximate: no resource gets more than 8 × threads submissions beyond another.
///
/// **Needs**: no reports.
/// **Throws**: at construction `empty_resource_set`, `resource_index_error`.
/// **Thread safety**: all members from any thread; copies share the rotation.
/// **Cost**: one atomic operation for up to eight submissions; no allocation.
/// **Example**: `round_robin_policy p{{0, 1, 2}};  submit(p, [](int r) { use(r); });`
/// Source: *round_robin_policy* in the dynamic selection document.
template <class Resource = any_resource, class ResourceAdapter = identity,
          class Backend = default_backend<Resource, ResourceAdapter>>
class round_robin_policy
    : public detail::rule_policy<round_robin_policy<Resource, ResourceAdapter, Backend>,
                                 round_robin_rule, ResourceAdapter, Backend> {
  public:
    using round_robin_policy::rule_policy::rule_policy;
};
POINTSMAN_POLICY_GUIDES(round_robin_policy, std::size_t);

static_assert(detail::policy_by_rule<round_robin_policy<detail::sample_resource>>);

}  // namespace pointsman
