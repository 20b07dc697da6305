// SPDX-License-Identifier: Apache-2.0
// The backend of all policies in Python: the engine's own, or one that the user wrote.
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

/// Which backend a policy uses; as the adapter of its resources, which it leaves as they are. It
/// carries what is said of the policy beside its resources.
struct backend_choice {
    shared_object object{};  ///< the user's; null for the engine's own
    std::string options{};   ///< of the policy, as Python writes them: `offset=1`

    const python_resource& operator()(const python_resource& resource) const noexcept {
        return resource;
    }
};

/// The names under which backends in Python know the events.
template <class Info>
inline constexpr const char* event_name = nullptr;
template <>
inline constexpr const char* event_name<execution_info::task_submission_t> = "task_submission";
template <>
inline constexpr const char* event_name<execution_info::task_completion_t> = "task_completion";
template <>
inline constexpr const char* event_name<execution_info::task_time_t> = "task_time";

/// Hands each piece of work to the user's backend where there is one. Unless that backend reports
/// lazily, the engine watches what it returns and reports whatever the backend does not.
class python_backend : public default_backend<python_resource, backend_choice> {
    using base = default_backend<python_resource, backend_choice>;
    using submission_t = default_submission<returned_object>;

  public:
    template <class... ReportReqs>
    python_backend(const std::vector<python_resource>& resources, const backend_choice& choice,
                   ReportReqs... reqs)
        : base{those_that_report(resources, choice, {event_name<ReportReqs>...}), choice, reqs...},
          is_lazy_{reports_lazily(choice)} {}

    template <class Selection, class Task>
    auto submit(Selection&& selection, Task&& task) {
        if constexpr (requires { underlying(task); }) {
            if (this->adapter_.object.ptr() != nullptr) [[unlikely]] {
                return submit_to_users(std::forward<Selection>(selection), underlying(task));
            }
        }
        return base::submit(std::forward<Selection>(selection), std::forward<Task>(task));
    }

    /// A backend of the user's has said in `reports()` whose times it reports, and how exact they are is
    /// its own affair.
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
    submission_t submit_to_users(Selection&& selection, const python_task& task) {
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
    [[nodiscard]] static std::vector<python_resource> those_that_report(
        const std::vector<python_resource>& resources, const backend_choice& choice,
        const std::vector<std::string>& events);

    bool is_lazy_;
    binding::ref<binding::submission_group_state> group_;
};

}  // namespace pointsman::python
