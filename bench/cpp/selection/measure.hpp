// SPDX-License-Identifier: Apache-2.0
// Measures every row of this program, and defines the work that all policies submit.
#pragma once

#include <benchmark/benchmark.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "allocations.hpp"

namespace bench {

/// Work that does nothing, so that a step costs only the submission.
struct empty_work {
    int operator()(int resource) const { return resource; }
};
/// One object for all submissions: oneDPL's auto-tune distinguishes tasks by address.
inline empty_work work;

/// The resources 0 to `count` - 1.
[[nodiscard]] std::vector<int> resources(std::int64_t count);

/// The part of a run's name after the slash.
inline constexpr const char* floor_backend = "floor";
inline constexpr const char* rival_backend = "onedpl";
inline constexpr const char* own_backend = "inline";
inline constexpr const char* default_backend = "default";

/// Names of the counters that hold a run's results.
inline constexpr const char* time_counter = "ns_per_step";
inline constexpr const char* allocation_counter = "allocations_per_step";

/// Runs `step` as often as `state` asks, in batches that are long compared with the two clock reads
/// around each. The first batch of each thread is warm-up. The counters hold a step's wall time on
/// its thread and its allocations, averaged over the threads; the time that Google Benchmark
/// reports for several threads has a different meaning in each of its versions.
template <class Step>
void measure(benchmark::State& state, Step step) {
    constexpr int batch = 4096;
    const auto run_batch = [&] {
        for (int i = 0; i < batch; ++i) {
            benchmark::DoNotOptimize(step());
        }
    };
    std::chrono::nanoseconds time{0};
    std::uint64_t allocated = 0;
    std::uint64_t steps = 0;
    while (state.KeepRunningBatch(batch)) {
        if (steps == 0) {
            run_batch();
        }
        const auto allocated_before = allocations();
        const auto start = std::chrono::steady_clock::now();
        run_batch();
        time += std::chrono::steady_clock::now() - start;
        allocated += allocations() - allocated_before;
        steps += batch;
    }
    const auto per_step = [&](auto sum) {
        return benchmark::Counter{static_cast<double>(sum) / static_cast<double>(steps),
                                  benchmark::Counter::kAvgThreads};
    };
    state.counters[time_counter] = per_step(time.count());
    state.counters[allocation_counter] = per_step(allocated);
}

/// Measures submissions of `work` to one `Policy` shared by all threads of the run.
template <class Policy>
void measure_submit(benchmark::State& state) {
    static std::optional<Policy> policy;
    if (state.thread_index() == 0) {
        policy.emplace(resources(state.range(0)));
    }
    // Inlined, so that no row pays for a call that another row is spared.
    measure(state, []() __attribute__((always_inline)) { return policy->submit(work).unwrap(); });
    if (state.thread_index() == 0) {
        policy.reset();
    }
}

/// Adds the row `<name>/<backend>` for 4 and 64 resources on one and two threads.
template <class Policy>
void add_submit(const std::string& name, const char* backend) {
    benchmark::RegisterBenchmark((name + '/' + backend).c_str(), measure_submit<Policy>)
        ->ArgName("resources")
        ->Arg(4)
        ->Arg(64)
        ->Threads(1)
        ->Threads(2)
        ->UseRealTime();
}

}  // namespace bench
