// SPDX-License-Identifier: Apache-2.0
// Asks the rule behind a selection why it chose; a rule that does not tell gets a neutral sentence.
#pragma once

#include <string>

namespace pointsman::detail {

/// What `state` says of its `choice`.
template <class State, class Choice>
[[nodiscard]] std::string reason_for(const State& state, const Choice& choice) {
    if constexpr (requires { state.explain(choice); }) {
        return state.explain(choice);
    } else {
        return "its own rule chose it";
    }
}

/// The same of a selection, which may be user-defined and have no such state.
template <class Selection>
[[nodiscard]] std::string reason_of(const Selection& chosen) {
    if constexpr (requires { reason_for(chosen.chosen_by(), chosen.choice()); }) {
        return reason_for(chosen.chosen_by(), chosen.choice());
    } else {
        return reason_for(chosen, nullptr);
    }
}

}  // namespace pointsman::detail
