// SPDX-License-Identifier: Apache-2.0
// A minimal selection for custom policies: a reference to the policy and the chosen resource.
#pragma once

#include <memory>
#include <utility>

#include "pointsman/info/unwrap.hpp"
#include "pointsman/policy/selection.hpp"

namespace pointsman {

/// Selection for custom policies without reporting requirements. It refers to the policy object and
/// does not copy it, so the policy must outlive the selection.
/// Source: *Policy Implementation Pattern* in the custom policies document.
template <class Policy, class ExecutionResource>
class basic_selection_handle_t {
  public:
    basic_selection_handle_t(const Policy& policy, ExecutionResource resource)
        : policy_{std::addressof(policy)}, resource_(std::move(resource)) {}

    [[nodiscard]] decltype(auto) unwrap() const { return pointsman::unwrap(resource_); }
    [[nodiscard]] const Policy& policy() const noexcept { return *policy_; }
    [[nodiscard]] const Policy& get_policy() const noexcept { return *policy_; }

  private:
    const Policy* policy_;
    ExecutionResource resource_;
};

static_assert(selection<basic_selection_handle_t<int, int>>);

}  // namespace pointsman
