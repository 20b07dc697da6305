// SPDX-License-Identifier: Apache-2.0
// Finds a resource that the task accepts, by the policy's state or rule.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "pointsman/backend/core_resource_backend.hpp"
#include "pointsman/error.hpp"
#include "pointsman/info/unwrap.hpp"
#include "pointsman/policy/detail/placement.hpp"
#include "pointsman/policy/detail/resource_set.hpp"
#include "pointsman/policy/detail/set_selection.hpp"
#include "pointsman/policy/detail/wait_for_free.hpp"

namespace pointsman::detail {

/// A policy whose rule is a member of its state.
template <class Policy>
concept chooses_by_state = requires { typename Policy::state_type::choice; };

/// A policy whose state can choose among some of its resources.
template <class Policy, class... Task>
concept chooses_among =
    chooses_by_state<Policy> && requires(typename Policy::state_type& state, Task&... task) {
        state.choose_among(std::size_t{}, [](std::size_t) { return true; }, task...);
    };

/// A policy that counts how long arguments are under way, and a callable that can find out: it has a
/// `look_for_transfers(resources)`, which is called before each choice.
template <class Policy, class... Task>
inline constexpr bool weighs_transfers = false;
template <class Policy, class F, class... Args>
inline constexpr bool weighs_transfers<Policy, F, Args...> =
    requires(const F& f, const std::vector<typename Policy::resource_type>& resources) {
        requires Policy::state_type::weighs_transfers;
        f.look_for_transfers(resources);
    };

/// True if the first of `Task`, the callable, may refuse a resource.
template <class Resource, class... Task>
inline constexpr bool may_refuse_v = false;
template <class Resource, class F, class... Args>
inline constexpr bool may_refuse_v<Resource, F, Args...> =
    requires(const F& f, const Resource& resource) {
        { f.accepts(resource) } -> std::convertible_to<bool>;
        { f.refusal(resource) } -> std::convertible_to<std::string>;
    };

/// Throws the exception for a task that refuses `resources`, the only ones that its policy chooses: what
/// `f.refuse(resources)` throws if there is such a member, else `unsuitable_resources`.
template <class Resource, class F>
[[noreturn]] void refuse_all(std::span<const Resource> resources, const F& f) {
    if constexpr (requires { f.refuse(resources); }) {
        f.refuse(resources);
    }
    throw unsuitable_resources{f.refusal(resources.front())};
}

/// Throws as `refuse_all` if `f` refuses all of `resources`.
template <class Resources, class F>
void check_acceptable(const Resources& resources, const F& f) {
    if (std::ranges::none_of(resources, [&](const auto& each) { return f.accepts(each); })) {
        refuse_all(std::span{std::as_const(resources)}, f);
    }
}

/// The choice of a state that always finds a resource, with the interface of a `std::optional`.
template <class Choice>
struct certain_choice {
    Choice choice;

    [[gnu::always_inline]] explicit operator bool() const noexcept { return true; }
    [[gnu::always_inline]] Choice& operator*() noexcept { return choice; }
};

/// A choice that may be empty, with the interface of a `std::optional`. It has no flag besides the choice:
/// a processor that copies a choice and a flag at once, right after both were written, waits for both stores.
template <class Choice>
class nullable_choice {
  public:
    [[gnu::always_inline]] nullable_choice() noexcept { choice_.index = none; }
    [[gnu::always_inline]] nullable_choice(Choice choice) noexcept : choice_{choice} {}

    [[gnu::always_inline]] explicit operator bool() const noexcept { return choice_.index != none; }
    [[gnu::always_inline]] Choice& operator*() noexcept { return choice_; }

  private:
    static constexpr auto none = std::numeric_limits<decltype(Choice::index)>::max();

    Choice choice_{};
};
template <class Choice>
concept simple_choice = std::is_trivially_copyable_v<Choice> && std::is_aggregate_v<Choice> &&
                        std::unsigned_integral<decltype(Choice::index)>;
template <class Choice>
struct nullable {
    using type = std::optional<Choice>;
};
template <simple_choice Choice>
struct nullable<Choice> {
    using type = nullable_choice<Choice>;
};
template <class Choice>
using nullable_t = typename nullable<Choice>::type;

/// Used instead of a generation for a policy without a state.
struct no_generation {};

/// Finds resources for `policy`, whose `backend_` is `backend`. For a policy without a state it calls
/// `rule(policy, f, args...)`.
template <class Policy, class Rule, class... ReportReqs>
class chooser {
  public:
    using policy_type = Policy;
    using placement_type = placement<Policy, ReportReqs...>;
    using selection_type = set_selection<Policy, ReportReqs...>;

    [[gnu::always_inline]] chooser(Policy& policy, const shared_backend<Policy>& backend, Rule rule)
        : policy_{policy}, backend_{backend}, rule_{rule} {}

    [[nodiscard]] const Policy& policy() const noexcept { return policy_; }
    [[nodiscard]] const shared_backend<Policy>& backend() const noexcept { return backend_; }

    /// Returns the current generation, which the caller of `find` holds until it has submitted.
    [[nodiscard, gnu::always_inline]] auto protect() const {
        if constexpr (chooses_by_state<Policy>) {
            return backend_.current();
        } else {
            return no_generation{};
        }
    }

    /// Finds a resource for the task, which is a function and its arguments. Returns a nullable handle,
    /// empty if no resource is free: a choice of the state, which already counts as load, or the handle
    /// that the rule returned.
    /// **Throws**: if the task refuses every resource, as `refuse_all`.
    template <class Current, class... Task>
    [[nodiscard, gnu::always_inline]] auto find([[maybe_unused]] const Current& current,
                                                Task&... task) const {
        constexpr bool may_refuse = may_refuse_v<typename Policy::resource_type, Task...>;
        if constexpr (chooses_by_state<Policy>) {
            if constexpr (weighs_transfers<Policy, Task...>) {
                look_for_transfers(current->set->resources, task...);
            }
            if constexpr (may_refuse) {
                using choice = nullable_t<typename Policy::state_type::choice>;
                auto found = choose_any(current, task...);
                if (!found) {
                    return choice{};
                }
                if (is_accepted(*current, *found, task...)) [[likely]] {
                    return choice{std::move(*found)};
                }
                auto other = choose_accepted(current, task...);
                return other ? choice{std::move(*other)} : choice{};
            } else {
                return choose_any(current, task...);
            }
        } else if constexpr (may_refuse) {
            const auto resources = [&] { return backend_.current()->set->resources; };
            return first_accepted(resources, [&] { return apply_rule(task...); }, task...);
        } else {
            return apply_rule(task...);
        }
    }

    /// As `find`, but returns a nullable handle to a selection that the caller may keep.
    template <class... Task>
    [[nodiscard]] auto select(Task&... task) const {
        const auto current = protect();
        auto found = find(current, task...);
        if constexpr (chooses_by_state<Policy>) {
            return found ? std::optional<selection_type>{std::in_place, current.share(),
                                                         std::move(*found), true}
                         : std::optional<selection_type>{};
        } else {
            return found;
        }
    }

    /// As `select`, but waits for a free resource, so the handle is not empty.
    template <class... Task>
    [[nodiscard]] auto wait_and_select(const submit_options& options, Task&... task) const {
        return wait_for_free(backend_, options, [&] { return select(task...); });
    }

  private:
    using protected_generation = snapshot<generation<Policy>>;
    /// After this many refused choices the policy is assumed to choose nothing else.
    static constexpr std::size_t most_refusals = std::size_t{1} << 16U;

    /// Makes the backend deliver the reports that it holds back.
    [[gnu::always_inline]] static void deliver_reports(generation<Policy>& current) {
        if constexpr (lazy_report_v<typename Policy::backend_type>) {
            current.backend.lazy_report();
        }
    }

    template <class Resources, class F, class... Args>
    [[gnu::always_inline]] static void look_for_transfers(const Resources& resources, const F& f,
                                                          const Args&...) {
        f.look_for_transfers(resources);
    }

    template <class... Task>
    auto apply_rule(Task&... task) const {
        deliver_reports(*backend_.current());
        return rule_(policy_, task...);
    }

    template <class... Task>
    [[gnu::always_inline]] static auto choose_any(const protected_generation& current,
                                                  Task&... task) {
        using choice = typename Policy::state_type::choice;
        auto& state = current->set->state;
        deliver_reports(*current);
        if constexpr (std::same_as<decltype(state.choose(current.thread(), task...)), choice>) {
            return certain_choice<choice>{state.choose(current.thread(), task...)};
        } else {
            return state.choose(current.thread(), task...);
        }
    }

    /// Returns true if the task accepts the choice. Otherwise, or if the task throws, gives it back.
    template <class Choice, class F, class... Args>
    [[gnu::always_inline]] static bool is_accepted(generation<Policy>& current, Choice& choice,
                                                   const F& f, const Args&...) {
        try {
            if (f.accepts(current.set->resources[choice.index])) [[likely]] {
                return true;
            }
        } catch (...) {
            give_back_refused(current, std::move(choice));
            throw;
        }
        give_back_refused(current, std::move(choice));
        return false;
    }

    template <class Choice>
    [[gnu::cold, gnu::noinline]] static void give_back_refused(generation<Policy>& current,
                                                               Choice choice) {
        const placement_type refused{current, std::move(choice)};
        report_refusal(refused);
    }

    template <class Selection>
    static void report_refusal(Selection& refused) {
        if constexpr (requires { refused.refuse(); }) {
            refused.refuse();
        } else {
            report_failure(refused);
        }
    }

    template <class F, class... Args>
    [[gnu::noinline]] static auto choose_accepted(const protected_generation& current, F& f,
                                                  Args&... args) {
        using choice = typename Policy::state_type::choice;
        using placed = std::optional<placement_type>;
        // A placement gives its choice back when it is destroyed, even by an exception.
        const auto choose = [&]() -> placed {
            auto found = choose_any(current, f, args...);
            return found ? placed{std::in_place, *current, std::move(*found)} : placed{};
        };
        const auto& resources = current->set->resources;
        if constexpr (chooses_among<Policy, F, Args...>) {
            if (placed found = choose(); !found || f.accepts(found->unwrap())) [[likely]] {
                return found ? std::optional{found->release()} : std::optional<choice>{};
            }
            check_acceptable(resources, f);
            const auto suits = [&](std::size_t index) { return f.accepts(resources[index]); };
            return std::optional<choice>{
                current->set->state.choose_among(current.thread(), suits, f, args...)};
        } else {
            placed found = first_accepted([&]() -> auto& { return resources; }, choose, f);
            return found ? std::optional{found->release()} : std::optional<choice>{};
        }
    }

    /// Returns the first handle from `choose()` whose resource `f` accepts, or an empty one. Refused
    /// handles are held until then, so that the rule moves on to other resources.
    template <class Resources, class Choose, class F, class... Args>
    static auto first_accepted(Resources resources, Choose choose, const F& f, const Args&...) {
        constexpr bool chooses_one = requires { requires Policy::state_type::chooses_one; };
        std::vector<decltype(choose())> refused;
        for (;;) {
            auto found = choose();
            if (!found || f.accepts(pointsman::unwrap(*found))) [[likely]] {
                return found;
            }
            if (refused.empty()) {
                check_acceptable(resources(), f);
            }
            if (chooses_one || refused.size() == most_refusals) {
                const auto& refused_one = pointsman::unwrap(*found);
                refuse_all(std::span{&refused_one, 1}, f);
            }
            report_refusal(*found);
            refused.push_back(std::move(found));
        }
    }

    Policy& policy_;
    const shared_backend<Policy>& backend_;
    [[no_unique_address]] Rule rule_;
};

}  // namespace pointsman::detail
