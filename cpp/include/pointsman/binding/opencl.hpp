// SPDX-License-Identifier: Apache-2.0
// OpenCL events, memory and errors for bindings, which handle bytes instead of typed C++ buffers.
#pragma once

#include "pointsman/resource/opencl/detail/command.hpp"
#include "pointsman/resource/opencl/detail/completion.hpp"
#include "pointsman/resource/opencl/detail/driver_mark.hpp"
#include "pointsman/resource/opencl/detail/owned.hpp"
#include "pointsman/resource/opencl/detail/pinned_memory.hpp"
#include "pointsman/resource/opencl/detail/transfer.hpp"
#include "pointsman/resource/opencl/error.hpp"

namespace pointsman::binding {

using pointsman::detail::bytes_on_device;
using pointsman::detail::host_values_for;
using pointsman::detail::is_read_staged;
using pointsman::detail::is_write_staged;
using pointsman::detail::read_from_device;
using pointsman::detail::write_to_device;
using pointsman::opencl::detail::check_not_forked;
using pointsman::opencl::detail::command;
using pointsman::opencl::detail::driver_mark;
using pointsman::opencl::detail::notice;
using pointsman::opencl::detail::notice_for;
using pointsman::opencl::detail::owned;
using pointsman::opencl::detail::pinned_memory;
using pointsman::opencl::detail::program_cache;
using pointsman::opencl::detail::translated;

}  // namespace pointsman::binding
