// SPDX-License-Identifier: Apache-2.0
// The backend of all policies in Python: the engine's own, or a user-defined one.
#pragma once

#include <concepts>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "backend/placement.hpp"
#include "backend/task.hpp"
#include "pointsman/binding/base.hpp"
#include "pointsman/binding/submission.hpp"
#include "pointsman/dynamic_selection.hpp"

namespace pointsman::python {

/// The backend of a policy and the policy's options. Passed to `default_backend` as the adapter of
/// resources; as such it returns them unchanged.
struct backend_choice {
    shared_object object{};  ///< the user-defined backend; null for the engine's own
    std::string options{};   ///< the policy's options, as written in Python: `offset=1`

    const python_resource& operator()(const python_resource& resource) const noexcept {
        return resource;
    }
};

/// The names of the events in Python, as in `Backend.reports()`.
template <class Info>
inline constexpr const char* event_name = nullptr;
template <>
inline constexpr const char* event_name<execution_info::task_submission_t> = "task_submission";
template <>
inline constexpr const char* event_name<execution_info::task_completion_t> = "task_completion";
template <>
inline constexpr const char* event_name<execution_info::task_time_t> = "task_time";

/// Passes all work to the user-defined backend if there is one. Unless that backend reports lazily, the
/// engine watches the object that it returns and reports the events that the backend has not reported.
class python_backend : public default_backend<python_resource, backend_choice> {
    using base = default_backend<python_resource, backend_choice>;
    using submission_t = default_submission<returned_object>;

  public:
    template <class... ReportReqs>
    python_backend(const std::vector<python_resource>& resources, const backend_choice& choice,
                   ReportReqs... reqs)
        : base{reporting_resources(resources, choice, {event_name<ReportReqs>...}), choice,
               reqs...},
          is_lazy_{reports_lazily(choice)} {}

    template <class Selection, class Task>
    auto submit(Selection&& selection, Task&& task) {
        if constexpr (requires { underlying(task); }) {
            underlying(task).belongs_to(*group_);
            if (this->adapter_.object.ptr() != nullptr) [[unlikely]] {
                return submit_to_user_backend(std::forward<Selection>(selection), underlying(task));
            }
        }
        return base::submit(std::forward<Selection>(selection), std::forward<Task>(task));
    }

    /// Not checked for a user-defined backend, which lists the events that it reports in `reports()` and is
    /// responsible for the precision of its times.
    void require_exact_times() {
        if (this->adapter_.object.ptr() == nullptr) {
            base::require_exact_times();
        }
    }

    [[nodiscard]] const backend_choice& choice() const noexcept { return this->adapter_; }
    [[nodiscard]] bool reports_lazily() const noexcept { return is_lazy_; }
    void lazy_report() const {
        if (is_lazy_) [[unlikely]] {
            ask_for_reports();
        }
    }

    void share_group(binding::ref<binding::submission_group_state> group) noexcept {
        group_ = group;
        base::share_group(std::move(group));
    }

  private:
    template <class Selection>
    submission_t submit_to_user_backend(Selection&& selection, const python_task& task) {
        using own_selection = std::decay_t<Selection>;
        own_selection own{std::forward<Selection>(selection)};
        task.placed_by(own);
        using kept_selection = decltype(binding::kept(own));
        return run_placed(std::make_shared<selection_reports<kept_selection>>(binding::kept(own)),
                          task);
    }
    [[nodiscard]] submission_t run_placed(const std::shared_ptr<placement_reports>& reports,
                                          const python_task& task) const;
    [[nodiscard]] submission_t watch(returned_object work,
                                     const std::shared_ptr<placement_reports>& reports,
                                     clock::time_point start) const;
    void ask_for_reports() const;

    [[nodiscard]] static bool reports_lazily(const backend_choice& choice);
    [[nodiscard]] static std::vector<python_resource> reporting_resources(
        const std::vector<python_resource>& resources, const backend_choice& choice,
        const std::vector<std::string>& events);

    bool is_lazy_;
    binding::ref<binding::submission_group_state> group_;
};

}  // namespace pointsman::python
