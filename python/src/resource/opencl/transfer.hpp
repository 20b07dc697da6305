// SPDX-License-Identifier: Apache-2.0
// Starts a copy to a device and keeps the host memory alive until it is complete.
#pragma once

#include <pybind11/pybind11.h>

#include "pointsman/resource/opencl/queue.hpp"
#include "resource/opencl/buffer.hpp"

namespace pointsman::python {

/// Starts to copy `array` into `buffer` and returns the `Event`. GIL held.
/// **Throws**: `TypeError` or `ValueError` if `array` does not fit; `opencl::error`.
[[nodiscard]] pybind11::object enqueue_write(const opencl::queue& queue,
                                             const device_buffer& buffer, pybind11::handle array,
                                             pybind11::handle wait_for);

}  // namespace pointsman::python
