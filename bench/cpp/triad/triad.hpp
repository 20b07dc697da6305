// SPDX-License-Identifier: Apache-2.0
// The triad on an arena and on OpenCL queues.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "fairlead/fairlead.hpp"

namespace bench {

/// An arena of all cores, and a queue on each OpenCL device.
[[nodiscard]] std::vector<fairlead::any_resource> triad_resources();

[[nodiscard]] std::string name_of(const fairlead::any_resource& resource);

/// Where the vectors are before a run and after it.
enum class placement : std::uint8_t {
    host,      ///< in ordinary memory: a queue is sent all three and sends the result back
    resident,  ///< each resource has its own
};

/// a[i] += b[i] + s * c[i] on vectors of `size` floats. A queue's buffers are made beforehand.
class triad {
  public:
    using work = std::variant<fairlead::arena_task<void>, fairlead::opencl::event>;

    triad(std::size_t size, placement where, const std::vector<fairlead::any_resource>& resources);

    /// Starts the triad on one of the resources.
    [[nodiscard]] work run(const fairlead::any_resource& where);

    /// Runs it and compares every element. **Throws**: `std::runtime_error` when one is wrong.
    void check(const fairlead::any_resource& where);

    [[nodiscard]] std::size_t size() const noexcept { return a_.size(); }

  private:
    /// What one queue needs.
    struct station {
        fairlead::opencl::queue commands;
        fairlead::opencl::kernel kernel;
        cl::Buffer a, b, c;
    };

    [[nodiscard]] fairlead::arena_task<void> run_on(const fairlead::arena& where);
    [[nodiscard]] fairlead::opencl::event run_on(const fairlead::opencl::queue& where);
    [[nodiscard]] const station& station_of(const fairlead::opencl::queue& where) const;

    void send_all(const station& to) const;
    fairlead::opencl::event fetch(const station& from);

    placement placement_;
    std::vector<float> a_, b_, c_;
    std::vector<station> stations_;
};

}  // namespace bench
