// SPDX-License-Identifier: Apache-2.0
// The triad on an arena and on OpenCL queues, with its result checked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "pointsman/pointsman.hpp"

namespace bench {

/// An arena of all cores and a queue on each OpenCL device.
[[nodiscard]] std::vector<pointsman::any_resource> triad_resources();

[[nodiscard]] std::string name_of(const pointsman::any_resource& resource);

/// Where the vectors are before and after a run.
enum class placement : std::uint8_t {
    host,      // in ordinary memory: a queue copies all three in and the result back
    resident,  // each resource has its own copy
};

/// a[i] += b[i] + s * c[i] on vectors of `size` floats. Queues' buffers are allocated beforehand.
class triad {
  public:
    using work = std::variant<pointsman::arena_task<void>, pointsman::opencl::event>;

    triad(std::size_t size, placement where, const std::vector<pointsman::any_resource>& resources);

    /// Starts the triad on one of the resources.
    [[nodiscard]] work run(const pointsman::any_resource& where);

    /// Runs it and checks every element. **Throws**: `std::runtime_error` when one is wrong.
    void check(const pointsman::any_resource& where);

    [[nodiscard]] std::size_t size() const noexcept { return a_.size(); }

  private:
    /// The kernel and buffers of one queue.
    struct station {
        pointsman::opencl::queue commands;
        pointsman::opencl::kernel kernel;
        cl::Buffer a, b, c;
    };

    [[nodiscard]] pointsman::arena_task<void> run_on(const pointsman::arena& where);
    [[nodiscard]] pointsman::opencl::event run_on(const pointsman::opencl::queue& where);
    [[nodiscard]] const station& station_of(const pointsman::opencl::queue& where) const;

    void send_all(const station& to) const;
    pointsman::opencl::event fetch(const station& from);

    placement placement_;
    std::vector<float> a_, b_, c_;
    std::vector<station> stations_;
};

}  // namespace bench
