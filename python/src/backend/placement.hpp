// SPDX-License-Identifier: Apache-2.0
// How a user-defined backend reports on one piece of work that a policy has placed.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "backend/task.hpp"
#include "pointsman/backend/core_resource_backend.hpp"
#include "pointsman/binding/submission.hpp"

namespace pointsman::python {

/// Forwards reports to the policy that placed the work, each event once, whether the backend or the
/// engine reports it first. Work whose placement the backend has released counts as complete.
/// **Thread safety**: any thread, with or without the GIL.
class placement_reports {
  public:
    placement_reports() = default;
    placement_reports(const placement_reports&) = delete;
    placement_reports& operator=(const placement_reports&) = delete;
    virtual ~placement_reports() = default;

    [[nodiscard]] virtual const python_resource& resource() const noexcept = 0;

    void took(std::chrono::nanoseconds time, bool exact) {
        if (!is_complete_.load() && !has_outcome_.exchange(true)) {
            resource().record->took(time);
            report_time(time, exact);
        }
    }
    void failed() {
        if (!is_complete_.load() && !has_outcome_.exchange(true)) {
            resource().record->failed();
            report_failure();
        }
    }
    void completed() {
        if (!is_complete_.exchange(true)) {
            report_completion();
        }
    }
    /// Reports the end that the engine observed; null if no thread will observe it.
    void ended(const completion* end, clock::time_point start) {
        if (end != nullptr && end->succeeded) {
            took(end->end - start, end->exact);
        } else if (end != nullptr) {
            failed();
        }
        completed();
    }

  private:
    virtual void report_time(std::chrono::nanoseconds time, bool exact) = 0;
    virtual void report_failure() = 0;
    virtual void report_completion() = 0;

    std::atomic<bool> has_outcome_{false};
    std::atomic<bool> is_complete_{false};
};

/// The reports of one of the engine's selections. The constructor reports the submission.
template <class Selection>
class selection_reports final : public placement_reports {
  public:
    explicit selection_reports(Selection selection) : selection_{std::move(selection)} {
        if constexpr (report_info_v<Selection, execution_info::task_submission_t>) {
            report(selection_, execution_info::task_submission);
        }
    }
    ~selection_reports() override { completed(); }

    [[nodiscard]] const python_resource& resource() const noexcept override {
        return selection_.unwrap();
    }

  private:
    void report_time(std::chrono::nanoseconds time, bool exact) override {
        if constexpr (binding::is_notified_of_time_v<Selection>) {
            if (binding::wants_time(selection_)) {
                binding::report_time(selection_, time, exact);
            }
        }
    }
    void report_failure() override { binding::report_failure(selection_); }
    void report_completion() override { binding::report_completion(selection_); }

    Selection selection_;
};

/// The Python class Placement.
class python_placement {
  public:
    explicit python_placement(std::shared_ptr<placement_reports> reports)
        : reports_{std::move(reports)} {}

    [[nodiscard]] py::object resource() const { return reports_->resource().object.get(); }
    /// **Throws**: `invalid_option` for an unknown event or an invalid time.
    void report(std::string_view info, std::optional<double> seconds) const;

  private:
    std::shared_ptr<placement_reports> reports_;
};

}  // namespace pointsman::python
