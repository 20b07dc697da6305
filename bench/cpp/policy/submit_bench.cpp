// SPDX-License-Identifier: Apache-2.0
// What a submission of empty work costs under each policy, beside calling the work directly.
#include <benchmark/benchmark.h>

#include <cstddef>
#include <numeric>
#include <vector>

#include "fairlead/dynamic_selection.hpp"

namespace {

std::vector<int> resources(std::size_t count) {
    std::vector<int> all(count);
    std::iota(all.begin(), all.end(), 0);
    return all;
}

int work(int resource, int value) { return resource + value; }

void direct_call(benchmark::State& state) {
    int value = 0;
    for (auto _ : state) {
        benchmark::DoNotOptimize(value);
        benchmark::DoNotOptimize(work(0, value));
    }
}

// One policy for all threads of a run; the argument is the number of resources.
template <class Policy>
void submit(benchmark::State& state) {
    static Policy policy{fairlead::deferred_initialization};
    if (state.thread_index() == 0) {
        policy.initialize(resources(static_cast<std::size_t>(state.range(0))));
    }
    int value = 0;
    for (auto _ : state) {
        benchmark::DoNotOptimize(value);
        auto submission = policy.submit(work, value);
        benchmark::DoNotOptimize(submission.unwrap());
    }
}

void sizes_and_threads(benchmark::internal::Benchmark* all) {
    all->ArgName("resources")->Arg(4)->Arg(64)->Threads(1)->Threads(2)->UseRealTime();
}

BENCHMARK(direct_call);
BENCHMARK_TEMPLATE(submit, fairlead::fixed_resource_policy<int>)->Apply(sizes_and_threads);
BENCHMARK_TEMPLATE(submit, fairlead::round_robin_policy<int>)->Apply(sizes_and_threads);
BENCHMARK_TEMPLATE(submit, fairlead::dynamic_load_policy<int>)->Apply(sizes_and_threads);
BENCHMARK_TEMPLATE(submit, fairlead::auto_tune_policy<int>)->Apply(sizes_and_threads);

}  // namespace
