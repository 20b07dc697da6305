// SPDX-License-Identifier: Apache-2.0
// Independent one-millisecond kernels under dynamic load, on one GPU and on all of them.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "pointsman/pointsman.hpp"

namespace {

using pointsman::opencl::queue;

constexpr int kernels = 256;
constexpr const char* source = R"(
kernel void busy(global uint *out, uint steps) {
    uint x = out[0];
    for (uint i = 0; i < steps; ++i) {
        x = x * 1664525u + 1013904223u;
    }
    out[0] = x;
})";

/// Kernels that keep a device busy for a millisecond, on each queue with its own memory.
class load {
  public:
    explicit load(const std::vector<queue>& queues) {
        for (const queue& q : queues) {
            stations_.push_back({q, q.build(source).kernel("busy"),
                                 cl::Buffer{q.context(), CL_MEM_READ_WRITE, sizeof(cl_uint)}});
        }
        calibrate();
    }

    auto run(const queue& where) const {
        const station& here = *std::ranges::find(stations_, where, &station::commands);
        return here.commands.enqueue(here.kernel, 1, here.word, steps_);
    }

    /// Seconds that one kernel takes.
    [[nodiscard]] double kernel_s() const noexcept { return kernel_s_; }

  private:
    struct station {
        queue commands;
        pointsman::opencl::kernel kernel;
        cl::Buffer word;
    };

    void calibrate() {
        for (int i = 0; i < 3; ++i) {
            const auto done = run(stations_.front().commands);
            done.wait();
            kernel_s_ = std::chrono::duration<double>(done.elapsed().value()).count();
            if (i < 2) {
                steps_ = static_cast<cl_uint>(steps_ * 1e-3 / kernel_s_);
            }
        }
    }

    std::vector<station> stations_;
    cl_uint steps_ = 100'000;
    double kernel_s_ = 0;
};

/// Times the same batch of kernels on the first queue and on all queues, in turn.
void compare(benchmark::State& state, const std::vector<queue>& queues) {
    const load work{queues};
    pointsman::dynamic_load_policy<queue> one{std::vector{queues.front()}};
    pointsman::dynamic_load_policy<queue> all{queues};
    const auto time_of = [&](auto& policy) {
        const auto start = std::chrono::steady_clock::now();
        for (int i = 0; i < kernels; ++i) {
            policy.submit([&](const queue& where) { return work.run(where); });
        }
        policy.get_submission_group().wait();
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    };
    double on_one = 0;
    double on_all = 0;
    for (auto _ : state) {
        on_one += time_of(one);
        on_all += time_of(all);
    }
    state.counters["devices"] = static_cast<double>(queues.size());
    state.counters["kernel_ms"] = work.kernel_s() * 1e3;
    state.counters["speed_up"] = on_one / on_all;
    state.counters["of_kernel_time"] =
        kernels * work.kernel_s() * static_cast<double>(state.iterations()) / on_one;
}

/// Adds a row for each driver that has several GPUs.
const bool added = [] {
    std::map<std::string, std::vector<queue>> by_platform;
    for (const auto& device : pointsman::opencl::devices()) {
        if (device.is_gpu()) {
            by_platform[device.platform()].emplace_back(device);
        }
    }
    for (const auto& [platform, queues] : by_platform) {
        if (queues.size() > 1) {
            const std::string row = "device_group/" + platform + "/dynamic_load";
            benchmark::RegisterBenchmark(row.c_str(), [queues = queues](benchmark::State& state) {
                compare(state, queues);
            })->UseRealTime();
        }
    }
    return true;
}();

}  // namespace
