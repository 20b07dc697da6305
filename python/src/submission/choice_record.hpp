// SPDX-License-Identifier: Apache-2.0
// The data that a submission keeps about the choice of its resource, for `explain()`.
#pragma once

#include <Python.h>

#include <cstdint>
#include <type_traits>

#include "pointsman/binding/policy.hpp"
#include "pointsman/tuning/task_key.hpp"

namespace pointsman::python {

using binding::compares_loads;
using binding::records_choices;

/// Cheap to make, since each submission has one: holds only what `describe` cannot find out later.
struct choice_record {
    /// Returns a new reference to a dictionary about the choice, for pointsman._explanation; null with
    /// an exception set. GIL held.
    using description = PyObject* (*)(PyObject * policy, const choice_record& choice) noexcept;

    description describe = nullptr;  ///< null for a policy that describes no choices
    task_key key{};
    std::uint32_t index = 0;
    std::uint32_t set_number = 0;    ///< of the resources among which the policy chose
    std::uint32_t recorded = 0;      ///< number of valid entries of `loads`
    bool runs = false;               ///< the task is a function that the resource runs
    bool is_timed = false;           ///< the policy learns from the time of the submission
    bool has_measured = false;       ///< `measured` is valid
    std::uint8_t in_quarantine = 0;  ///< bits: which of the first resources were left out for that
    std::uint8_t tried = 0;          ///< bits: which were left out since the task had failed there
    /// The callable of a task that may refuse resources; or the list of scores that a rule in Python
    /// compared, in the order of the resources; or null. The holder of the record owns a reference.
    PyObject* kept = nullptr;
    union {
        /// Outstanding submissions of the first resources when the choice was made, including this one.
        binding::recorded_loads loads;
        binding::measured_record measured;  ///< of a rule that `records_choices`
    };

    choice_record() = default;
    choice_record(const choice_record&) = default;
    /// Copies what is valid.
    choice_record& operator=(const choice_record& other) noexcept {
        describe = other.describe;
        key = other.key;
        index = other.index;
        set_number = other.set_number;
        recorded = other.recorded;
        runs = other.runs;
        is_timed = other.is_timed;
        has_measured = other.has_measured;
        in_quarantine = other.in_quarantine;
        tried = other.tried;
        kept = other.kept;
        if (other.has_measured) {
            measured = other.measured;
        } else if (other.recorded > 0) {
            loads = other.loads;
        }
        return *this;
    }

    [[nodiscard]] bool has_scores() const noexcept {
        return kept != nullptr && PyList_CheckExact(kept);
    }
    [[nodiscard]] bool has_refusing_callable() const noexcept {
        return kept != nullptr && !PyList_CheckExact(kept);
    }
    /// Takes ownership of a list of scores. Null removes earlier scores but no callable. GIL held.
    void keep_scores(PyObject* scores) noexcept {
        if (scores != nullptr || has_scores()) {
            Py_XSETREF(kept, scores);
        }
    }

    template <class Selection>
    void note(const Selection& selection) noexcept {
        index = static_cast<std::uint32_t>(selection.index());
        set_number = selection.unwrap().set_number;
        if constexpr (requires { selection.choice().timed(); }) {
            is_timed = selection.choice().timed();
        }
        const auto& state = selection.chosen_by();
        has_measured = records_choices<std::remove_cvref_t<decltype(state)>>;
        if constexpr (compares_loads<std::remove_cvref_t<decltype(state)>>) {
            recorded = binding::record_loads(state.table(), loads);
        } else if constexpr (requires { binding::record_loads(state, loads); }) {
            recorded = binding::record_loads(state, loads);
        }
    }
};

}  // namespace pointsman::python
