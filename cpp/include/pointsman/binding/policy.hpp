// SPDX-License-Identifier: Apache-2.0
// Explains a policy's choice, for bindings that store the choice instead of the selection.
#pragma once

#include "pointsman/policy/detail/reason.hpp"

namespace pointsman::binding {

using pointsman::detail::reason_for;

}  // namespace pointsman::binding
