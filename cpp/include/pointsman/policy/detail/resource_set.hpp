// SPDX-License-Identifier: Apache-2.0
// The backend, resources and policy state of one initialisation, which are replaced together.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "pointsman/backend/backend.hpp"
#include "pointsman/error.hpp"
#include "pointsman/policy/detail/snapshot.hpp"
#include "pointsman/resource/resource.hpp"
#include "pointsman/submission/default_submission_group.hpp"
#include "pointsman/trace/names.hpp"

namespace pointsman::detail {

/// True if the first of `Args`, the arguments of an `initialize` or a `select`, is a `T`.
template <class T, class... Args>
inline constexpr bool leads_v = false;
template <class T, class First, class... Rest>
inline constexpr bool leads_v<T, First, Rest...> = std::is_same_v<std::decay_t<First>, T>;

struct no_state {
    template <class Resources>
    explicit no_state(const Resources&) {}
};

template <class Policy>
struct state_of {
    using type = no_state;
};
template <class Policy>
    requires requires { typename Policy::state_type; }
struct state_of<Policy> {
    using type = typename Policy::state_type;
};

/// True if the policy has an `accepts_empty_set` that is true: its backend may have no resources.
template <class Policy>
inline constexpr bool accepts_empty_set_v = requires { requires Policy::accepts_empty_set; };

template <class Policy>
struct policy_core;

/// True if a new set of the policy takes over what the state before has learnt of equal resources.
template <class Policy>
concept inherits = has_equality_v<typename Policy::resource_type> &&
                   requires(typename state_of<Policy>::type& state,
                            std::vector<std::optional<std::size_t>> origins) {
                       state.inherit(std::as_const(state), std::move(origins));
                   };

/// Finds each of `resources` in `before`: returns its index there, or nothing for a new one. Of equal resources in
/// `before`, each is found once. Linear if both have the same order.
template <class Resource>
[[nodiscard]] std::vector<std::optional<std::size_t>> origins_in(
    const std::vector<Resource>& before, const std::vector<Resource>& resources) {
    std::vector<std::optional<std::size_t>> origins(resources.size());
    std::vector<bool> is_used(before.size());
    std::size_t next = 0;
    for (std::size_t i = 0; i < resources.size(); ++i) {
        for (std::size_t step = 0; step < before.size() && !origins[i]; ++step) {
            const std::size_t at = (next + step) % before.size();
            if (!is_used[at] && before[at] == resources[i]) {
                origins[i] = at;
                is_used[at] = true;
                next = at + 1;
            }
        }
    }
    return origins;
}

/// The resources of one initialisation and the policy's state for them. The set does not own the backend,
/// so that a backend may keep selections, which own the set.
template <class Policy>
struct resource_set final : ref_counted {
    using resources_type = std::vector<typename Policy::resource_type>;

    template <class... StateArgs>
    resource_set(const std::shared_ptr<policy_core<Policy>>& owner_, resources_type found,
                 StateArgs... args)
        : resources(not_empty(std::move(found))),
          state(resources, std::move(args)...),
          owner{owner_},
          group{owner_->group},
          trace_names{resources.size()} {}

    const resources_type resources;
    typename state_of<Policy>::type state;
    const std::weak_ptr<policy_core<Policy>> owner;
    const ref<submission_group_state> group;
    trace::resource_numbers trace_names;

  private:
    static resources_type not_empty(resources_type found) {
        if (found.empty() && !accepts_empty_set_v<Policy>) {
            throw empty_resource_set{};
        }
        return found;
    }
};

/// A backend and its resource set. Every `initialize` of a policy makes a new generation.
template <class Policy>
struct generation final : ref_counted {
    using backend_type = typename Policy::backend_type;

    template <class MakeBackend, class... StateArgs>
    generation(const std::shared_ptr<policy_core<Policy>>& owner, MakeBackend make_backend,
               StateArgs... args)
        : backend{make_backend()},
          set{make_ref<resource_set<Policy>>(owner, resources_of(backend, args...),
                                             std::move(args)...)} {
        if constexpr (requires { backend.share_group(set->group); }) {
            backend.share_group(set->group);
        }
    }

    backend_type backend;
    const ref<resource_set<Policy>> set;

  private:
    /// Returns the backend's resources, after the state's `prepare` has passed `args` to the backend.
    template <class... StateArgs>
    static auto resources_of(backend_type& backend, const StateArgs&... args) {
        if constexpr (requires { Policy::state_type::prepare(backend, args...); }) {
            Policy::state_type::prepare(backend, args...);
        }
        return backend.get_resources();
    }
};

/// The data that all copies of a policy share.
template <class Policy>
struct policy_core {
    snapshot_cell<generation<Policy>> current;
    std::mutex initializing;
    ref<submission_group_state> group = make_ref<submission_group_state>();
};

/// The member `backend_` of a policy: points to the backend of the current set of resources.
/// `backend_->...` keeps the set alive until the end of the expression.
template <class Policy>
class shared_backend {
  public:
    class pointer {
      public:
        explicit pointer(const shared_backend& shared) : current_{shared.current()} {}
        auto* operator->() const noexcept { return &current_->backend; }

      private:
        snapshot<generation<Policy>> current_;
    };

    shared_backend() : core_{std::make_shared<policy_core<Policy>>()} {}
    // A move copies, so that a moved-from policy still works.
    shared_backend(const shared_backend&) = default;
    shared_backend& operator=(const shared_backend&) = default;
    ~shared_backend() = default;

    /// **Throws**: `not_initialized` before the first `initialize`.
    [[nodiscard, gnu::always_inline]] snapshot<generation<Policy>> current() const {
        return core_->current.read(refuse);
    }
    [[nodiscard]] pointer operator->() const { return pointer{*this}; }
    explicit operator bool() const { return !core_->current.empty(); }

    [[nodiscard]] const std::shared_ptr<policy_core<Policy>>& core() const noexcept {
        return core_;
    }

    /// Makes a new generation current, then calls `then`. Concurrent calls wait for each other.
    template <class Then, class MakeBackend, class... StateArgs>
    void replace(Then then, MakeBackend make_backend, StateArgs... args) const {
        std::vector<ref<generation<Policy>>> retired;  // outlives the lock
        std::lock_guard lock{core_->initializing};
        auto next = make_ref<generation<Policy>>(core_, make_backend, std::move(args)...);
        if constexpr (inherits<Policy>) {
            if (*this) {
                const auto before = current();
                const auto& resources = next->set->resources;
                next->set->state.inherit(before->set->state,
                                         origins_in(before->set->resources, resources));
            }
        }
        retired = core_->current.replace(std::move(next));
        then();
    }

    /// Returns the backend of the policy that made `set`. If all copies of the policy have been destroyed,
    /// returns a new one with the resources of `kept`, or without resources if `kept` is null.
    static shared_backend of(const resource_set<Policy>& set, generation<Policy>* kept) {
        if (auto owner = set.owner.lock()) {
            return shared_backend{std::move(owner)};
        }
        shared_backend found;
        if (kept != nullptr) {
            found.core_->group = kept->set->group;
            found.core_->current.replace(ref<generation<Policy>>::share(kept));
        }
        return found;
    }

  private:
    explicit shared_backend(std::shared_ptr<policy_core<Policy>> core) noexcept
        : core_{std::move(core)} {}

    [[noreturn, gnu::cold, gnu::noinline]] static void refuse() { throw not_initialized{}; }

    std::shared_ptr<policy_core<Policy>> core_;
};

}  // namespace pointsman::detail
