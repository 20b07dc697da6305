// SPDX-License-Identifier: Apache-2.0
// Copies arrays between the host's memory and that of a device's own.
#pragma once

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <cstddef>
#include <cstring>

#include "fairlead/resource/opencl/api.hpp"
#include "fairlead/resource/opencl/queue.hpp"
#include "fairlead/resource/opencl/staged_transfer.hpp"
#include "fairlead/resource/tbb_threads.hpp"

namespace fairlead::detail {

/// From so many bytes on a transfer goes through pinned memory.
inline constexpr std::size_t worth_staging_bytes = std::size_t{1} << 20;

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

/// Copies `size_bytes` from `from` to the beginning of `to` and blocks until they are there.
/// **Throws**: `cl::Error`, `opencl::error`.
inline void write_to_device(const opencl::queue& where, const void* from, const cl::Buffer& to,
                            std::size_t size_bytes) {
    if (size_bytes < worth_staging_bytes) {
        where.handle().enqueueWriteBuffer(to, CL_TRUE, 0, size_bytes, from);
    } else {
        opencl::write_staged(where, from, to, 0, size_bytes, copy_in_threads);
    }
}

/// Copies `size_bytes` from the beginning of `from` to `to`, likewise.
inline void read_from_device(const opencl::queue& where, const cl::Buffer& from, void* to,
                             std::size_t size_bytes) {
    if (size_bytes < worth_staging_bytes) {
        where.handle().enqueueReadBuffer(from, CL_TRUE, 0, size_bytes, to);
    } else {
        opencl::read_staged(where, from, 0, to, size_bytes, copy_in_threads);
    }
}

}  // namespace fairlead::detail
