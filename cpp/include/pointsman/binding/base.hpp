// SPDX-License-Identifier: Apache-2.0
// Reference counting, checks for forked processes, and histograms, for objects that a binding defines.
#pragma once

#include "pointsman/base/duration_histogram.hpp"
#include "pointsman/base/fork_mark.hpp"
#include "pointsman/base/ref_counted.hpp"
#include "pointsman/base/tbb_threads.hpp"

namespace pointsman::binding {

using pointsman::detail::duration_histogram;
using pointsman::detail::fork_mark;
using pointsman::detail::make_ref;
using pointsman::detail::ref;
using pointsman::detail::ref_counted;
using pointsman::detail::tbb_threads;

}  // namespace pointsman::binding
