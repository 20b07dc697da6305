// SPDX-License-Identifier: Apache-2.0
// Copies arrays between the host's memory and that of a device's own.
#pragma once

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <cstddef>
#include <cstring>

#include "pointsman/base/tbb_threads.hpp"
#include "pointsman/resource/opencl/api.hpp"
#include "pointsman/resource/opencl/detail/driver_mark.hpp"
#include "pointsman/resource/opencl/detail/staged_transfer.hpp"
#include "pointsman/resource/opencl/queue.hpp"

namespace pointsman::detail {

/// From so many bytes on a transfer goes through pinned memory. Drivers send a few MiB as fast without.
inline constexpr std::size_t worth_staged_write_bytes = std::size_t{16} << 20;
inline constexpr std::size_t worth_staged_read_bytes = std::size_t{1} << 20;

/// `std::memcpy`, in several threads of TBB's: one alone copies more slowly than a bus.
inline void copy_in_threads(void* to, const void* from, std::size_t size_bytes) {
    constexpr std::size_t worth_a_thread = std::size_t{256} << 10;
    using range = tbb::blocked_range<std::size_t>;
    tbb_threads::note_use();
    tbb::parallel_for(range{0, size_bytes, worth_a_thread}, [&](const range& part) {
        std::memcpy(static_cast<std::byte*>(to) + part.begin(),
                    static_cast<const std::byte*>(from) + part.begin(), part.size());
    });
}

/// Where a device works on the host's values: in place, or on a copy in memory of its own.
enum class host_values : bool { in_place, copied };

/// Each thread remembers it for one device.
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

/// Whether `write_to_device` goes through pinned memory, and `read_from_device`.
[[nodiscard]] inline bool is_write_staged(host_values of_host, std::size_t size_bytes) noexcept {
    return of_host == host_values::copied && size_bytes >= worth_staged_write_bytes;
}
[[nodiscard]] inline bool is_read_staged(host_values of_host, std::size_t size_bytes) noexcept {
    return of_host == host_values::copied && size_bytes >= worth_staged_read_bytes;
}

/// Some bytes of a buffer.
struct bytes_on_device {
    const cl::Buffer& memory;
    std::size_t offset_bytes;
    std::size_t size_bytes;
};

/// Copies those of the host from `from` on to `to` and blocks until they are there.
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

/// Copies `from` to the host's memory from `to` on, likewise.
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
