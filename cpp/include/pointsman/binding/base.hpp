// SPDX-License-Identifier: Apache-2.0
// Reference counts, and what a forked child must not use, for objects that a binding adds.
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
