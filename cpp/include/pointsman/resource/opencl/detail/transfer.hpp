// SPDX-License-Identifier: Apache-2.0
// Copies arrays between host and device memory, through pinned memory if they are large.
#pragma once

#include <cstddef>
#include <cstring>

#include "pointsman/base/in_threads.hpp"
#include "pointsman/resource/opencl/api.hpp"
#include "pointsman/resource/opencl/detail/driver_mark.hpp"
#include "pointsman/resource/opencl/detail/staged_transfer.hpp"
#include "pointsman/resource/opencl/queue.hpp"

namespace pointsman::detail {

/// Transfers of at least this size go through pinned memory. Drivers write a few MiB as fast without.
inline constexpr std::size_t worth_staged_write_bytes = std::size_t{16} << 20;
inline constexpr std::size_t worth_staged_read_bytes = std::size_t{1} << 20;

/// `std::memcpy` in several TBB threads: one thread copies more slowly than the bus.
inline void copy_in_threads(void* to, const void* from, std::size_t size_bytes) {
    constexpr std::size_t worth_a_thread = std::size_t{256} << 10;
    in_threads(size_bytes, worth_a_thread, [&](std::size_t begin, std::size_t end) {
        std::memcpy(static_cast<std::byte*>(to) + begin,
                    static_cast<const std::byte*>(from) + begin, end - begin);
    });
}

/// Whether a device works on host memory in place, or on a copy in its own memory.
enum class host_values : bool { in_place, copied };

/// Each thread caches the result for one device.
[[nodiscard]] inline host_values host_values_for(const opencl::queue& where) {
    struct answer {
        cl_device_id device = nullptr;
        host_values value = host_values::copied;
    };
    static thread_local answer last;
    const cl::Device& device = where.device().handle();
    if (last.device != device()) {
        opencl::detail::check_not_forked();
        last = {device(), device.getInfo<CL_DEVICE_HOST_UNIFIED_MEMORY>() != CL_FALSE
                              ? host_values::in_place
                              : host_values::copied};
    }
    return last.value;
}

/// Return true if `write_to_device` or `read_from_device` goes through pinned memory.
[[nodiscard]] inline bool is_write_staged(host_values of_host, std::size_t size_bytes) noexcept {
    return of_host == host_values::copied && size_bytes >= worth_staged_write_bytes;
}
[[nodiscard]] inline bool is_read_staged(host_values of_host, std::size_t size_bytes) noexcept {
    return of_host == host_values::copied && size_bytes >= worth_staged_read_bytes;
}

/// A range of bytes of a buffer.
struct bytes_on_device {
    const cl::Buffer& memory;
    std::size_t offset_bytes;
    std::size_t size_bytes;
};

/// Copies `to.size_bytes` bytes of host memory from `from` to `to`, and blocks until complete.
/// **Throws**: `cl::Error`, `opencl::error`.
inline void write_to_device(const opencl::queue& where, const void* from, const bytes_on_device& to,
                            host_values of_host) {
    if (is_write_staged(of_host, to.size_bytes)) {
        opencl::write_staged(where, from, to.memory, to.offset_bytes, to.size_bytes,
                             copy_in_threads);
    } else {
        where.handle().enqueueWriteBuffer(to.memory, CL_TRUE, to.offset_bytes, to.size_bytes, from);
    }
}

/// Copies `from` to host memory at `to`, and blocks until complete. Throws like `write_to_device`.
inline void read_from_device(const opencl::queue& where, const bytes_on_device& from, void* to,
                             host_values of_host) {
    if (is_read_staged(of_host, from.size_bytes)) {
        opencl::read_staged(where, from.memory, from.offset_bytes, to, from.size_bytes,
                            copy_in_threads);
    } else {
        where.handle().enqueueReadBuffer(from.memory, CL_TRUE, from.offset_bytes, from.size_bytes,
                                         to);
    }
}

}  // namespace pointsman::detail
