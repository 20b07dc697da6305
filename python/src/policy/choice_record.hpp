// SPDX-License-Identifier: Apache-2.0
// What a submission keeps of the choice of its resource, in order to explain it.
#pragma once

#include <Python.h>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>

#include "fairlead/policy/load_table.hpp"
#include "fairlead/tuning/task_key.hpp"

namespace fairlead::python {

/// Cheap to make, since there is one for each submission; what can be found out later is.
struct choice_record {
    /// A new reference to a dictionary of what is known of the choice, for fairlead.explanation; null
    /// with an exception set. Null for a policy that does not tell. GIL held.
    using description = PyObject* (*)(PyObject * policy, const choice_record& choice) noexcept;

    description describe = nullptr;
    task_key key{};
    std::uint32_t index = 0;
    std::uint32_t recorded = 0;  ///< so many `loads` are known
    /// Outstanding submissions of the first resources when the choice was made, this one included.
    std::array<std::uint32_t, 8> loads{};
    bool measures = false;  ///< the submission was made to measure its resource

    template <class Selection>
    void note(const Selection& selection) noexcept {
        index = static_cast<std::uint32_t>(selection.index());
        if constexpr (requires { selection.choice().timed; }) {
            measures = selection.choice().timed;
        }
        if constexpr (requires {
                          { selection.chosen_by().table() } -> std::same_as<const load_table&>;
                      }) {
            const load_table& table = selection.chosen_by().table();
            recorded = static_cast<std::uint32_t>(std::min(table.size(), loads.size()));
            for (std::size_t i = 0; i < recorded; ++i) {
                loads[i] = table.load(i);
            }
        }
    }
};

}  // namespace fairlead::python
