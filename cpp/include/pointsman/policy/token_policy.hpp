// SPDX-License-Identifier: Apache-2.0
// The policy that bounds the outstanding work of each resource.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pointsman/error.hpp"
#include "pointsman/info/execution_info.hpp"
#include "pointsman/policy/detail/load_table.hpp"
#include "pointsman/policy/detail/rule_policy.hpp"
#include "pointsman/policy/tie_break.hpp"

namespace pointsman {

/// The rule of `token_policy`, for `size` resources.
class token_rule {
  public:
    static constexpr auto name = "token";
    using settings = detail::rule_settings<std::uint32_t, tie_break>;
    using reports = detail::needed_reports<execution_info::task_submission_t,
                                           execution_info::task_completion_t>;
    using choice = detail::chosen_index;

    explicit token_rule(std::size_t size, std::uint32_t tokens = 1,
                        tie_break ties = tie_break::rotate)
        : table_{size, 0, ties}, tokens_{tokens} {
        if (tokens == 0) {
            throw invalid_option{"tokens is 0, so nothing could run: pass 1 or more"};
        }
    }

    static constexpr bool notifies_always = true;
    /// Takes a token of the resource that it returns.
    template <class... Task>
    [[nodiscard]] std::optional<choice> choose(std::size_t thread, const Task&...) noexcept {
        const auto index = table_.reserve_below(tokens_, thread);
        return index ? std::optional{choice{*index}} : std::nullopt;
    }
    /// As `choose`, but only among the resources for which `suits(index)` is true.
    template <class Suits, class... Task>
    [[nodiscard]] std::optional<choice> choose_among(std::size_t thread, const Suits& suits,
                                                     const Task&...) {
        const auto index = table_.reserve_below(tokens_, thread, suits);
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
    std::uint32_t tokens_;
};

/// Gives each resource `tokens` tokens. A submission holds a token of the least loaded resource until it
/// is complete. If no token is free, `try_submit` returns an empty optional and `submit` waits for one.
/// Ties rotate; with `tie_break::first` the first resource wins. Use it to bound queues and memory.
///
/// **Needs**: `task_submission` and `task_completion`.
/// **Throws**: at construction `empty_resource_set`; `invalid_option` for zero tokens.
/// **Thread safety**: all members from any thread; copies share the tokens. A resource never has more
/// than `tokens` submissions outstanding, except through a selection that is submitted more than once.
/// **Cost**: a scan that stops at the first idle resource, two atomic operations, no allocation.
/// The completion of a task wakes the waiting threads.
/// **Example**: `token_policy p{{0, 1}, 4};  if (!p.try_submit(work)) { do_something_else(); }`
/// Source: *Policy Design* in the custom policies document, which lets a rule find no resource.
template <class Resource = any_resource, class ResourceAdapter = identity,
          class Backend = default_backend<Resource, ResourceAdapter>>
class token_policy : public detail::rule_policy<token_policy<Resource, ResourceAdapter, Backend>,
                                                token_rule, ResourceAdapter, Backend> {
  public:
    using token_policy::rule_policy::rule_policy;
};
POINTSMAN_POLICY_GUIDES(token_policy, std::uint32_t, tie_break);

static_assert(detail::policy_by_rule<token_policy<detail::sample_resource>>);

}  // namespace pointsman
