// SPDX-License-Identifier: Apache-2.0
// Everything of a policy but its selection rule.
#pragma once

#include <algorithm>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <optional>
#include <stop_token>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "pointsman/backend/default_backend.hpp"
#include "pointsman/policy/basic_selection_handle.hpp"
#include "pointsman/policy/detail/placement.hpp"
#include "pointsman/policy/detail/policy_submission.hpp"
#include "pointsman/policy/detail/resource_set.hpp"
#include "pointsman/policy/detail/set_selection.hpp"
#include "pointsman/policy/policy_traits.hpp"
#include "pointsman/submission/submit_options.hpp"

namespace pointsman {
namespace detail {
/// Whether the first of `Args` is a `T`.
template <class T, class... Args>
inline constexpr bool leads_v = false;
template <class T, class First, class... Rest>
inline constexpr bool leads_v<T, First, Rest...> = std::is_same_v<std::decay_t<First>, T>;

/// A policy whose rule is a member of its state.
template <class Policy>
concept chooses_by_state = requires { typename Policy::state_type::choice; };

/// What `choose` has found; null for nothing.
template <class Choice>
[[nodiscard]] constexpr Choice* found_in(Choice& choice) noexcept {
    return std::addressof(choice);
}
template <class Choice>
[[nodiscard]] constexpr Choice* found_in(std::optional<Choice>& choice) noexcept {
    return choice ? std::addressof(*choice) : nullptr;
}

/// A policy that can be told which of its resources suit a task.
template <class Policy, class... Task>
concept chooses_among =
    chooses_by_state<Policy> && requires(typename Policy::state_type& state, Task&... task) {
        state.choose_among(std::size_t{}, [](std::size_t) { return true; }, task...);
    };

/// Whether the first of `Args` is a callable that may refuse a resource.
template <class Resource, class... Args>
inline constexpr bool may_refuse_v = false;
template <class Resource, class F, class... Args>
inline constexpr bool may_refuse_v<Resource, F, Args...> =
    requires(const F& f, const Resource& resource) {
        { f.accepts(resource) } -> std::convertible_to<bool>;
        { f.refusal(resource) } -> std::convertible_to<std::string>;
    };
}  // namespace detail

/// Base of every policy, with the policy itself as first argument. A policy author writes the
/// selection rule; `try_submit`, `submit` and `submit_and_wait` follow from it. A rule takes one of two
/// forms.
///
/// A policy with members of its own writes `try_select_impl(f, args...)`, which returns a nullable
/// handle of a selection (`std::optional`, `std::shared_ptr`), empty when no resource is free, or
/// `select_impl`, which always finds one; and, where it needs it, `initialize_impl(args...)`, called
/// after the set has been published.
///
/// A policy with a `state_type` gets one, made as `state_type(resources, args...)`, with each set of
/// resources: both are replaced in one step when `initialize` is called again while other threads
/// submit. The state has a type `choice` with a member `index`, and `choose(thread, f, args...)`, which
/// returns a `choice`, or a `std::optional` of it, empty when no resource is free; `thread` is an index
/// in the order in which threads came, `detail::no_thread` while the thread ends. Its further members get
/// the reports (`policy_state`). It may have `choose_among(thread, suits, f, args...)`, which returns the
/// `std::optional` of a choice whose index `suits`, a predicate; else `choose` is asked again after a
/// choice that does not suit the task, unless the state says `chooses_one`. The policy has a constructor
/// `explicit P(deferred_initialization_t)`, and its `selection_type` is
/// `typename policy_base::state_selection`.
///
/// A callable that runs on some resources only has `accepts(resource)` and `refusal(resource)`, the
/// reason as a sentence: whatever the rule, it goes to one that it accepts. To a policy that learns, a
/// resource that was refused has failed.
///
/// **Thread safety**: all members from any thread, as far as the policy's own rule allows it. Copies
/// share the set of resources.
/// Source: *Proposed Design to Enable Easier Customization* in the custom policies document.
template <class Policy, class ResourceAdapter, class Backend, class... ReportReqs>
class policy_base {
  protected:
    using backend_t = Backend;
    using resource_container_t = typename backend_traits<Backend>::resource_container_t;
    using execution_resource_t = typename backend_traits<Backend>::execution_resource_t;
    using selection_type = basic_selection_handle_t<Policy, execution_resource_t>;
    /// What `select` of a policy with a state gives.
    using state_selection = set_selection<Policy, ReportReqs...>;

  public:
    using resource_type = std::decay_t<decltype(unwrap(std::declval<execution_resource_t>()))>;
    using backend_type = Backend;

    /// A copy of the set of resources.
    /// **Throws**: `not_initialized` before the first `initialize`.
    [[nodiscard]] std::vector<resource_type> get_resources() const {
        return backend_.current()->set->resources;
    }

    /// Takes the default set of the resource type.
    /// **Throws**: `empty_resource_set` when there is none on this machine;
    /// what the policy throws for `args`, and the backend for the set (`unsatisfied_reporting` where
    /// it finds nothing that can report what the policy needs).
    template <class... Args>
        requires(!detail::leads_v<std::vector<resource_type>, Args...>)
    void initialize(Args... args) {
        static_assert(
            requires { sizeof(resource_type); },
            "this resource type is only declared: include pointsman/pointsman.hpp for "
            "any_resource, "
            "which a policy takes that is given no resources, or pass the resources");
        publish([] { return Backend{ReportReqs{}...}; }, std::move(args)...);
    }

    /// Takes `resources`, and an adapter when the next argument is one. A second call replaces the
    /// set in one step and begins with fresh state; the old set lives as long as work on it.
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
        auto handle = select_now(args...);
        return handle ? std::move(*handle) : std::move(*await_freed({}, args...));
    }

    /// The same, waiting for a free resource no longer than `options` allow.
    /// **Throws**: as `submit` with options.
    template <class... Args>
    [[nodiscard]] auto select(const submit_options& options, const Args&... args) {
        detail::submit_limit::check(options);
        auto handle = select_now(args...);
        return handle ? std::move(*handle) : std::move(*await_freed(options, args...));
    }

    /// Calls `f(resource, args...)` on a free resource; an empty optional when none is free.
    template <class F, class... Args>
    [[nodiscard]] auto try_submit(F&& f, Args&&... args) {
        using result = decltype(submit(std::forward<F>(f), std::forward<Args>(args)...));
        return submit_or([] { return std::optional<result>{}; },
                         [](auto submit_now) { return std::optional<result>{submit_now()}; },
                         std::forward<F>(f), std::forward<Args>(args)...);
    }

    /// Calls `f(resource, args...)` on the resource that the policy chooses, and does not wait for
    /// what it returns. When no resource is free, waits until one is.
    /// **Throws**: what `f` throws, `not_initialized`.
    template <class F, class... Args>
        requires(!detail::is_submit_options_v<F> && !selection<std::decay_t<F>>)
    auto submit(F&& f, Args&&... args) {
        return submit_within(nullptr, std::forward<F>(f), std::forward<Args>(args)...);
    }

    /// The same, waiting no longer than `options` allow.
    /// **Throws**: also `submit_timeout`, `submit_stopped`, and `invalid_option` for a negative
    /// timeout; `f` has then not been called.
    template <class F, class... Args>
    auto submit(const submit_options& options, F&& f, Args&&... args) {
        detail::submit_limit::check(options);
        return submit_within(&options, std::forward<F>(f), std::forward<Args>(args)...);
    }

    /// Calls `f` with the resource of a selection made by this policy. The first submission of a
    /// selection uses the load that `select` reserved; a further one, of a selection passed as an
    /// lvalue, counts by itself.
    template <class Selection, class F, class... Args>
        requires selection<std::decay_t<Selection>>
    auto submit(Selection&& chosen, F&& f, Args&&... args) const {
        if constexpr (std::is_lvalue_reference_v<Selection> && requires { chosen.hand_over(); }) {
            return place(chosen.hand_over(), std::forward<F>(f), std::forward<Args>(args)...);
        } else {
            return place(std::decay_t<Selection>(std::forward<Selection>(chosen)),
                         std::forward<F>(f), std::forward<Args>(args)...);
        }
    }

    /// `submit`, with `submit_options` or a selection in front or without, then waits for the work.
    template <class F, class... Args>
    void submit_and_wait(F&& f, Args&&... args) {
        pointsman::wait(
            static_cast<Policy&>(*this).submit(std::forward<F>(f), std::forward<Args>(args)...));
    }

    /// A group whose `wait()` blocks until all submissions of this policy so far are complete.
    [[nodiscard]] auto get_submission_group() const { return backend_->get_submission_group(); }

    /// Wakes a `submit` that waits for a free resource. For policies whose resources become free
    /// by events that neither a completion nor a report tells of.
    void notify() const noexcept { backend_.core()->group->freed().notify(); }

    /// The policy to which `set` belongs, or, when it is gone, one over `kept`.
    [[nodiscard]] static Policy of(const detail::resource_set<Policy>& set,
                                   detail::generation<Policy>* kept) {
        static_assert(std::is_constructible_v<Policy, deferred_initialization_t>,
                      "a policy that is asked for by its selections needs a constructor "
                      "explicit P(deferred_initialization_t), which leaves it without resources");
        Policy policy{deferred_initialization};
        policy.backend_ = detail::shared_backend<Policy>::of(set, kept);
        return policy;
    }

  protected:
    detail::shared_backend<Policy> backend_;

  private:
    using snapshot_type = detail::snapshot<detail::generation<Policy>>;
    using kept_generation = detail::kept_snapshot<detail::generation<Policy>>;

    /// Between looks for a free resource, where nothing may tell of one.
    static constexpr clock::duration shortest_pause = std::chrono::microseconds{50};
    static constexpr clock::duration longest_pause = std::chrono::milliseconds{5};
    static constexpr clock::duration until_notified = std::chrono::hours{1};
    /// A policy that chooses what is refused that often will not choose anything else.
    static constexpr std::size_t most_refusals = std::size_t{1} << 16U;

    /// Whether every resource that becomes free wakes those who wait: the state says
    /// `notifies_always`, and its reports are not held back.
    [[nodiscard]] bool notifies_always() const {
        if constexpr (requires { requires Policy::state_type::notifies_always; }) {
            if constexpr (requires(const Backend& b) { b.reports_lazily(); }) {
                return !backend_->reports_lazily();
            } else {
                return !lazy_report_v<Backend>;
            }
        } else {
            return false;
        }
    }

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
                      "submit(selection, f, args...) that reports, or take default_backend, which "
                      "reports for every resource, or a policy that needs no reports");
        const auto& core = backend_.core();
        std::vector<detail::ref<detail::generation<Policy>>> retired;  // outlives the lock
        std::lock_guard lock{core->initializing};
        using generation = detail::generation<Policy>;
        if constexpr (requires { typename Policy::state_type; }) {
            retired = core->current.replace(
                detail::make_ref<generation>(core, make_backend, std::move(args)...));
        } else {
            retired = core->current.replace(detail::make_ref<generation>(core, make_backend));
            if constexpr (requires(Policy& p) { p.initialize_impl(std::move(args)...); }) {
                static_cast<Policy&>(*this).initialize_impl(std::move(args)...);
            } else {
                static_assert(sizeof...(Args) == 0,
                              "initialize was given arguments that the policy does not take: give "
                              "it a public initialize_impl(args...)");
            }
        }
        notify();
    }

    /// A selection to keep, or an empty handle.
    template <class... Args>
    auto select_now(Args&... args) {
        if constexpr (detail::may_refuse_v<resource_type, Args...>) {
            return select_accepted(args...);
        } else {
            return select_any(args...);
        }
    }

    /// Where the rule cannot choose among some of the resources, what is refused is held until
    /// something is accepted, so that the rule looks further.
    template <class F, class... Args>
    auto select_accepted(F& f, Args&... args) {
        auto handle = select_any(f, args...);
        if (!handle || f.accepts(pointsman::unwrap(*handle))) {
            return handle;
        }
        check_acceptable(f);
        if constexpr (detail::chooses_among<Policy, F, Args...>) {
            handle = {};
            return select_among(f, args...);
        } else {
            constexpr bool chooses_one = requires { requires Policy::state_type::chooses_one; };
            std::vector<decltype(handle)> refused;
            while (handle && !f.accepts(pointsman::unwrap(*handle))) {
                if (chooses_one || refused.size() == most_refusals) {
                    throw unsuitable_resources{f.refusal(pointsman::unwrap(*handle))};
                }
                detail::report_failure(*handle);
                refused.push_back(std::exchange(handle, {}));
                handle = select_any(f, args...);
            }
            return handle;
        }
    }

    template <class F, class... Args>
    std::optional<state_selection> select_among(F& f, Args&... args) {
        const auto current = backend_.current();
        const auto suits = [&](std::size_t index) {
            return f.accepts(current->set->resources[index]);
        };
        auto found = current->set->state.choose_among(current.thread(), suits, f, args...);
        return found ? std::optional{state_selection{current.share(), std::move(*found), true}}
                     : std::nullopt;
    }

    template <class F>
    void check_acceptable(const F& f) const {
        const auto current = backend_.current();
        const auto& all = current->set->resources;
        if (std::ranges::none_of(all, [&](const auto& each) { return f.accepts(each); })) {
            throw unsuitable_resources{f.refusal(all.front())};
        }
    }

    template <class... Args>
    auto select_any(Args&... args) {
        if constexpr (detail::chooses_by_state<Policy>) {
            const auto current = backend_.current();
            hear(*current);
            auto found = current->set->state.choose(current.thread(), args...);
            auto* const choice = detail::found_in(found);
            return choice != nullptr
                       ? std::optional{state_selection{current.share(), std::move(*choice), true}}
                       : std::optional<state_selection>{};
        } else {
            return select_by_rule(args...);
        }
    }

    template <class... Args>
    auto select_by_rule(Args&... args) {
        hear(*backend_.current());
        auto& rule = static_cast<Policy&>(*this);
        if constexpr (requires { rule.try_select_impl(args...); }) {
            return rule.try_select_impl(args...);
        } else {
            static_assert(
                requires { rule.select_impl(args...); },
                "a policy has to write try_select_impl(f, args...): return a std::optional "
                "of its selection, empty when no resource is free");
            return rule.select_impl(args...);
        }
    }

    /// Hears all reports that the backend holds back.
    [[gnu::always_inline]] static void hear(detail::generation<Policy>& current) {
        if constexpr (lazy_report_v<Backend>) {
            current.backend.lazy_report();
        }
    }

    template <class F, class... Args>
    [[gnu::always_inline]] auto submit_within(const submit_options* options, F&& f,
                                              Args&&... args) {
        return submit_or(
            [&]() __attribute__((cold)) {
                return submit_when_freed(options, std::forward<F>(f), std::forward<Args>(args)...);
            },
            [](auto submit_now) { return submit_now(); }, std::forward<F>(f),
            std::forward<Args>(args)...);
    }

    /// `then(submit_now)`, a function that submits, or `otherwise()` when no resource is free.
    template <class Otherwise, class Then, class F, class... Args>
    [[gnu::always_inline]] auto submit_or(Otherwise otherwise, Then then, F&& f, Args&&... args) {
        constexpr bool may_refuse = detail::may_refuse_v<resource_type, std::remove_cvref_t<F>>;
        if constexpr (detail::chooses_by_state<Policy>) {
            auto current = backend_.current();
            hear(*current);
            auto found = current->set->state.choose(current.thread(), f, args...);
            if (auto* const choice = detail::found_in(found)) [[likely]] {
                if constexpr (may_refuse) {
                    if (!is_accepted(*current, *choice, f)) [[unlikely]] {
                        return submit_accepted(otherwise, then, std::forward<F>(f),
                                               std::forward<Args>(args)...);
                    }
                }
                return then([&]() __attribute__((always_inline)) {
                    return place_on(std::move(current), std::move(*choice), std::forward<F>(f),
                                    std::forward<Args>(args)...);
                });
            }
        } else if constexpr (may_refuse) {
            return submit_accepted(otherwise, then, std::forward<F>(f),
                                   std::forward<Args>(args)...);
        } else if (auto handle = select_by_rule(f, args...)) [[likely]] {
            return then([&] {
                return place(std::move(*handle), std::forward<F>(f), std::forward<Args>(args)...);
            });
        }
        return otherwise();
    }

    /// Asks the task; a choice that it refuses is given back, also when it throws.
    template <class Choice, class F>
    [[gnu::always_inline]] static bool is_accepted(detail::generation<Policy>& current,
                                                   Choice& choice, const F& f) {
        try {
            if (f.accepts(current.set->resources[choice.index])) [[likely]] {
                return true;
            }
        } catch (...) {
            refuse(current, std::move(choice));
            throw;
        }
        refuse(current, std::move(choice));
        return false;
    }

    template <class Choice>
    [[gnu::cold, gnu::noinline]] static void refuse(detail::generation<Policy>& current,
                                                    Choice choice) {
        const detail::placement<Policy, ReportReqs...> refused{current, std::move(choice)};
        detail::report_failure(refused);
    }

    template <class Otherwise, class Then, class F, class... Args>
    [[gnu::noinline]] auto submit_accepted(Otherwise& otherwise, Then& then, F&& f,
                                           Args&&... args) {
        if (auto handle = select_accepted(f, args...)) {
            return then([&] {
                return place(std::move(*handle), std::forward<F>(f), std::forward<Args>(args)...);
            });
        }
        return otherwise();
    }

    template <class F, class... Args>
    [[gnu::cold, gnu::noinline]] auto submit_when_freed(const submit_options* options, F&& f,
                                                        Args&&... args) {
        auto handle = await_freed(options != nullptr ? *options : submit_options{}, f, args...);
        return place(std::move(*handle), std::forward<F>(f), std::forward<Args>(args)...);
    }

    template <class... Args>
    [[gnu::cold, gnu::noinline]] auto await_freed(const submit_options& options, Args&... args) {
        const detail::submit_limit limit{options};
        auto& freed = backend_.core()->group->freed();
        const std::stop_callback wake{limit.stop(), [&freed] { freed.notify(); }};
        for (clock::duration pause = shortest_pause;; pause = std::min(2 * pause, longest_pause)) {
            detail::eventcount::waiter waiter{freed};
            if (auto handle = select_now(args...)) {
                return handle;
            }
            waiter.wait_for(limit.pause(notifies_always() ? until_notified : pause));
        }
    }

    /// Submits what the state of `protected_set` has chosen. The task may destroy this policy: nothing of
    /// it is used after the call.
    template <class Choice, class F, class... Args>
    [[gnu::always_inline]] auto place_on(snapshot_type&& protected_set, Choice choice, F&& f,
                                         Args&&... args) {
        detail::check_wait_type<Policy, F, Args...>();
        auto& current = *protected_set;
        detail::kept_policy<Policy> policy{std::move(protected_set).keep()};
        if constexpr (borrows_selections_v<Backend>) {
            return detail::with_policy(
                current.backend.submit(
                    detail::placement<Policy, ReportReqs...>{current, std::move(choice)},
                    std::forward<F>(f), std::forward<Args>(args)...),
                std::move(policy));
        } else {
            return detail::with_policy(
                current.backend.submit(state_selection{current.set, std::move(choice), true},
                                       std::forward<F>(f), std::forward<Args>(args)...),
                std::move(policy));
        }
    }

    template <class Selection, class F, class... Args>
    auto place(Selection&& selection, F&& f, Args&&... args) const {
        detail::check_wait_type<Policy, F, Args...>();
        if constexpr (detail::chooses_by_state<Policy>) {
            detail::kept_policy<Policy> policy{generation_of(selection)};
            auto& backend = policy.backend();
            return detail::with_policy(
                backend.submit(std::forward<Selection>(selection), std::forward<F>(f),
                               std::forward<Args>(args)...),
                std::move(policy));
        } else {
            auto policy = copy_if_possible();
            return detail::with_policy(
                backend_->submit(std::forward<Selection>(selection), std::forward<F>(f),
                                 std::forward<Args>(args)...),
                std::move(policy));
        }
    }

    [[nodiscard]] auto copy_if_possible() const {
        if constexpr (std::is_copy_constructible_v<Policy>) {
            return static_cast<const Policy&>(*this);
        } else {
            return detail::not_kept{};
        }
    }

    /// That which the selection owns, or else the current one.
    [[nodiscard]] auto generation_of(state_selection& selection) const {
        auto owned = owner_of(selection);
        return owned ? kept_generation{std::move(owned)} : backend_.current().keep();
    }

    /// What the selection owns; a backend of the user's own must not own itself through it.
    static detail::ref<detail::generation<Policy>> owner_of(state_selection& selection) {
        if constexpr (borrows_selections_v<Backend>) {
            return selection.current();
        } else {
            return selection.detach();
        }
    }
};

}  // namespace pointsman
