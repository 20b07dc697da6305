// SPDX-License-Identifier: Apache-2.0
// The selection of a policy that keeps its state in the resource set: a set and an index.
#pragma once

#include <cstddef>
#include <utility>

#include "fairlead/backend/backend_traits.hpp"
#include "fairlead/policy/resource_set.hpp"

namespace fairlead {

/// Selection that refers to the policy's shared set of resources; it copies neither policy nor
/// resource. While a `submit` is under way it borrows the set; `own()` makes it fit to be stored and
/// passed to another thread, as does copying it.
template <class Policy, class... ReportReqs>
class set_selection {
  public:
    using set_pointer = detail::snapshot<detail::resource_set<Policy>>;

    set_selection(set_pointer set, std::size_t index) : set_{std::move(set)}, index_{index} {}

    /// The chosen resource. Valid as long as the selection.
    [[nodiscard]] const auto& unwrap() const noexcept { return set_->resources[index_]; }
    /// The policy that chose, made on demand; it shares its state with all copies.
    [[nodiscard]] Policy policy() const { return Policy::of(*set_); }
    [[nodiscard]] Policy get_policy() const { return policy(); }
    /// Position of the resource in the policy's set.
    [[nodiscard]] std::size_t index() const noexcept { return index_; }
    [[nodiscard]] auto& backend() const noexcept { return set_->backend; }

    void own() noexcept { set_.own(); }

    /// Room for the backend's instrumentation.
    [[no_unique_address]] typename backend_traits<
        typename Policy::backend_type>::template selection_scratch_t<ReportReqs...>
        scratch_space{};

  protected:
    [[nodiscard]] auto& state() const noexcept { return set_->state; }

  private:
    set_pointer set_;
    std::size_t index_;
};

}  // namespace fairlead
