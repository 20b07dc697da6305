// SPDX-License-Identifier: Apache-2.0
// The reason for a selection, as a sentence; a neutral one if the rule cannot explain its choices.
#pragma once

#include <string>

namespace pointsman::detail {

/// Returns the reason that `state` gives for `choice`.
template <class State, class Choice>
[[nodiscard]] std::string reason_for(const State& state, const Choice& choice) {
    if constexpr (requires { state.explain(choice); }) {
        return state.explain(choice);
    } else {
        return "its own rule chose it";
    }
}

/// Returns the reason for a selection, which may be user-defined and have no state.
template <class Selection>
[[nodiscard]] std::string reason_of(const Selection& chosen) {
    if constexpr (requires { reason_for(chosen.chosen_by(), chosen.choice()); }) {
        return reason_for(chosen.chosen_by(), chosen.choice());
    } else {
        return reason_for(chosen, nullptr);
    }
}

}  // namespace pointsman::detail
