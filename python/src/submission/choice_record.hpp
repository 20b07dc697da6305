// SPDX-License-Identifier: Apache-2.0
// What a submission keeps of the choice of its resource, in order to explain it.
#pragma once

#include <Python.h>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "pointsman/tuning/task_key.hpp"

namespace pointsman::python {

/// A rule that compares what its resources have outstanding.
template <class Rule>
concept compares_loads = requires(const Rule& rule) {
    { rule.table().load(0) } -> std::same_as<std::uint32_t>;
};

/// Cheap to make, since there is one for each submission; what can be found out later is.
struct choice_record {
    /// A new reference to a dictionary of what is known of the choice, for pointsman._explanation; null
    /// with an exception set. Null for a policy that does not tell. GIL held.
    using description = PyObject* (*)(PyObject * policy, const choice_record& choice) noexcept;

    description describe = nullptr;
    task_key key{};
    std::uint32_t index = 0;
    std::uint32_t recorded = 0;  ///< so many `loads` are known
    /// Outstanding submissions of the first resources when the choice was made, this one included.
    std::array<std::uint32_t, 8> loads{};
    bool measures = false;  ///< the submission was made to measure its resource
    bool runs = false;      ///< the resource was to run a function
    /// The callable of a task that says of a resource why it refuses it; or what a rule in Python
    /// compared, a list in the order of the resources; null for neither. Who holds the record owns a
    /// reference.
    PyObject* kept = nullptr;

    [[nodiscard]] bool has_scores() const noexcept {
        return kept != nullptr && PyList_CheckExact(kept);
    }
    [[nodiscard]] bool has_refusing_callable() const noexcept {
        return kept != nullptr && !PyList_CheckExact(kept);
    }
    /// Takes over a reference to a list; null for no scores, which leaves a callable. GIL held.
    void keep_scores(PyObject* scores) noexcept {
        if (scores != nullptr || has_scores()) {
            Py_XSETREF(kept, scores);
        }
    }

    template <class Selection>
    void note(const Selection& selection) noexcept {
        index = static_cast<std::uint32_t>(selection.index());
        if constexpr (requires { selection.choice().timed; }) {
            measures = selection.choice().timed;
        }
        const auto& state = selection.chosen_by();
        if constexpr (compares_loads<std::remove_cvref_t<decltype(state)>>) {
            note_loads(state.table());
        } else if constexpr (requires { note_loads(state); }) {
            note_loads(state);
        }
    }

  private:
    template <class Loads>
        requires requires(const Loads& of, std::size_t index) {
            { of.load(index) } -> std::convertible_to<std::uint32_t>;
            { of.size() } -> std::convertible_to<std::size_t>;
        }
    void note_loads(const Loads& of) noexcept {
        recorded = static_cast<std::uint32_t>(std::min<std::size_t>(of.size(), loads.size()));
        for (std::size_t i = 0; i < recorded; ++i) {
            loads[i] = of.load(i);
        }
    }
};

}  // namespace pointsman::python
