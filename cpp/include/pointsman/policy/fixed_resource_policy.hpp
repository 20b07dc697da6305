// SPDX-License-Identifier: Apache-2.0
// The policy that always chooses the same resource.
#pragma once

#include <cstddef>
#include <string>

#include "pointsman/error.hpp"
#include "pointsman/policy/detail/rule_policy.hpp"

namespace pointsman {

/// The rule of `fixed_resource_policy`, for `size` resources.
class fixed_resource_rule {
  public:
    static constexpr auto name = "fixed_resource";
    using settings = detail::rule_settings<std::size_t>;
    using reports = detail::needed_reports<>;
    using choice = detail::chosen_index;

    explicit fixed_resource_rule(std::size_t size, std::size_t offset = 0)
        : size_{size}, offset_{offset} {
        if (offset >= size) {
            throw resource_index_error{offset, size};
        }
    }

    static constexpr bool chooses_one = true;
    template <class... Task>
    [[nodiscard]] choice choose(std::size_t /*thread*/, const Task&...) const noexcept {
        return {offset_};
    }
    [[nodiscard]] std::string explain(const choice& chosen) const {
        return "it always takes " + detail::number_of(chosen.index, size_);
    }

  private:
    std::size_t size_;
    std::size_t offset_;
};

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
    : public detail::rule_policy<fixed_resource_policy<Resource, ResourceAdapter, Backend>,
                                 fixed_resource_rule, ResourceAdapter, Backend> {
  public:
    using fixed_resource_policy::rule_policy::rule_policy;
};
POINTSMAN_POLICY_GUIDES(fixed_resource_policy, std::size_t);

static_assert(detail::policy_by_rule<fixed_resource_policy<detail::sample_resource>>);

}  // namespace pointsman
