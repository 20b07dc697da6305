// SPDX-License-Identifier: Apache-2.0
// The same loop in plain C++ and on executors of the calling thread, for counting instructions.
#include <benchmark/benchmark.h>

#include <cstddef>
#include <vector>

#include "pointsman/pointsman.hpp"

// With function names that a profiler can filter by:
//   alias count='valgrind --tool=callgrind --callgrind-out-file=loops.out'
//   count build/release/bench/cpp/bench_executor --benchmark_filter=loops
//   callgrind_annotate --inclusive=yes loops.out | grep _of_a_million
extern "C" {

[[gnu::noinline]] void plain_loop_of_a_million(float* y, const float* x, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) {
        y[i] += 2 * x[i];
    }
}
[[gnu::noinline]] void inline_loop_of_a_million(float* y, const float* x, std::size_t n) {
    pointsman::bulk_execute(
        pointsman::inline_executor<>{}, [=](std::size_t i) { y[i] += 2 * x[i]; }, n);
}
[[gnu::noinline]] void unsequenced_loop_of_a_million(float* y, const float* x, std::size_t n) {
    pointsman::bulk_execute(
        pointsman::unsequenced_executor<>{}, [=](std::size_t i) { y[i] += 2 * x[i]; }, n);
}
[[gnu::noinline]] void plain_call_of_a_million(float* y) { y[0] += 1; }
[[gnu::noinline]] void inline_call_of_a_million(float* y) {
    pointsman::execute(pointsman::inline_executor<>{}, [=] { y[0] += 1; });
}
}

namespace {

void loops(benchmark::State& state) {
    std::vector<float> x(1'000'000, 1);
    std::vector<float> y(x.size());
    for (auto _ : state) {
        plain_loop_of_a_million(y.data(), x.data(), y.size());
        inline_loop_of_a_million(y.data(), x.data(), y.size());
        unsequenced_loop_of_a_million(y.data(), x.data(), y.size());
        plain_call_of_a_million(y.data());
        inline_call_of_a_million(y.data());
        benchmark::ClobberMemory();
    }
}
BENCHMARK(loops)->Iterations(1);

}  // namespace
