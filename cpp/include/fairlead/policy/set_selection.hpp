// SPDX-License-Identifier: Apache-2.0
// The selection of a policy that keeps its state in the resource set: a set and an index.
#pragma once

#include <cstddef>
#include <utility>

#include "fairlead/backend/backend_traits.hpp"
#include "fairlead/policy/resource_set.hpp"

namespace fairlead {

/// Selection that refers to the policy's shared set of resources; it copies neither policy nor
/// resource.
///
/// While a `submit` is under way it borrows the policy's current generation, at next to no cost but
/// bound to the calling thread. `own()` makes it fit to be kept and passed on. A backend of the
/// user's own receives it detached: it keeps the set alive but not the backend, so that the backend
/// may store it. A copy of an owning selection owns, any other copy is detached.
template <class Policy, class... ReportReqs>
class set_selection {
    using set_type = detail::resource_set<Policy>;

  public:
    using generation_pointer = detail::snapshot<detail::generation<Policy>>;

    set_selection(generation_pointer current, std::size_t index)
        : current_{std::move(current)}, set_{current_->set.get()}, index_{index} {}
    set_selection(const set_selection& other)
        : scratch_space{other.scratch_space}, set_{other.set_}, index_{other.index_} {
        if (other.current_ && other.current_.owns()) {
            current_ = other.current_;
        } else {
            kept_set_ = detail::ref<set_type>::share(set_);
        }
    }
    set_selection(set_selection&&) noexcept = default;
    set_selection& operator=(const set_selection&) = delete;
    set_selection& operator=(set_selection&&) noexcept = default;
    ~set_selection() = default;

    /// The chosen resource. Valid as long as the selection.
    [[nodiscard]] const auto& unwrap() const noexcept { return set_->resources[index_]; }
    /// The policy that chose, made on demand; it shares its state with all copies. When the policy
    /// is gone, an owning selection still has its resources, a detached one gives a policy without.
    [[nodiscard]] Policy policy() const { return Policy::of(*set_, current_.get()); }
    [[nodiscard]] Policy get_policy() const { return policy(); }
    /// Position of the resource in the policy's set.
    [[nodiscard]] std::size_t index() const noexcept { return index_; }

    void own() noexcept { current_.own(); }

    /// The generation that was borrowed or owned, empty if there is none; the selection then keeps
    /// only the set.
    [[nodiscard]] generation_pointer detach() noexcept {
        if (!kept_set_) {
            kept_set_ = detail::ref<set_type>::share(set_);
        }
        return std::move(current_);
    }
    [[nodiscard]] const generation_pointer& current() const noexcept { return current_; }

    /// Room for the backend's instrumentation.
    [[no_unique_address]] typename backend_traits<
        typename Policy::backend_type>::template selection_scratch_t<ReportReqs...> scratch_space{};

  protected:
    [[nodiscard]] auto& state() const noexcept { return set_->state; }

  private:
    generation_pointer current_;
    detail::ref<set_type> kept_set_;
    set_type* set_;
    std::size_t index_;
};

}  // namespace fairlead
