// SPDX-License-Identifier: Apache-2.0
// The Python class Selection: holds a selection of any policy behind one interface.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>

#include "backend/task.hpp"
#include "instance.hpp"
#include "no_gil_mutex.hpp"
#include "pointsman/info/report.hpp"
#include "policy/describe_choice.hpp"
#include "submission/submission.hpp"

namespace pointsman::python {

/// The events of a task that can be reported to a selection.
enum class execution_info_name : std::uint8_t {
    task_submission,
    task_completion,
    task_failure,
    task_time,
    task_time_bound,
};

/// A selection of any policy.
/// **Thread safety**: any thread; GIL held for all members.
class selection_holder {
  public:
    virtual ~selection_holder() = default;
    [[nodiscard]] virtual py::object resource() const = 0;
    /// Ignores an event that the policy does not use.
    virtual void report(execution_info_name info, std::chrono::nanoseconds time) = 0;
    virtual submitted_work submit(PyObject* policy, const python_task& task) = 0;
    /// Returns true if the selection itself still counts as load of its resource.
    [[nodiscard]] virtual bool holds_load() const noexcept = 0;
};

template <class Policy>
class selection_by final : public selection_holder {
    using selection = typename Policy::selection_type;

  public:
    /// `choice` is that of the task for which `chosen` was selected.
    selection_by(selection&& chosen, const choice_record& choice) : chosen_{std::move(chosen)} {
        if constexpr (records_choices<typename Policy::state_type>) {
            measured_ = choice.measured;
        }
    }

    [[nodiscard]] py::object resource() const override { return chosen_.unwrap().object.get(); }

    void report(execution_info_name info, std::chrono::nanoseconds time) override {
        namespace events = execution_info;
        switch (info) {
            case execution_info_name::task_submission:
                forward(events::task_submission);
                break;
            case execution_info_name::task_completion:
                forward(events::task_completion);
                is_held_ = false;
                break;
            case execution_info_name::task_failure:
                chosen_.unwrap().record->failed();
                forward(events::task_failure);
                break;
            case execution_info_name::task_time:
                chosen_.unwrap().record->took(time);
                forward(events::task_time, time);
                break;
            case execution_info_name::task_time_bound:
                chosen_.unwrap().record->took(time);
                forward(events::task_time_bound, time);
                break;
        }
    }

    submitted_work submit(PyObject* policy, const python_task& task) override {
        task.choice().describe = &describe_choice<Policy>;
        if constexpr (records_choices<typename Policy::state_type>) {
            task.choice().measured = measured_;
        }
        return value_in<Policy>(policy).submit(hand_over(), task);
    }

    [[nodiscard]] bool holds_load() const noexcept override { return is_held_; }

  private:
    selection hand_over() {
        const std::lock_guard lock{mutex_};
        is_held_ = false;
        return chosen_.hand_over();
    }
    template <class Info>
    void forward(const Info& info) {
        if constexpr (report_info_v<selection, Info>) {
            const std::lock_guard lock{mutex_};
            pointsman::report(chosen_, info);
        }
    }
    template <class Info>
    void forward(const Info& info, std::chrono::nanoseconds time) {
        if constexpr (report_value_v<selection, Info, std::chrono::nanoseconds>) {
            const std::lock_guard lock{mutex_};
            pointsman::report(chosen_, info, time);
        }
    }

    selection chosen_;
    binding::measured_record measured_{};  // of a rule that `records_choices`
    std::atomic<bool> is_held_{true};
    [[no_unique_address]] no_gil_mutex mutex_;  // protects `chosen_`
};

/// The value of the Python class Selection.
struct python_selection {
    py::object policy;
    std::unique_ptr<selection_holder> chosen;
};

}  // namespace pointsman::python
