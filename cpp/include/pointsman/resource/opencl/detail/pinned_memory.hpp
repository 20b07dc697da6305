// SPDX-License-Identifier: Apache-2.0
// Host memory that a device copies from and to at its full rate.
#pragma once

#include <cstddef>

#include "pointsman/resource/opencl/api.hpp"
#include "pointsman/resource/opencl/detail/driver_mark.hpp"
#include "pointsman/resource/opencl/detail/owned.hpp"

namespace pointsman::opencl::detail {

/// Memory that the driver keeps in place, mapped during this object's lifetime. It is mapped on a queue
/// of its own, so that it waits for no other commands. The commands that use it must be complete before
/// it is destroyed.
/// **Thread safety**: any member from any thread. A forked child leaves it to its parent.
class pinned_memory {
  public:
    /// **Throws**: `cl::Error`.
    /// **Cost**: that of a queue and of an allocation, milliseconds.
    pinned_memory(const cl::Context& context, const cl::Device& device, std::size_t size_bytes)
        : size_bytes_{size_bytes},
          queue_{cl::CommandQueue{context, device}},
          memory_{cl::Buffer{context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, size_bytes}},
          address_{static_cast<std::byte*>(queue_.enqueueMapBuffer(
              memory_, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, size_bytes))} {}
    pinned_memory(const pinned_memory&) = delete;
    pinned_memory& operator=(const pinned_memory&) = delete;
    ~pinned_memory() {
        if (!driver_mark().is_stale() && clEnqueueUnmapMemObject(queue_(), memory_(), address_, 0,
                                                                 nullptr, nullptr) == CL_SUCCESS) {
            clFinish(queue_());
        }
    }

    [[nodiscard]] std::byte* address() const noexcept { return address_; }
    [[nodiscard]] std::size_t size_bytes() const noexcept { return size_bytes_; }

  private:
    std::size_t size_bytes_;
    owned<cl::CommandQueue> queue_;
    owned<cl::Buffer> memory_;
    std::byte* address_;
};

}  // namespace pointsman::opencl::detail
