// SPDX-License-Identifier: Apache-2.0
// Base class that makes all public members of a policy from its selection rule.
#pragma once

#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "pointsman/backend/default_backend.hpp"
#include "pointsman/policy/basic_selection_handle.hpp"
#include "pointsman/policy/detail/chooser.hpp"
#include "pointsman/policy/detail/reason.hpp"
#include "pointsman/policy/detail/resource_set.hpp"
#include "pointsman/policy/detail/set_selection.hpp"
#include "pointsman/policy/detail/traced_submission.hpp"
#include "pointsman/policy/policy_traits.hpp"
#include "pointsman/submission/stop_token_call.hpp"
#include "pointsman/submission/submit_options.hpp"

namespace pointsman {

/// CRTP base of every policy. A policy author writes the selection rule; this class derives
/// `try_submit`, `submit` and `submit_and_wait` from it. A rule takes one of two forms.
///
/// The rule may be a member of the policy: `try_select_impl(f, args...)`, which returns a nullable
/// handle to a selection (`std::optional`, `std::shared_ptr`), empty if no resource is free, or
/// `select_impl`, which always finds one. Such a policy may have `initialize_impl(args...)`, which is
/// called after the set of resources has been published.
///
/// Or the rule is a member of the policy's `state_type`, as `policy_state` describes. Each `initialize`
/// makes a new state for the new set of resources and replaces both atomically, even while other threads
/// submit. Such a policy has a constructor `explicit P(deferred_initialization_t)`, and its
/// `selection_type` is `typename policy_base::state_selection`.
///
/// A callable that cannot run on every resource has `accepts(resource)`, and `refusal(resource)`, which
/// returns the reason as a sentence. It is submitted only to a resource that it accepts, whatever the
/// rule. If it accepts none, `unsuitable_resources` is thrown, or what its `refuse(resources)` throws, if it
/// has that, for a `std::span` of the resources. A policy that learns counts a refusal as a failed task.
///
/// **Thread safety**: all members from any thread, if the policy's own rule allows it. Copies share the
/// set of resources.
/// Source: *Proposed Design to Enable Easier Customization* in the custom policies document.
template <class Policy, class ResourceAdapter, class Backend, class... ReportReqs>
class policy_base {
  protected:
    using backend_t = Backend;
    using resource_container_t = typename backend_traits<Backend>::resource_container_t;
    using execution_resource_t = typename backend_traits<Backend>::execution_resource_t;
    using selection_type = basic_selection_handle_t<Policy, execution_resource_t>;
    /// The selection that `select` of a policy with a state returns.
    using state_selection = set_selection<Policy, ReportReqs...>;

  public:
    using resource_type = std::decay_t<decltype(unwrap(std::declval<execution_resource_t>()))>;
    using backend_type = Backend;

    /// Returns a copy of the set of resources.
    /// **Throws**: `not_initialized` before the first `initialize`.
    [[nodiscard]] std::vector<resource_type> get_resources() const {
        return backend_.current()->set->resources;
    }

    /// Initialises the policy with the default set of its resource type.
    /// **Throws**: `empty_resource_set` if there is none on this machine; exceptions of the policy for
    /// `args`, and of the backend for the set (`unsatisfied_reporting` if no resource can report what the
    /// policy needs).
    template <class... Args>
        requires(!detail::leads_v<std::vector<resource_type>, Args...>)
    void initialize(Args... args) {
        static_assert(
            requires { sizeof(resource_type); },
            "this resource type is only declared: include pointsman/pointsman.hpp for "
            "any_resource, "
            "the default of a policy without resources, or pass the resources");
        publish([] { return Backend{ReportReqs{}...}; }, std::move(args)...);
    }

    /// Initialises the policy with `resources`; the next argument may be an adapter. A second call
    /// replaces the set atomically and begins with a new state, which keeps what a policy that measures has
    /// learnt of resources that are in both sets (`==`); the old set is released after the last work on it.
    /// **Throws**: as above.
    template <class... Args>
    void initialize(const std::vector<resource_type>& resources, Args... args) {
        if (resources.empty()) {
            throw empty_resource_set{};
        }
        if constexpr (detail::leads_v<ResourceAdapter, Args...>) {
            publish_with_adapter(resources, std::move(args)...);
        } else {
            publish_with_adapter(resources, ResourceAdapter{}, std::move(args)...);
        }
    }

    /// Selects a resource without submitting. The selection may be kept and submitted later.
    template <class... Args>
        requires(!detail::leads_v<submit_options, Args...>)
    [[nodiscard]] auto select(const Args&... args) {
        return select_within({}, args...);
    }

    /// As above, but waits for a free resource no longer than `options` allow.
    /// **Throws**: as `submit` with options.
    template <class... Args>
    [[nodiscard]] auto select(const submit_options& options, const Args&... args) {
        detail::submit_limit::check(options);
        return select_within(options, args...);
    }

    /// Calls `f(resource, args...)` on a free resource; returns an empty optional if none is free.
    template <class F, class... Args>
    [[nodiscard]] auto try_submit(F&& f, Args&&... args) {
        using result = decltype(submit(std::forward<F>(f), std::forward<Args>(args)...));
        const auto chooser = make_chooser();
        if (trace::recorder::is_on()) [[unlikely]] {
            return detail::try_submit_traced<result>(chooser, std::forward<F>(f),
                                                     std::forward<Args>(args)...);
        }
        if (auto current = chooser.protect(); auto found = chooser.find(current, f, args...))
            [[likely]] {
            return std::optional<result>{detail::submit_found(
                chooser, current, found, std::forward<F>(f), std::forward<Args>(args)...)};
        }
        return std::optional<result>{};
    }

    /// Calls `f(resource, args...)` on the resource that the policy chooses, and does not wait for the work
    /// that `f` starts. If no resource is free, waits until one is.
    /// **Throws**: what `f` throws, `not_initialized`.
    template <class F, class... Args>
        requires(!detail::is_submit_options_v<F> && !selection<std::decay_t<F>>)
    [[gnu::always_inline]] auto submit(F&& f, Args&&... args) {
        return detail::submit_or_trace(make_chooser(), nullptr, std::forward<F>(f),
                                       std::forward<Args>(args)...);
    }

    /// As above, but waits no longer than `options` allow. An `f` that cannot be called as
    /// `f(resource, args...)`, but as `f(resource, stop_token, args...)`, gets the token of the options.
    /// **Throws**: also `submit_timeout`, `submit_stopped`, and `invalid_option` for a negative
    /// timeout; `f` has then not been called.
    template <class F, class... Args>
    auto submit(const submit_options& options, F&& f, Args&&... args) {
        detail::submit_limit::check(options);
        if constexpr (detail::takes_stop_token<F, const resource_type&, Args...>) {
            return detail::submit_or_trace(make_chooser(), &options,
                                           detail::stoppable_task{f, options.stop},
                                           std::forward<Args>(args)...);
        } else {
            return detail::submit_or_trace(make_chooser(), &options, std::forward<F>(f),
                                           std::forward<Args>(args)...);
        }
    }

    /// Calls `f` with the resource of a selection made by this policy. The first submission of a
    /// selection uses the load that `select` reserved; further submissions of the same selection, passed
    /// as an lvalue, each add to the load.
    template <class Selection, class F, class... Args>
        requires selection<std::decay_t<Selection>>
    auto submit(Selection&& chosen, F&& f, Args&&... args) const {
        const auto& policy = static_cast<const Policy&>(*this);
        if constexpr (std::is_lvalue_reference_v<Selection> && requires { chosen.hand_over(); }) {
            return detail::submit_selection_or_trace(policy, backend_, chosen.hand_over(),
                                                     std::forward<F>(f),
                                                     std::forward<Args>(args)...);
        } else {
            return detail::submit_selection_or_trace(
                policy, backend_, std::decay_t<Selection>(std::forward<Selection>(chosen)),
                std::forward<F>(f), std::forward<Args>(args)...);
        }
    }

    /// Submits as `submit`, whose arguments it takes, then waits for the work.
    template <class F, class... Args>
    void submit_and_wait(F&& f, Args&&... args) {
        pointsman::wait(
            static_cast<Policy&>(*this).submit(std::forward<F>(f), std::forward<Args>(args)...));
    }

    /// Returns a group whose `wait()` blocks until all submissions of this policy so far are complete.
    [[nodiscard]] auto get_submission_group() const { return backend_->get_submission_group(); }

    /// Returns the reason for a selection of this policy as a sentence, such as "it was the turn of number
    /// 2 of 3". A policy with a state provides it in the state's `explain(choice)`.
    template <selection Selection>
    [[nodiscard]] std::string explain(const Selection& chosen) const {
        return detail::reason_of(chosen);
    }

    /// Wakes the calls of `submit` that wait for a free resource. A policy calls it when a resource
    /// becomes free by an event other than a completion or a report.
    void notify() const noexcept { backend_.core()->group->freed().notify(); }

    /// Returns the policy to which `set` belongs. If all its copies have been destroyed, returns a new
    /// policy with the resources of `kept`, or without resources if `kept` is null.
    [[nodiscard]] static Policy of(const detail::resource_set<Policy>& set,
                                   detail::generation<Policy>* kept) {
        static_assert(std::is_constructible_v<Policy, deferred_initialization_t>,
                      "a policy that its selections return needs a constructor "
                      "explicit P(deferred_initialization_t), which leaves it without resources");
        Policy policy{deferred_initialization};
        policy.backend_ = detail::shared_backend<Policy>::of(set, kept);
        return policy;
    }

  protected:
    detail::shared_backend<Policy> backend_;

  private:
    template <class... Args>
    void publish_with_adapter(const std::vector<resource_type>& resources, ResourceAdapter adapter,
                              Args... args) {
        publish([&] { return Backend{resources, std::move(adapter), ReportReqs{}...}; },
                std::move(args)...);
    }

    template <class MakeBackend, class... Args>
    void publish(MakeBackend make_backend, Args... args) {
        static_assert(sizeof...(ReportReqs) == 0 || !detail::submits_unreported<Backend>,
                      "this backend cannot report what the policy needs: give it a "
                      "submit(selection, f, args...) that reports, or use default_backend, which "
                      "reports for every resource, or a policy that needs no reports");
        if constexpr (requires { typename Policy::state_type; }) {
            backend_.replace([] {}, make_backend, std::move(args)...);
        } else {
            const auto initialize_policy = [&] {
                if constexpr (requires(Policy& p) { p.initialize_impl(std::move(args)...); }) {
                    static_cast<Policy&>(*this).initialize_impl(std::move(args)...);
                } else {
                    static_assert(sizeof...(Args) == 0,
                                  "initialize was given arguments that the policy does not take: "
                                  "give it a public initialize_impl(args...)");
                }
            };
            backend_.replace(initialize_policy, make_backend);
        }
        notify();
    }

    /// Calls the rule from this class because the rule may be protected, with this class as a friend.
    [[nodiscard, gnu::always_inline]] auto make_chooser() {
        auto rule = [](auto& policy, auto&... task) {
            if constexpr (requires { policy.try_select_impl(task...); }) {
                return policy.try_select_impl(task...);
            } else {
                static_assert(
                    requires { policy.select_impl(task...); },
                    "a policy must define try_select_impl(f, args...): return a std::optional "
                    "of its selection, empty when no resource is free");
                return policy.select_impl(task...);
            }
        };
        return detail::chooser<Policy, decltype(rule), ReportReqs...>{static_cast<Policy&>(*this),
                                                                      backend_, rule};
    }

    template <class... Task>
    auto select_within(const submit_options& options, Task&... task) {
        const auto chooser = make_chooser();
        auto handle = chooser.select(task...);
        auto chosen =
            handle ? std::move(*handle) : std::move(*chooser.wait_and_select(options, task...));
        if (trace::recorder::is_on()) [[unlikely]] {
            detail::trace_selection<Policy>(chosen, task...);
        }
        return chosen;
    }
};

}  // namespace pointsman
