// SPDX-License-Identifier: Apache-2.0
// Parts of host algorithms for values in memory of a binding.
#pragma once

#include "pointsman/algorithm/host/register_sums.hpp"
#include "pointsman/base/in_threads.hpp"

namespace pointsman::binding {

using pointsman::detail::in_threads;
using pointsman::detail::register_sums;

}  // namespace pointsman::binding
