// SPDX-License-Identifier: Apache-2.0
// Reference counting, and checks for forked processes, for objects that a binding defines.
#pragma once

#include "pointsman/base/fork_mark.hpp"
#include "pointsman/base/ref_counted.hpp"
#include "pointsman/base/tbb_threads.hpp"

namespace pointsman::binding {

using pointsman::detail::fork_mark;
using pointsman::detail::make_ref;
using pointsman::detail::ref;
using pointsman::detail::ref_counted;
using pointsman::detail::tbb_threads;

}  // namespace pointsman::binding
