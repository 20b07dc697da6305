// SPDX-License-Identifier: Apache-2.0
// A non-owning selection, which a backend gets while `submit` runs.
#pragma once

#include <utility>

#include "pointsman/policy/detail/set_selection.hpp"

namespace pointsman::detail {

/// Borrows the generation, which `submit` protects while it runs, so no reference is counted. To keep the
/// selection longer, convert it to a `set_selection` with `keep`.
template <class Policy, class... ReportReqs>
class placement : public accounted_choice<Policy, ReportReqs...> {
    using base = accounted_choice<Policy, ReportReqs...>;

  public:
    placement(generation<Policy>& current, typename base::choice_type choice) noexcept
        : base{*current.set, std::move(choice), true}, current_{&current} {}
    placement(placement&&) noexcept = default;
    [[gnu::always_inline]] ~placement() { this->drop(); }

    [[nodiscard]] Policy policy() const { return Policy::of(*this->set_, current_); }
    [[nodiscard]] Policy get_policy() const { return policy(); }

    /// Moves the choice and its reservation to the caller; the destructor then gives nothing back.
    [[nodiscard]] typename base::choice_type release() noexcept {
        this->reserved_ = false;
        return std::move(this->choice_);
    }

    /// A selection that may be kept; the reservation moves to it.
    [[nodiscard]] set_selection<Policy, ReportReqs...> keep() && {
        return {ref<generation<Policy>>::share(current_), std::move(this->choice_),
                std::exchange(this->reserved_, false)};
    }

  private:
    generation<Policy>* current_;
};

}  // namespace pointsman::detail
