// SPDX-License-Identifier: Apache-2.0
// The generic backend: reports submission, completion and time of work on any resource.
#pragma once

#include <concepts>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "pointsman/backend/backend_base.hpp"
#include "pointsman/backend/backend_traits.hpp"
#include "pointsman/base/timing_scope.hpp"
#include "pointsman/error.hpp"
#include "pointsman/info/report.hpp"
#include "pointsman/info/reporting_requirement.hpp"
#include "pointsman/info/unwrap.hpp"
#include "pointsman/resource/reports_exact_times.hpp"
#include "pointsman/trace/recorder.hpp"

namespace pointsman {
namespace detail {

template <class Selection>
inline constexpr bool is_notified_of_time_v =
    report_value_v<Selection, execution_info::task_time_t>;
/// True if the selection accepts any report at the end of a task.
template <class Selection>
inline constexpr bool is_notified_of_end_v =
    is_notified_of_time_v<Selection> ||
    report_info_v<Selection, execution_info::task_completion_t> ||
    report_info_v<Selection, execution_info::task_failure_t>;

/// Takes the place of the start time of a task that is not timed.
struct untimed {
    constexpr operator std::optional<clock::time_point>() const noexcept { return std::nullopt; }
};

/// A selection that times only some tasks has a `wants_time()`: the clock is read only if it returns true.
template <class Selection>
[[nodiscard]] bool wants_time([[maybe_unused]] const Selection& selection) {
    if constexpr (requires { selection.wants_time(); }) {
        return selection.wants_time();
    } else {
        return is_notified_of_time_v<Selection>;
    }
}

/// The selection in a form that may outlive the call that made it.
template <class Selection>
[[nodiscard]] auto kept(Selection& selection) {
    if constexpr (requires { std::move(selection).keep(); }) {
        return std::move(selection).keep();
    } else {
        return std::move(selection);
    }
}

template <class Selection>
void report_time(Selection& selection, clock::duration elapsed, bool exact) {
    if constexpr (report_value_v<Selection, execution_info::task_time_bound_t>) {
        if (!exact) {
            report(selection, execution_info::task_time_bound, elapsed);
            return;
        }
    }
    report(selection, execution_info::task_time, elapsed);
}

template <class Selection>
void report_failure(Selection& selection) {
    if constexpr (report_info_v<Selection, execution_info::task_failure_t>) {
        report(selection, execution_info::task_failure);
    }
}

template <class Selection>
[[gnu::always_inline]] inline void report_completion(Selection& selection) {
    if constexpr (report_info_v<Selection, execution_info::task_completion_t>) {
        report(selection, execution_info::task_completion);
    }
}

/// True if the generic backend can report each of `Reqs`.
template <class... Reqs>
inline constexpr bool reportable_v =
    (contains_reporting_req_v<Reqs, execution_info::task_submission_t,
                              execution_info::task_completion_t, execution_info::task_failure_t,
                              execution_info::task_time_t, execution_info::task_time_bound_t> &&
     ...);

/// Work whose completion is reported to the selection that placed it.
template <class T, class Selection>
class reported_work final : public watched_work<T> {
  public:
    /// Starts the work, then takes over the selection `placed`.
    template <class Start, class Placed>
    reported_work(Start&& start, submission_group_state& group, Placed& placed,
                  std::optional<clock::time_point> started)
        : watched_work<T>{start, group}, kept_selection(kept(placed)), started_{started} {}
    ~reported_work() override {
        if (is_kept_) {
            kept_selection.~Selection();
        }
    }

  protected:
    [[nodiscard]] bool wants_time() const noexcept override {
        return is_notified_of_time_v<Selection> && started_.has_value();
    }
    void account(const completion* end) noexcept override {
        if (end != nullptr && !end->succeeded) {
            report_failure(kept_selection);
        } else if constexpr (is_notified_of_time_v<Selection>) {
            if (end != nullptr && started_ && !end->own_time) {
                report_time(kept_selection, end->end - *started_, end->exact);
            }
        }
        report_completion(kept_selection);
        if constexpr (is_notified_of_time_v<Selection>) {
            if (end != nullptr && end->succeeded && started_ && end->own_time) {
                // Told after the completion, it is not taken for the time since the submission.
                report_time(kept_selection, *end->own_time, true);
            }
        }
        kept_selection.~Selection();
        is_kept_ = false;
    }

  private:
    union {
        Selection
            kept_selection;  ///< constructed in place, destroyed once the completion is reported
    };
    bool is_kept_ = true;
    std::optional<clock::time_point> started_;
};

}  // namespace detail

/// Backend for resources of type `Resource`, which `Adapter` converts into a `CoreResource`.
///
/// The primary template serves every type: load and time are derived from the completion of the object
/// that the submitted function returns (`waitable_traits`). Specialise it for a `CoreResource` with a
/// better source of reports, or with resources that cannot all report what a policy requires.
///
/// **Thread safety**: `submit` from any thread.
/// **Cost**: nothing beyond the call for a function that returns a plain value, unless the policy needs
/// reports; one allocation for each waitable.
/// Source: *Proposed Design* in the custom backends document.
template <class CoreResource, class Resource, class Adapter>
class core_resource_backend : public backend_base<Resource> {
    using base = backend_base<Resource>;

  public:
    template <class... ReportReqs>
    using scratch_space_t = no_scratch_t<ReportReqs...>;
    static constexpr bool borrows_selections = true;

    template <reporting_requirement... ReportReqs>
    explicit core_resource_backend(ReportReqs... reqs) : base{reqs...} {
        check<ReportReqs...>();
    }

    template <class... ReportReqs>
    explicit core_resource_backend(const std::vector<Resource>& resources, Adapter adapter,
                                   ReportReqs... reqs)
        : base{resources, reqs...}, adapter_{std::move(adapter)} {
        check<ReportReqs...>();
    }

    /// Calls `f(resource, args...)` and watches the result without waiting for it. The selection is
    /// copied, or moved if it cannot be copied. A function with a member `placed_by(selection)` is
    /// called with its selection before the task runs.
    /// **Throws**: what `f` throws, after its load has been released.
    template <class Selection, class F, class... Args>
    auto submit(const Selection& selection, F&& f, Args&&... args) {
        return submit(Selection{selection}, std::forward<F>(f), std::forward<Args>(args)...);
    }
    template <class Selection, class F, class... Args>
        requires(!std::copy_constructible<Selection>)
    auto submit(Selection& selection, F&& f, Args&&... args) {
        return submit(std::move(selection), std::forward<F>(f), std::forward<Args>(args)...);
    }
    template <class Selection, class F, class... Args>
        requires(!std::is_reference_v<Selection> && !std::is_const_v<Selection>)
    auto submit(Selection&& selection, F&& f, Args&&... args) {
        if constexpr (report_info_v<Selection, execution_info::task_submission_t>) {
            report(selection, execution_info::task_submission);
        }
        if constexpr (requires { f.placed_by(selection); }) {
            guarded(selection, [&] { f.placed_by(selection); });
        }
        auto call = [&]() -> decltype(auto) {
            return detail::call_with_resource(std::forward<F>(f), unwrap(selection),
                                              std::forward<Args>(args)...);
        };
        if (detail::wants_time(selection)) {
            return run_timed(selection, call);
        }
        return run(selection, detail::untimed{}, call);
    }

    /// The submissions made through this backend, and no other work on its resources.
    [[nodiscard]] default_submission_group get_submission_group() const {
        return default_submission_group{group_};
    }

    /// Adds submissions to `group` from now on; a policy gives all its backends the same group.
    void share_group(detail::ref<detail::submission_group_state> group) noexcept {
        group_ = std::move(group);
    }

    /// Removes the resources whose times are only upper bounds, according to `reports_exact_times` of
    /// the adapted resource. Policies call it before they query the resources.
    /// **Throws**: `unsatisfied_reporting` if none is left.
    void require_exact_times() {
        typename base::resource_container_t exact;
        for (const Resource& resource : this->resources_) {
            if (pointsman::reports_exact_times(adapter_(resource))) {
                exact.push_back(resource);
            }
        }
        if (exact.empty()) {
            throw unsatisfied_reporting{
                "none of the " + std::to_string(this->resources_.size()) +
                " resources reports exact times: give OpenCL queues profiling, or do not require "
                "exact times"};
        }
        this->resources_.swap(exact);
    }

  protected:
    Adapter adapter_{};

  private:
    template <class... ReportReqs>
    static constexpr void check() {
        static_assert(detail::reportable_v<ReportReqs...>,
                      "the policy needs a report that this backend does not know: it reports the "
                      "events in pointsman::execution_info; for other events, give the policy a "
                      "user-defined backend");
    }

    /// Calls `call()`; if it throws, reports the failure and the completion.
    template <class Selection, class Call>
    decltype(auto) guarded(Selection& selection, Call&& call)
        requires detail::is_notified_of_end_v<Selection>
    {
        try {
            return call();
        } catch (...) {
            detail::report_failure(selection);
            give_back(selection);
            throw;
        }
    }

    template <class Selection, class Call>
    decltype(auto) guarded(Selection&, Call&& call) {
        return call();
    }

    template <class Selection>
    [[gnu::always_inline]] void give_back(Selection& selection) {
        if constexpr (detail::is_notified_of_end_v<Selection>) {
            detail::report_completion(selection);
            if constexpr (!requires { Selection::wakes_waiters; }) {
                group_->freed().notify();
            }
        }
    }

    template <class Selection>
    void complete_now(Selection& selection, clock::time_point start) {
        if constexpr (detail::is_notified_of_time_v<Selection>) {
            report(selection, execution_info::task_time, clock::now() - start);
        }
        give_back(selection);
    }
    template <class Selection>
    void complete_now(Selection& selection, detail::untimed) {
        give_back(selection);
    }

    /// Not inlined, to keep the clock out of the hot path of selections that time only some tasks.
    template <class Selection, class Call>
    [[gnu::noinline]] auto run_timed(Selection& selection, Call& call) {
        return run(selection, clock::now(), call);
    }

    template <class Selection, class Start, class Call>
    [[gnu::always_inline]] auto run(Selection& selection, Start start, Call& call) {
        using result = decltype(call());
        if constexpr (waitable<std::remove_cvref_t<result>>) {
            return watch<std::remove_cvref_t<result>>(selection, start, call);
        } else if constexpr (std::is_void_v<result>) {
            guarded(selection, call);
            complete_now(selection, start);
            return default_submission<void>{};
        } else {
            auto submission =
                guarded(selection, [&] { return default_submission<result>(call()); });
            complete_now(selection, start);
            return submission;
        }
    }

    template <class T, class Selection, class Start, class Call>
    default_submission<T> watch(Selection& selection, Start start, Call& call) {
        const void* key = nullptr;
        if constexpr ((std::is_same_v<T, Resource> || std::is_same_v<T, CoreResource>) &&
                      std::is_lvalue_reference_v<decltype(unwrap(selection))>) {
            key = &unwrap(selection);
        }
        const auto start_work = [&] { return started<T>(start, call); };
        if constexpr (detail::dynamic_rung<T>) {
            T work = guarded(selection, start_work);
            if (guarded(selection, [&] { return rung_of(work); }) ==
                waitable_rung::complete_at_return) {
                complete_now(selection, start);
                return default_submission<T>{std::move(work)};
            }
            return watched_submission<T>(selection, start, key, [&] { return std::move(work); });
        } else {
            return watched_submission<T>(selection, start, key, start_work);
        }
    }

    template <class T, class Selection, class Start, class StartWork>
    default_submission<T> watched_submission(Selection& selection, Start start, const void* key,
                                             const StartWork& start_work) {
        auto watched =
            guarded(selection, [&] { return share_work<T>(start_work, selection, start); });
        watched->watch(key);
        return default_submission<T>{std::move(watched)};
    }

    template <class T, class Start, class Call>
    static T started(const Start&, Call& call) {
        if constexpr (detail::dated_at_start_v<T>) {
            const detail::timing_scope scope{!std::is_same_v<Start, detail::untimed> ||
                                             trace::recorder::is_on()};
            return call();
        } else {
            return call();
        }
    }

    /// Outstanding work keeps the selection only if the selection must be notified of its completion.
    template <class T, class StartWork, class Selection, class Start>
    detail::ref<detail::watched_work<T>> share_work(const StartWork& start_work,
                                                    Selection& selection, Start start) {
        if constexpr (detail::is_notified_of_end_v<Selection>) {
            using kept_selection = decltype(detail::kept(selection));
            return detail::make_ref<detail::reported_work<T, kept_selection>>(start_work, *group_,
                                                                              selection, start);
        } else {
            return detail::make_ref<detail::watched_work<T>>(start_work, *group_);
        }
    }

    detail::ref<detail::submission_group_state> group_ =
        detail::make_ref<detail::submission_group_state>();
};

}  // namespace pointsman
