// SPDX-License-Identifier: Apache-2.0
// The policy that chooses the resource with the least outstanding work.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "pointsman/error.hpp"
#include "pointsman/info/execution_info.hpp"
#include "pointsman/policy/detail/load_table.hpp"
#include "pointsman/policy/detail/rule_policy.hpp"
#include "pointsman/policy/tie_break.hpp"

namespace pointsman {

/// The rule of `dynamic_load_policy`, for `size` resources.
class dynamic_load_rule {
  public:
    static constexpr auto name = "dynamic_load";
    using settings = detail::rule_settings<std::size_t, tie_break>;
    using reports = detail::needed_reports<execution_info::task_submission_t,
                                           execution_info::task_completion_t>;
    using choice = detail::chosen_index;

    explicit dynamic_load_rule(std::size_t size, std::size_t offset = 0,
                               tie_break ties = tie_break::rotate)
        : table_{size, offset, ties} {
        if (offset >= size) {
            throw resource_index_error{offset, size};
        }
    }

    /// Counts the task on the resource that it returns.
    template <class... Task>
    [[nodiscard]] choice choose(std::size_t thread, const Task&...) noexcept {
        return {table_.reserve_least(thread)};
    }
    /// As `choose`, but only among the resources for which `suits(index)` is true.
    template <class Suits, class... Task>
    [[nodiscard]] std::optional<choice> choose_among(std::size_t thread, const Suits& suits,
                                                     const Task&...) {
        const auto index = table_.reserve_below(load_table::no_limit, thread, suits);
        return index ? std::optional{choice{*index}} : std::nullopt;
    }
    void add(const choice& chosen) noexcept { table_.add(chosen.index); }
    void give_back(const choice& chosen) noexcept { table_.subtract(chosen.index); }
    [[nodiscard]] std::string explain(const choice&) const {
        return "it had the fewest outstanding submissions";
    }

    [[nodiscard]] const load_table& table() const noexcept { return table_; }
    [[nodiscard]] std::vector<std::size_t> loads() const { return table_.loads(); }

  private:
    load_table table_;
};

/// Chooses the resource with the fewest outstanding submissions. Ties rotate, beginning with
/// `offset`; with `tie_break::first` the first resource from `offset` on wins. Use it when tasks differ in
/// length or resources in speed.
///
/// **Needs**: `task_submission` and `task_completion`.
/// **Throws**: at construction `empty_resource_set`, `resource_index_error`.
/// **Thread safety**: all members from any thread; copies share the loads. Of two simultaneous
/// submitters only one takes a given idle resource.
/// **Cost**: a scan that stops at the first idle resource, two atomic operations, no allocation.
/// **Example**: `dynamic_load_policy p{{0, 1}};  submit(p, [](int r) { return start(r); });`
/// Source: *dynamic_load_policy* in the dynamic selection document.
template <class Resource = any_resource, class ResourceAdapter = identity,
          class Backend = default_backend<Resource, ResourceAdapter>>
class dynamic_load_policy
    : public detail::rule_policy<dynamic_load_policy<Resource, ResourceAdapter, Backend>,
                                 dynamic_load_rule, ResourceAdapter, Backend> {
  public:
    using dynamic_load_policy::rule_policy::rule_policy;
};
POINTSMAN_POLICY_GUIDES(dynamic_load_policy, std::size_t, tie_break);

static_assert(detail::policy_by_rule<dynamic_load_policy<detail::sample_resource>>);

}  // namespace pointsman
