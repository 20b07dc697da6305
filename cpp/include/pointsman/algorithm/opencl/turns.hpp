// SPDX-License-Identifier: Apache-2.0
// Whether the work groups of a device may wait for each other.
#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <string>

#include "pointsman/algorithm/opencl/kernels.hpp"
#include "pointsman/algorithm/opencl/launch.hpp"
#include "pointsman/resource/opencl/api.hpp"
#include "pointsman/resource/opencl/queue.hpp"

namespace pointsman::detail {

/// Fills the first `size_bytes` of `memory` with zeros, after all commands enqueued earlier.
inline void fill_with_zeros(const opencl::queue& where, const opencl::pooled_buffer& memory,
                            std::size_t size_bytes) {
    end_overtaking(where);
    where.handle().enqueueFillBuffer(memory.handle(), cl_uint{0}, 0, size_bytes);
}

/// Zeros in memory from the queue's pool, in which work groups publish what later ones wait for.
[[nodiscard]] inline opencl::pooled_buffer take_words(const opencl::queue& where,
                                                      std::size_t count) {
    opencl::pooled_buffer words = where.take_buffer(count * sizeof(cl_ulong));
    fill_with_zeros(where, words, count * sizeof(cl_ulong));
    return words;
}

/// Has more work groups than the device runs at a time wait, each for the one that started before it. Returns
/// true if all of them saw it. OpenCL does not promise it, and no query tells.
[[nodiscard]] inline bool groups_were_seen_to_take_turns(const opencl::queue& where) {
    const auto extensions = where.device().handle().getInfo<CL_DEVICE_EXTENSIONS>();
    if (extensions.find("cl_khr_int64_base_atomics") == extensions.npos) {
        return false;
    }
    constexpr std::size_t more_than_a_unit_runs = 64;
    constexpr cl_uint most_reads = 1U << 24;  // milliseconds on a CPU, seconds on a GPU
    const std::size_t groups = where.device().compute_units() * more_than_a_unit_runs;
    const opencl::pooled_buffer taken = take_words(where, 1);
    const opencl::pooled_buffer words = take_words(where, groups);
    launch(where, program_text({}, kernels::turn_check), "take_turns", groups,
           {taken.handle(), words.handle(), most_reads});
    cl_ulong last = 0;
    where.handle().enqueueReadBuffer(words.handle(), CL_TRUE, (groups - 1) * sizeof last,
                                     sizeof last, &last);
    return (last & 1) != 0;
}

/// Returns true if a work group may wait for groups that have started before it: they make progress meanwhile.
/// Tried once for each device.
/// **Thread safety**: from any thread.
[[nodiscard]] inline bool groups_take_turns(const opencl::queue& where) {
    static std::mutex mutex;
    static auto* const known = new std::map<cl_device_id, bool>;  // threads may outlive statics
    const cl_device_id device = where.device().handle()();
    {
        const std::lock_guard lock{mutex};
        if (const auto found = known->find(device); found != known->end()) {
            return found->second;
        }
    }
    const opencl::queue behind_no_command{
        cl::CommandQueue{where.context(), where.device().handle()}};
    const bool answer = groups_were_seen_to_take_turns(behind_no_command);
    const std::lock_guard lock{mutex};
    return known->emplace(device, answer).first->second;
}

}  // namespace pointsman::detail
