// SPDX-License-Identifier: Apache-2.0
// A selection that owns the policy's resources, so that the caller may keep it.
#pragma once

#include <utility>

#include "pointsman/policy/detail/accounted_choice.hpp"

namespace pointsman {

/// Selection that refers to the policy's shared set of resources; it copies neither policy nor
/// resource.
///
/// For policies that count load, the selection counts as one task from the moment it is made: the first
/// reported `task_submission` is this task and adds no load. `task_completion` gives the load back, and so
/// does destroying the selection before anything is reported. Reports may come through a copy, which gives
/// nothing back when it is destroyed. A `task_completion` too many throws `unexpected_report`; the reports
/// through several copies of one selection are not added up. A policy learns from `task_time` and
/// `task_failure` at any time.
///
/// The selection owns its resources and their backend. A user-defined backend gets a detached selection,
/// which keeps the resources alive but not the backend, so that the backend may store it.
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
    /// Drops the previous selection.
    set_selection& operator=(set_selection other) noexcept {
        this->swap(other);
        std::swap(current_, other.current_);
        std::swap(kept_set_, other.kept_set_);
        return *this;
    }
    ~set_selection() { this->drop(); }

    /// Returns the policy that chose, made on demand; it shares its state with all copies. If all copies
    /// have been destroyed, returns a policy with the resources of this selection, or without resources if
    /// the selection is detached.
    [[nodiscard]] Policy policy() const { return Policy::of(*this->set_, current_.get()); }
    [[nodiscard]] Policy get_policy() const { return policy(); }

    /// Returns a copy for one submission; an unused reservation moves to the copy.
    [[nodiscard]] set_selection hand_over() const {
        set_selection next{*this};
        this->hand_over_to(next);
        return next;
    }

    /// Returns the generation that this owned, or an empty reference; this then owns only the set.
    [[nodiscard]] generation_ref detach() noexcept {
        if (!kept_set_) {
            kept_set_ = set_ref::share(this->set_);
        }
        return std::move(current_);
    }
    /// Returns the generation that this owns; empty if this is detached.
    [[nodiscard]] const generation_ref& current() const noexcept { return current_; }

  private:
    generation_ref current_;
    set_ref kept_set_;
};

}  // namespace pointsman
