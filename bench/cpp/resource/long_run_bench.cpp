// SPDX-License-Identifier: Apache-2.0
// A million tiny kernels through a policy: the process's memory before and after.
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <fstream>
#include <string>
#include <vector>

#include "pointsman/pointsman.hpp"

namespace {

using pointsman::opencl::queue;

constexpr int kernels = 1'000'000;
constexpr int in_flight = 1000;

double resident_mib() {
    std::ifstream statistics{"/proc/self/statm"};
    double total = 0;
    double resident = 0;
    statistics >> total >> resident;
    return resident * static_cast<double>(sysconf(_SC_PAGESIZE)) / (1 << 20);
}

/// Drops the policy's submissions, and waits for the policy after every `in_flight` of them.
template <class Policy>
void run(benchmark::State& state, const queue& q) {
    const auto nothing = q.build("kernel void nothing(void) {}").kernel("nothing");
    Policy policy{std::vector{q}};
    const auto submit = [&](int count) {
        for (int i = 1; i <= count; ++i) {
            policy.submit([&](const queue& where) { return where.enqueue(nothing, 1); });
            if (i % in_flight == 0) {
                policy.get_submission_group().wait();
            }
        }
    };
    submit(kernels / 100);  // memory that the driver and the allocator never release
    const double before = resident_mib();
    for (auto _ : state) {
        submit(kernels);
    }
    state.counters["before_MiB"] = before;
    state.counters["grown_MiB"] = resident_mib() - before;
    state.counters["kernel_ns"] =
        benchmark::Counter{kernels * 1e-9, benchmark::Counter::kIsIterationInvariantRate |
                                               benchmark::Counter::kInvert};
}

template <class Policy>
void add(const std::string& name, const queue& q) {
    const std::string row = "long_run/" + q.device().platform() + '/' + name;
    benchmark::RegisterBenchmark(row.c_str(),
                                 [q](benchmark::State& state) { run<Policy>(state, q); })
        ->Iterations(1)
        ->UseRealTime();
}

const bool added = [] {
    for (const auto& device : pointsman::opencl::devices()) {
        add<pointsman::round_robin_policy<queue>>("round_robin", queue{device});
        add<pointsman::auto_tune_policy<queue>>("auto_tune", queue{device});
    }
    return true;
}();

}  // namespace
