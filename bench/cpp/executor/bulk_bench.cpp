// SPDX-License-Identifier: Apache-2.0
// Bulk work on executors compared with the same loop without them: medians of interleaved pairs.
#include <benchmark/benchmark.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "median.hpp"
#include "pointsman/pointsman.hpp"

namespace {

using bench::median;
constexpr std::size_t indices = 1'000'000;

/// Times `floor()` and `executor()` in turn, alternating which goes first. The benchmark's time is
/// the executor's.
template <class Floor, class Executor>
void compare(benchmark::State& state, Floor floor, Executor executor) {
    std::vector<double> floors;
    std::vector<double> ratios;
    const auto time = [](auto& run) {
        const auto start = pointsman::clock::now();
        run();
        return std::chrono::duration<double>(pointsman::clock::now() - start).count();
    };
    bool floor_first = false;
    for (auto _ : state) {
        floor_first = !floor_first;
        double first = floor_first ? time(floor) : 0;
        const double mine = time(executor);
        first = floor_first ? first : time(floor);
        floors.push_back(first);
        ratios.push_back(mine / first);
        state.SetIterationTime(mine);
    }
    state.counters["floor_us"] = median(floors) * 1e6;
    state.counters["ratio"] = median(ratios);
}

std::vector<std::uint16_t> numbers(indices);
const auto trivial = [x = numbers.data()](std::size_t i) {
    x[i] = static_cast<std::uint16_t>(x[i] + 1);
};

template <class Executor>
void beside_tbb(benchmark::State& state, const Executor& executor) {
    compare(
        state, [] { tbb::parallel_for(std::size_t{0}, indices, trivial); },
        [&] { pointsman::bulk_execute(executor, trivial, indices); });
}

void arena(benchmark::State& state) { beside_tbb(state, pointsman::arena_executor<>{}); }
void arena_with_lanes(benchmark::State& state) {
    beside_tbb(state, pointsman::nested_executor{pointsman::arena_executor<>{},
                                                 pointsman::unsequenced_executor<>{}});
}
void tbb_itself(benchmark::State& state) {
    const auto loop = [] { tbb::parallel_for(std::size_t{0}, indices, trivial); };
    compare(state, loop, loop);
}
BENCHMARK(tbb_itself)->UseManualTime()->Iterations(4000);
BENCHMARK(arena)->UseManualTime()->Iterations(4000);
BENCHMARK(arena_with_lanes)->UseManualTime()->Iterations(4000);

#ifdef _OPENMP
void openmp(benchmark::State& state) { beside_tbb(state, pointsman::openmp_executor<>{}); }
BENCHMARK(openmp)->UseManualTime()->Iterations(4000);

void openmp_beside_its_pragma(benchmark::State& state) {
    const auto pragma = [] {
#pragma omp parallel for schedule(static)
        for (std::size_t i = 0; i < indices; ++i) {
            trivial(i);
        }
    };
    compare(state, pragma,
            [] { pointsman::bulk_execute(pointsman::openmp_executor<>{}, trivial, indices); });
}
BENCHMARK(openmp_beside_its_pragma)->UseManualTime()->Iterations(4000);
#endif

/// Measures the cost of handing over a task that completes at once.
void arena_in_the_background(benchmark::State& state) {
    const auto executor =
        pointsman::require(pointsman::arena_executor<>{}, pointsman::blocking.never);
    for (auto _ : state) {
        benchmark::DoNotOptimize(pointsman::execute(executor, [] {}));
    }
    executor.context().wait();
}
BENCHMARK(arena_in_the_background)->UseRealTime();

/// Many calls, each too short to time by itself.
constexpr int calls = 1000;
volatile int sink = 0;
const auto touch = [](const auto&) { sink = sink + 1; };

/// The time that best_fit adds to a call once the choice is made.
void best_fit_in_steady_state(benchmark::State& state) {
    const auto floor = [] {
        for (int i = 0; i < calls; ++i) {
            touch(pointsman::inline_executor<>{});
        }
    };
    const auto measured = [] {
        const pointsman::inline_executor<> here;
        const pointsman::unsequenced_executor<> lanes;
        for (int i = 0; i < calls; ++i) {
            pointsman::best_fit(touch, 100, here, lanes);
        }
    };
    compare(state, floor, measured);
    state.counters["added_ns"] =
        state.counters["floor_us"] * (state.counters["ratio"] - 1) * 1e3 / calls;
}
BENCHMARK(best_fit_in_steady_state)->UseManualTime()->Iterations(4000);

}  // namespace
