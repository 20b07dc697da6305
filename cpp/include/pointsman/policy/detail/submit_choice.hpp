// SPDX-License-Identifier: Apache-2.0
// Passes a chosen resource and the task to the backend; the submission keeps the policy.
#pragma once

#include <type_traits>
#include <utility>

#include "pointsman/backend/backend_traits.hpp"
#include "pointsman/policy/detail/chooser.hpp"
#include "pointsman/policy/detail/policy_submission.hpp"
#include "pointsman/policy/policy_traits.hpp"
#include "pointsman/submission/submit_options.hpp"

namespace pointsman::detail {

/// Submits a choice of the state of `current`. Does not use the policy, which the task may destroy.
template <class Chooser, class Current, class Choice, class F, class... Args>
[[gnu::always_inline]] inline auto submit_choice(Current&& current, Choice&& choice, F&& f,
                                                 Args&&... args) {
    using policy_type = typename Chooser::policy_type;
    check_wait_type<policy_type, F, Args...>();
    auto& generation = *current;
    auto policy = kept_for<policy_type>(std::forward<Current>(current).keep(), choice);
    if constexpr (borrows_selections_v<typename policy_type::backend_type>) {
        return with_policy(
            generation.backend.submit(
                typename Chooser::placement_type{generation, std::forward<Choice>(choice)},
                std::forward<F>(f), std::forward<Args>(args)...),
            std::move(policy));
    } else {
        return with_policy(generation.backend.submit(
                               typename Chooser::selection_type{generation.set,
                                                                std::forward<Choice>(choice), true},
                               std::forward<F>(f), std::forward<Args>(args)...),
                           std::move(policy));
    }
}

/// Returns the generation that a selection owns, or else the current one. A user-defined backend gets the
/// selection without its generation, since a backend that stores it would own itself.
template <class Policy, class... ReportReqs>
[[nodiscard]] kept_snapshot<generation<Policy>> generation_of(
    const shared_backend<Policy>& backend, set_selection<Policy, ReportReqs...>& selection) {
    auto owned = [&]() -> ref<generation<Policy>> {
        if constexpr (borrows_selections_v<typename Policy::backend_type>) {
            return selection.current();
        } else {
            return selection.detach();
        }
    }();
    return owned ? kept_snapshot<generation<Policy>>{std::move(owned)} : backend.current().keep();
}

/// Submits with a selection of `policy`, whose `backend_` is `backend`. The task may destroy the policy.
template <class Policy, class Selection, class F, class... Args>
auto submit_selection(const Policy& policy, const shared_backend<Policy>& backend,
                      Selection&& selection, F&& f, Args&&... args) {
    check_wait_type<Policy, F, Args...>();
    if constexpr (chooses_by_state<Policy>) {
        auto kept = kept_for<Policy>(generation_of(backend, selection), selection.choice());
        auto& current = kept.backend();
        return with_policy(current.submit(std::forward<Selection>(selection), std::forward<F>(f),
                                          std::forward<Args>(args)...),
                           std::move(kept));
    } else {
        auto kept = [&] {
            if constexpr (std::is_copy_constructible_v<Policy>) {
                return policy;
            } else {
                return not_kept{};
            }
        }();
        return with_policy(backend->submit(std::forward<Selection>(selection), std::forward<F>(f),
                                           std::forward<Args>(args)...),
                           std::move(kept));
    }
}

/// Submits with the handle that `chooser.find(current, ...)` returned.
template <class Chooser, class Current, class Found, class F, class... Args>
[[gnu::always_inline]] inline auto submit_found(const Chooser& chooser, Current& current,
                                                Found& found, F&& f, Args&&... args) {
    if constexpr (chooses_by_state<typename Chooser::policy_type>) {
        return submit_choice<Chooser>(std::move(current), std::move(*found), std::forward<F>(f),
                                      std::forward<Args>(args)...);
    } else {
        return submit_selection(chooser.policy(), chooser.backend(), std::move(*found),
                                std::forward<F>(f), std::forward<Args>(args)...);
    }
}

/// Submits to a resource that becomes free within `options`, which may be null.
template <class Chooser, class F, class... Args>
[[gnu::cold, gnu::noinline]] auto submit_when_free(Chooser chooser, const submit_options* options,
                                                   F&& f, Args&&... args) {
    auto handle =
        chooser.wait_and_select(options != nullptr ? *options : submit_options{}, f, args...);
    return submit_selection(chooser.policy(), chooser.backend(), std::move(*handle),
                            std::forward<F>(f), std::forward<Args>(args)...);
}

/// Submits to the resource that `chooser` finds; waits for one within `options`, which may be null.
template <class Chooser, class F, class... Args>
[[gnu::always_inline]] inline auto submit_within(Chooser chooser, const submit_options* options,
                                                 F&& f, Args&&... args) {
    if (auto current = chooser.protect(); auto found = chooser.find(current, f, args...))
        [[likely]] {
        return submit_found(chooser, current, found, std::forward<F>(f),
                            std::forward<Args>(args)...);
    }
    return submit_when_free(chooser, options, std::forward<F>(f), std::forward<Args>(args)...);
}

}  // namespace pointsman::detail
