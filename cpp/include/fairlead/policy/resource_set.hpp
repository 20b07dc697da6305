// SPDX-License-Identifier: Apache-2.0
// What one initialisation of a policy makes: a backend, its resources and the policy's state.
#pragma once

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "fairlead/backend/backend.hpp"
#include "fairlead/error.hpp"
#include "fairlead/policy/snapshot.hpp"
#include "fairlead/submission/submission_group.hpp"

namespace fairlead::detail {

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

template <class Policy>
struct policy_core;

/// One generation of a policy's resources. Immutable but for the counters inside `state`.
template <class Policy>
struct resource_set final : ref_counted {
    using backend_type = typename Policy::backend_type;

    template <class MakeBackend, class... StateArgs>
    resource_set(const std::shared_ptr<policy_core<Policy>>& owner_, MakeBackend make_backend,
                 StateArgs... args)
        : backend{make_backend()},
          resources(not_empty(backend.get_resources())),
          state(resources, std::move(args)...),
          owner{owner_},
          group{owner_->group} {
        if constexpr (requires { backend.share_group(group); }) {
            backend.share_group(group);
        }
    }

    backend_type backend;
    const std::vector<typename Policy::resource_type> resources;
    typename state_of<Policy>::type state;
    std::weak_ptr<policy_core<Policy>> owner;
    ref<submission_group_state> group;

  private:
    static auto not_empty(std::vector<typename Policy::resource_type> found) {
        if (found.empty()) {
            throw empty_resource_set{};
        }
        return found;
    }
};

/// What the copies of a policy share.
template <class Policy>
struct policy_core {
    snapshot_cell<resource_set<Policy>> current;
    std::mutex initializing;
    ref<submission_group_state> group = make_ref<submission_group_state>();
};

/// The member `backend_` of a policy: points to the backend of the current set of resources.
/// `backend_->...` keeps that set alive until the end of the expression.
template <class Policy>
class shared_backend {
  public:
    using set_pointer = snapshot<resource_set<Policy>>;

    class pointer {
      public:
        explicit pointer(set_pointer set) : set_{std::move(set)} {}
        auto* operator->() const noexcept { return &set_->backend; }

      private:
        set_pointer set_;
    };

    shared_backend() : core_{std::make_shared<policy_core<Policy>>()} {}

    /// Throws: `not_initialized` before the first `initialize`.
    [[nodiscard]] set_pointer set() const {
        auto set = core_->current.read();
        if (!set) {
            throw not_initialized{};
        }
        return set;
    }
    [[nodiscard]] pointer operator->() const { return pointer{set()}; }
    explicit operator bool() const { return static_cast<bool>(core_->current.read()); }

    [[nodiscard]] const std::shared_ptr<policy_core<Policy>>& core() const noexcept {
        return core_;
    }

    /// The policy that made `set`; when all its copies are gone, a new one over the same set.
    static shared_backend of(resource_set<Policy>& set) {
        shared_backend found;
        if (auto owner = set.owner.lock()) {
            found.core_ = std::move(owner);
        } else {
            found.core_->group = set.group;
            found.core_->current.replace(ref<resource_set<Policy>>::share(&set));
        }
        return found;
    }

  private:
    std::shared_ptr<policy_core<Policy>> core_;
};

}  // namespace fairlead::detail
