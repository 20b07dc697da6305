// SPDX-License-Identifier: Apache-2.0
// The selection of a policy that keeps its state in the resource set: a set and a choice.
#pragma once

#include <utility>

#include "pointsman/policy/detail/accounted_choice.hpp"

namespace pointsman {

/// Selection that refers to the policy's shared set of resources; it copies neither policy nor
/// resource.
///
/// It counts as load from the moment it is made, for policies that count: the first
/// `task_submission` reported takes that over, the `task_completion` gives it back, and so does
/// dropping the selection before anything was reported. Reports may come through a copy, which never
/// gives anything back by itself. A `task_completion` too many throws `unexpected_report`; what was
/// reported through copies of one selection is for the caller to know. A `task_time` or `task_failure`
/// teaches the policy whenever it comes.
///
/// It owns its resources and their backend. A backend of the user's own receives it detached: it then
/// keeps the resources alive but not the backend, so that the backend may store it.
template <class Policy, class... ReportReqs>
class set_selection : public detail::accounted_choice<Policy, ReportReqs...> {
    using base = detail::accounted_choice<Policy, ReportReqs...>;
    using generation_ref = detail::ref<detail::generation<Policy>>;
    using set_ref = detail::ref<detail::resource_set<Policy>>;

  public:
    set_selection(generation_ref current, typename base::choice_type choice, bool reserved) noexcept
        : base{*current->set, std::move(choice), reserved}, current_{std::move(current)} {}
    set_selection(set_ref set, typename base::choice_type choice, bool reserved) noexcept
        : base{*set, std::move(choice), reserved}, kept_set_{std::move(set)} {}
    set_selection(const set_selection&) = default;
    set_selection(set_selection&&) noexcept = default;
    /// Drops the selection that this was.
    set_selection& operator=(set_selection other) noexcept {
        this->swap(other);
        std::swap(current_, other.current_);
        std::swap(kept_set_, other.kept_set_);
        return *this;
    }
    ~set_selection() { this->drop(); }

    /// The policy that chose, made on demand; it shares its state with all copies. When the policy
    /// is gone, an owning selection still has its resources, a detached one gives a policy without.
    [[nodiscard]] Policy policy() const { return Policy::of(*this->set_, current_.get()); }
    [[nodiscard]] Policy get_policy() const { return policy(); }

    /// A copy for one submission, which takes the reservation along when it is still unused.
    [[nodiscard]] set_selection hand_over() const {
        set_selection next{*this};
        this->hand_over_to(next);
        return next;
    }

    /// The generation that was owned, empty if there was none; the selection then keeps only the set.
    [[nodiscard]] generation_ref detach() noexcept {
        if (!kept_set_) {
            kept_set_ = set_ref::share(this->set_);
        }
        return std::move(current_);
    }
    /// The generation that this owns; empty for a detached selection.
    [[nodiscard]] const generation_ref& current() const noexcept { return current_; }

  private:
    generation_ref current_;
    set_ref kept_set_;
};

}  // namespace pointsman
