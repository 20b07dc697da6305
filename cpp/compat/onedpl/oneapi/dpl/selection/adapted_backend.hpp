// SPDX-License-Identifier: Apache-2.0
// Makes a user-defined backend usable by pointsman's policies.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "oneapi/dpl/selection/default_backend.hpp"
#include "oneapi/dpl/selection/execution_info.hpp"
#include "oneapi/dpl/selection/traits.hpp"
#include "pointsman/backend/detail/adapted_group.hpp"

namespace oneapi::dpl::experimental::detail {

/// The selection passed to a user-defined backend: it can be copied, assigned and kept, and accepts
/// only the reports `ReportReqs`. Its copies share one selection of pointsman, which releases its
/// reservation when the last copy is destroyed and nothing was reported.
///
/// If only the time is required, a report of the time reports the completion as well.
/// **Thread safety**: copies may be used from different threads.
template <class Selection, class Backend, class... ReportReqs>
class shared_selection {
    template <class Info>
    static constexpr bool takes = execution_info::contains_reporting_req_v<Info, ReportReqs...>;

  public:
    using scratch_space_t =
        typename backend_traits<Backend>::template selection_scratch_t<ReportReqs...>;

    explicit shared_selection(Selection selection)
        : shared_{std::make_shared<shared>(std::move(selection))} {}

    /// A copy of the chosen resource.
    auto unwrap() const {
        return std::decay_t<decltype(shared_->selection.unwrap())>(shared_->selection.unwrap());
    }
    auto get_policy() const { return shared_->selection.get_policy(); }

    void report(execution_info::task_submission_t info) const
        requires takes<execution_info::task_submission_t>
    {
        shared_->selection.report(info);
    }
    void report(execution_info::task_completion_t info) const
        requires takes<execution_info::task_completion_t>
    {
        shared_->selection.report(info);
    }
    void report(execution_info::task_time_t info, std::uint64_t ticks) const
        requires takes<execution_info::task_time_t>
    {
        report(info, std::chrono::nanoseconds{ticks});
    }
    void report(execution_info::task_time_t info, std::chrono::nanoseconds time) const
        requires takes<execution_info::task_time_t>
    {
        if (!shared_->timed.test_and_set()) {
            shared_->selection.report(info, time);
            if constexpr (!takes<execution_info::task_completion_t>) {
                shared_->selection.report(execution_info::task_completion);
            }
        }
    }

    scratch_space_t scratch_space{};

  private:
    struct shared {
        explicit shared(Selection chosen) : selection(std::move(chosen)) {}
        Selection selection;
        std::atomic_flag timed;
    };
    std::shared_ptr<shared> shared_;
};

/// Gives a user-defined backend the interface that pointsman's policies need. The backend is constructed
/// with the reports that oneDPL's policy of the same name requires, even if pointsman's policy requires
/// more.
template <class Backend, class... ReportReqs>
class foreign_backend {
  public:
    using resource_type = typename Backend::resource_type;

    template <class... CoreReqs>
        requires(pointsman::execution_info_v<CoreReqs> && ...)
    explicit foreign_backend(CoreReqs...) : backend_(ReportReqs{}...) {}
    template <class Adapter, class... CoreReqs>
    foreign_backend(const std::vector<resource_type>& resources, Adapter adapter, CoreReqs...)
        : backend_(resources, std::move(adapter), ReportReqs{}...) {}

    // Not inlined: g++ 14 otherwise warns (-Warray-bounds) about the copy of a one-element vector.
    [[nodiscard, gnu::noinline]] std::vector<resource_type> get_resources() {
        return backend_.get_resources();
    }
    [[nodiscard]] auto get_submission_group() { return backend_.get_submission_group(); }

    void lazy_report()
        requires pointsman::lazy_report_v<Backend>
    {
        backend_.lazy_report();
    }

    /// Makes a backend derived from pointsman's count its submissions in the group of the policy.
    template <class Group>
    void share_group(Group group)
        requires requires(Backend& backend) { backend.share_group(group); }
    {
        backend_.share_group(std::move(group));
    }

    template <class Selection, class F, class... Args>
    auto submit(Selection selection, F&& f, Args&&... args) {
        return backend_.submit(
            shared_selection<Selection, Backend, ReportReqs...>{std::move(selection)},
            std::forward<F>(f), std::forward<Args>(args)...);
    }

  private:
    Backend backend_;
};

/// True for pointsman's own backends; not for classes derived from them.
template <class Backend>
inline constexpr bool native_v = false;
template <class CoreResource, class Resource, class Adapter>
inline constexpr bool native_v<core_resource_backend<CoreResource, Resource, Adapter>> =
    pointsman::borrows_selections_v<core_resource_backend<CoreResource, Resource, Adapter>>;
template <class Resource, class Adapter>
inline constexpr bool native_v<default_backend<Resource, Adapter>> =
    pointsman::borrows_selections_v<default_backend<Resource, Adapter>>;

/// `Backend` in the form that pointsman's policies take. If it keeps the submission group of
/// `backend_base`, it waits for the resources that `Adapter` returns.
template <class Backend, class Adapter, class... ReportReqs>
using adapted_backend_t =
    std::conditional_t<native_v<Backend>, Backend,
                       foreign_backend<pointsman::detail::with_adapted_group_t<
                                           Backend, typename Backend::resource_type, Adapter>,
                                       ReportReqs...>>;

}  // namespace oneapi::dpl::experimental::detail
