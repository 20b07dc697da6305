// SPDX-License-Identifier: Apache-2.0
// The submissions of a policy while a session records: the same steps, with their events.
#pragma once

#include <cstdint>
#include <optional>
#include <tuple>
#include <utility>

#include "pointsman/info/unwrap.hpp"
#include "pointsman/policy/detail/submit_choice.hpp"
#include "pointsman/trace/names.hpp"
#include "pointsman/trace/recorder.hpp"
#include "pointsman/trace/task_scope.hpp"
#include "pointsman/tuning/task_key.hpp"

namespace pointsman::detail {

/// The scope of the submission of `f(resource, args...)`. A callable of a binding has its own `trace_sizes()`.
template <class F, class... Args>
[[nodiscard]] trace::task_scope traced_task(const F& f, const Args&... args) {
    const std::uint32_t name = trace::number_of_callable(f);
    if constexpr (requires { std::uint64_t{f.trace_sizes()}; }) {
        return {name, f.trace_sizes()};
    } else {
        return {name, task_key_of(f, args...).sizes};
    }
}

/// The number of the name of a policy; a callable of a binding knows the name of its policy there.
template <class Policy, class F>
[[nodiscard]] std::uint32_t traced_policy(const F& f) {
    if constexpr (requires { std::uint32_t{f.trace_policy()}; }) {
        return f.trace_policy();
    } else {
        return trace::number_of_type<Policy>();
    }
}

/// The number of the name of the resource of a selection.
template <class Selection>
[[nodiscard]] std::uint32_t traced_resource(const Selection& chosen) {
    if constexpr (requires { chosen.trace_name(); }) {
        return chosen.trace_name();
    } else {
        return trace::number_of_resource(pointsman::unwrap(chosen), 0);
    }
}

/// The number of the name of the resource that `chooser.find(current, ...)` found.
template <class Chooser, class Current, class Found>
[[nodiscard]] std::uint32_t traced_find(const Current& current, Found& found) {
    if constexpr (chooses_by_state<typename Chooser::policy_type>) {
        auto& set = *current->set;
        return set.trace_names.of(set.resources[(*found).index], (*found).index);
    } else {
        return traced_resource(*found);
    }
}

/// As `submit_within`.
template <class Chooser, class F, class... Args>
[[gnu::cold, gnu::noinline]] auto submit_traced(Chooser chooser, const submit_options* options,
                                                F&& f, Args&&... args) {
    trace::task_scope task = traced_task(f, args...);
    const auto policy = traced_policy<typename Chooser::policy_type>(f);
    if (auto current = chooser.protect(); auto found = chooser.find(current, f, args...)) {
        task.chosen(traced_find<Chooser>(current, found), policy);
        return task.call([&] {
            return submit_found(chooser, current, found, std::forward<F>(f),
                                std::forward<Args>(args)...);
        });
    }
    auto handle =
        chooser.wait_and_select(options != nullptr ? *options : submit_options{}, f, args...);
    task.chosen(traced_resource(*handle), policy);
    return task.call([&] {
        return submit_selection(chooser.policy(), chooser.backend(), std::move(*handle),
                                std::forward<F>(f), std::forward<Args>(args)...);
    });
}

/// Submits to the resource that `chooser` finds; waits for one within `options`, which may be null.
template <class Chooser, class F, class... Args>
[[gnu::always_inline]] inline auto submit_or_trace(Chooser chooser, const submit_options* options,
                                                   F&& f, Args&&... args) {
    if (trace::recorder::is_on()) [[unlikely]] {
        return submit_traced(chooser, options, std::forward<F>(f), std::forward<Args>(args)...);
    }
    return submit_within(chooser, options, std::forward<F>(f), std::forward<Args>(args)...);
}

/// Submits to the resource that `chooser` finds now; returns an empty optional if none is free.
template <class Result, class Chooser, class F, class... Args>
[[gnu::cold, gnu::noinline]] std::optional<Result> try_submit_traced(Chooser chooser, F&& f,
                                                                     Args&&... args) {
    trace::task_scope task = traced_task(f, args...);
    auto current = chooser.protect();
    auto found = chooser.find(current, f, args...);
    if (!found) {
        return std::nullopt;
    }
    task.chosen(traced_find<Chooser>(current, found),
                traced_policy<typename Chooser::policy_type>(f));
    return std::optional<Result>{task.call([&] {
        return submit_found(chooser, current, found, std::forward<F>(f),
                            std::forward<Args>(args)...);
    })};
}

/// As `submit_selection`, for a selection that the user has made before.
template <class Policy, class Selection, class F, class... Args>
[[gnu::always_inline]] inline auto submit_selection_or_trace(const Policy& policy,
                                                             const shared_backend<Policy>& backend,
                                                             Selection&& selection, F&& f,
                                                             Args&&... args) {
    const auto submit_now = [&] {
        return submit_selection(policy, backend, std::forward<Selection>(selection),
                                std::forward<F>(f), std::forward<Args>(args)...);
    };
    if (trace::recorder::is_on()) [[unlikely]] {
        trace::task_scope task = traced_task(f, args...);
        task.chosen(traced_resource(selection), traced_policy<Policy>(f));
        return task.call(submit_now);
    }
    return submit_now();
}

/// Records a selection that is not submitted yet.
template <class Policy, class Selection, class... Task>
[[gnu::cold, gnu::noinline]] void trace_selection(const Selection& chosen, const Task&... task) {
    const std::uint32_t policy = [&] {
        if constexpr (sizeof...(Task) > 0) {
            return traced_policy<Policy>(std::get<0>(std::tie(task...)));
        } else {
            return trace::number_of_type<Policy>();
        }
    }();
    trace::recorder::record({.time = clock::now(),
                             .resource = traced_resource(chosen),
                             .policy = policy,
                             .kind = trace::event_kind::selection});
}

}  // namespace pointsman::detail
