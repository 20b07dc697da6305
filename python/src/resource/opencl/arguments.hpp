// SPDX-License-Identifier: Apache-2.0
// Turns Python values into the bytes that a kernel's parameters take.
#pragma once

#include <pybind11/pybind11.h>

#include <span>
#include <string>
#include <vector>

#include "fairlead/resource/opencl/queue.hpp"

namespace fairlead::python {

/// The arguments of one call of a kernel. Refers to the buffers among `values`.
class argument_list {
  public:
    /// **Throws**: `TypeError` for a wrong number of values and for a value that does not fit its
    /// parameter, `OverflowError` for a number out of range, `invalid_option` for a buffer of
    /// another device.
    argument_list(const opencl::queue& queue, const opencl::kernel& kernel,
                  const pybind11::args& values);

    [[nodiscard]] std::span<const opencl::kernel_argument> span() const noexcept { return list_; }

  private:
    std::vector<std::string> bytes_;  // of the arguments that are no buffers
    std::vector<opencl::kernel_argument> list_;
};

}  // namespace fairlead::python
