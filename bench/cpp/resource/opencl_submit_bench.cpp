// SPDX-License-Identifier: Apache-2.0
// Measures the time that a submission through a policy adds to a bare clEnqueueNDRangeKernel whose
// event is kept: behind a long kernel, behind a long and many short ones, and on an idle device.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "median.hpp"
#include "pointsman/pointsman.hpp"

namespace {

using bench::median;
using pointsman::opencl::queue;

constexpr int batch_size = 256;
constexpr unsigned longest_busy = 20'000'000;  // steps of about 2 ns

/// The average duration of one call of `step` in a batch, in nanoseconds.
template <class Step>
double time_of(Step step) {
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < batch_size; ++i) {
        step();
    }
    const std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - start;
    return time.count() / batch_size;
}

constexpr const char* source = R"(
kernel void nothing(void) {}
kernel void busy(global uint *out, uint steps) {
    uint x = out[0];
    for (uint i = 0; i < steps; ++i) {
        x = x * 1664525u + 1013904223u;
    }
    out[0] = x;
})";

/// A queue, a kernel that does nothing, and a kernel that keeps the device busy.
struct device_under_test {
    explicit device_under_test(const pointsman::opencl::device& device) : commands{device} {}

    /// The bare call: the event is kept until the batch completes.
    void enqueue_bare(std::vector<cl::Event>& events) const {
        const std::size_t items = 1;
        cl_event event = nullptr;
        clEnqueueNDRangeKernel(commands.handle()(), nothing.handle()(), 1, nullptr, &items, nullptr,
                               0, nullptr, &event);
        events.emplace_back(event);
    }

    /// Keeps the device busy, so that only the time to enqueue further commands is measured.
    [[nodiscard]] pointsman::opencl::event keep_busy(cl_uint steps) const {
        return commands.enqueue(busy, 1, word, steps);
    }

    queue commands;
    pointsman::opencl::program program = commands.build(source);
    pointsman::opencl::kernel nothing = program.kernel("nothing");
    pointsman::opencl::kernel busy = program.kernel("busy");
    cl::Buffer word{commands.context(), CL_MEM_READ_WRITE, sizeof(cl_uint)};
};

/// One batch of bare calls and one of ours, in alternating order; before each the queue is idle and
/// all objects are released.
template <class Policy>
void measure(benchmark::State& state, const std::shared_ptr<device_under_test>& device,
             std::optional<int> outstanding) {
    Policy policy{std::vector{device->commands}};
    const auto task = [&](const queue& q) { return q.enqueue(device->nothing, 1); };
    using submission = decltype(policy.submit(task));
    std::vector<cl::Event> events;
    std::vector<submission> submissions;
    const std::size_t room = batch_size + static_cast<std::size_t>(outstanding.value_or(0));
    events.reserve(room);
    submissions.reserve(room);
    cl_uint busy_steps = 1'000'000;
    bool was_behind = false;
    /// Times a batch during which the device stays busy. Some drivers block when too many commands
    /// are outstanding; then even a kernel of `longest_busy` steps does not outlast the batch.
    const auto time_behind = [&](const auto& step, const auto& finish) {
        while (true) {
            const auto busy =
                outstanding ? device->keep_busy(busy_steps) : pointsman::opencl::event{};
            for (int i = 0; i < outstanding.value_or(0); ++i) {
                step();
            }
            const double time = time_of(step);
            was_behind = outstanding && !busy.is_ready();
            finish();
            if (!outstanding || was_behind || busy_steps > longest_busy) {
                return time;
            }
            busy_steps += busy_steps / 2;
        }
    };
    const auto time_bare = [&] {
        return time_behind([&] { device->enqueue_bare(events); },
                           [&] {
                               device->commands.wait();
                               events.clear();
                           });
    };
    const auto time_ours = [&] {
        return time_behind([&] { submissions.push_back(policy.submit(task)); },
                           [&] {
                               policy.get_submission_group().wait();
                               submissions.clear();
                           });
    };
    std::vector<double> bare;
    std::vector<double> ours;
    std::vector<double> added;
    for (auto _ : state) {
        if (bare.size() % 2 == 0) {
            bare.push_back(time_bare());
            ours.push_back(time_ours());
        } else {
            ours.push_back(time_ours());
            bare.push_back(time_bare());
        }
        added.push_back(ours.back() - bare.back());
    }
    state.counters["bare_ns"] = median(bare);
    state.counters["ours_ns"] = median(ours);
    state.counters["added_ns"] = median(added);
    state.counters["behind"] = was_behind ? 1 : 0;
    state.counters["ratio"] = 1 + median(added) / median(bare);
}

/// Adds a row: behind a long and `outstanding` short kernels, or without a value on an idle device.
template <class Policy>
void add(const std::string& name, const std::shared_ptr<device_under_test>& device,
         std::optional<int> outstanding) {
    const auto row =
        device->commands.device().platform() + '/' + name +
        (outstanding ? "/outstanding:" + std::to_string(*outstanding) : "/idle_device");
    benchmark::RegisterBenchmark(row.c_str(), [device, outstanding](benchmark::State& state) {
        measure<Policy>(state, device, outstanding);
    })->UseRealTime();
}

const bool added = [] {
    for (const auto& each : pointsman::opencl::devices()) {
        const auto device = std::make_shared<device_under_test>(each);
        for (const std::optional<int> outstanding : {std::optional{0}, std::optional<int>{}}) {
            add<pointsman::fixed_resource_policy<queue>>("fixed_resource", device, outstanding);
            add<pointsman::round_robin_policy<queue>>("round_robin", device, outstanding);
            add<pointsman::dynamic_load_policy<queue>>("dynamic_load", device, outstanding);
            add<pointsman::auto_tune_policy<queue>>("auto_tune", device, outstanding);
        }
        for (const int outstanding : {100, 4000}) {
            add<pointsman::dynamic_load_policy<queue>>("dynamic_load", device, outstanding);
        }
    }
    return true;
}();

}  // namespace
