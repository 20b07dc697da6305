// SPDX-License-Identifier: Apache-2.0
// A selection that counts as load from the moment it is made.
#pragma once

#include <cstddef>
#include <utility>

#include "fairlead/info/execution_info.hpp"
#include "fairlead/policy/set_selection.hpp"

namespace fairlead {

/// Selection of a policy whose state has `give_back(index)` and `add(index)`. The rule has counted one
/// submission on the resource already; the first `task_submission` reported takes that over, the
/// `task_completion` gives it back, and so does dropping the selection before anything was reported.
/// Reports may come through a copy, which never gives anything back by itself.
template <class Policy, class... ReportReqs>
class reserved_selection : public set_selection<Policy, ReportReqs...> {
    using base = set_selection<Policy, ReportReqs...>;

  public:
    reserved_selection(typename base::generation_pointer current, std::size_t index)
        : base{std::move(current), index} {}
    reserved_selection(const reserved_selection& other) : base{other}, reserved_{false} {}
    reserved_selection(reserved_selection&& other) noexcept
        : base{std::move(other)}, reserved_{std::exchange(other.reserved_, false)} {}
    reserved_selection& operator=(reserved_selection) = delete;
    ~reserved_selection() {
        if (reserved_) {
            this->state().give_back(this->index());
        }
    }

    /// A copy for one submission, which takes the reservation along when it is still unused.
    [[nodiscard]] reserved_selection hand_over() {
        reserved_selection next{*this};
        next.reserved_ = std::exchange(reserved_, false);
        return next;
    }

    void report(execution_info::task_submission_t) const noexcept {
        if (!std::exchange(reserved_, false)) {
            this->state().add(this->index());
        }
    }
    void report(execution_info::task_completion_t) const noexcept {
        reserved_ = false;
        this->state().give_back(this->index());
    }

  private:
    mutable bool reserved_ = true;
};

}  // namespace fairlead
