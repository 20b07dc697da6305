// SPDX-License-Identifier: Apache-2.0
// The selection of a submission that is under way.
#pragma once

#include <utility>

#include "pointsman/policy/detail/set_selection.hpp"

namespace pointsman::detail {

/// Borrows the generation that `submit` protects for as long as it runs, so that it costs nothing
/// and is never moved. Whoever needs it longer makes a `set_selection` of it.
template <class Policy, class... ReportReqs>
class placement : public accounted_choice<Policy, ReportReqs...> {
    using base = accounted_choice<Policy, ReportReqs...>;

  public:
    placement(generation<Policy>& current, typename base::choice_type choice) noexcept
        : base{*current.set, std::move(choice), true}, current_{&current} {}
    placement(placement&&) noexcept = default;
    ~placement() { this->drop(); }

    [[nodiscard]] Policy policy() const { return Policy::of(*this->set_, current_); }
    [[nodiscard]] Policy get_policy() const { return policy(); }

    /// The choice with its reservation; this gives nothing back then.
    [[nodiscard]] typename base::choice_type release() noexcept {
        this->reserved_ = false;
        return std::move(this->choice_);
    }

    /// A selection that may be kept; it takes the reservation along.
    [[nodiscard]] set_selection<Policy, ReportReqs...> keep() && {
        return {ref<generation<Policy>>::share(current_), std::move(this->choice_),
                std::exchange(this->reserved_, false)};
    }

  private:
    generation<Policy>* current_;
};

}  // namespace pointsman::detail
