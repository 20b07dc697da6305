// SPDX-License-Identifier: Apache-2.0
// Why a policy made a choice, for bindings that keep the choice and not the selection.
#pragma once

#include "pointsman/policy/detail/reason.hpp"

namespace pointsman::binding {

using pointsman::detail::reason_for;

}  // namespace pointsman::binding
