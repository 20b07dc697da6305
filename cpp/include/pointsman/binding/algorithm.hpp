// SPDX-License-Identifier: Apache-2.0
// Device algorithms for memory and types that a binding knows only at run time, and sort orders.
#pragma once

#include "pointsman/algorithm/detail/order.hpp"
#include "pointsman/algorithm/detail/scan_kind.hpp"
#include "pointsman/algorithm/functors.hpp"
#include "pointsman/algorithm/opencl/engine/compaction.hpp"
#include "pointsman/algorithm/opencl/engine/elementwise.hpp"
#include "pointsman/algorithm/opencl/engine/reduction.hpp"
#include "pointsman/algorithm/opencl/extremum.hpp"
#include "pointsman/algorithm/opencl/histogram.hpp"
#include "pointsman/algorithm/opencl/merge.hpp"
#include "pointsman/algorithm/opencl/scan.hpp"
#include "pointsman/algorithm/opencl/sort.hpp"
#include "pointsman/algorithm/opencl/type.hpp"

namespace pointsman::binding {

namespace engine = pointsman::detail::engine;

using pointsman::detail::binary_functor;
using pointsman::detail::end_overtaking;
using pointsman::detail::enqueue_sort;
using pointsman::detail::extrema_on_device;
using pointsman::detail::extremum;
using pointsman::detail::histogram_on_device;
using pointsman::detail::merge_on_device;
using pointsman::detail::moved_array;
using pointsman::detail::opencl_type;
using pointsman::detail::order_kind;
using pointsman::detail::radix_order;
using pointsman::detail::scan_kind;
using pointsman::detail::scan_on_device;
using pointsman::detail::with_nan_last;

}  // namespace pointsman::binding
