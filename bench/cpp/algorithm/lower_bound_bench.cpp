// SPDX-License-Identifier: Apache-2.0
// Searches for many values compared with parallel loops of libstdc++ and oneTBB, in turn.
#include <benchmark/benchmark.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <execution>
#include <random>
#include <vector>

#include "median.hpp"
#include "pointsman/algorithm/lower_bound.hpp"
#include "pointsman/clock.hpp"
#include "pointsman/execution/host_policies.hpp"

namespace {

using bench::median;
using range = tbb::blocked_range<std::size_t>;

/// Times `ours`, the standard library's and oneTBB's in turn, rotating which goes first. The
/// counters hold the medians in microseconds, and the time of the faster competitor divided by
/// ours.
template <class Ours, class Standard, class Tbb>
void compare(benchmark::State& state, Ours ours, Standard standard, Tbb tbb) {
    std::vector<double> us[3];
    const auto time = [](auto& run) {
        const auto start = pointsman::clock::now();
        run();
        const std::chrono::duration<double, std::micro> taken = pointsman::clock::now() - start;
        return taken.count();
    };
    unsigned round = 0;
    for (auto _ : state) {
        for (unsigned i = 0; i < 3; ++i) {
            const unsigned which = (round + i) % 3;
            us[which].push_back(which == 0 ? time(ours) : which == 1 ? time(standard) : time(tbb));
        }
        ++round;
        state.SetIterationTime(us[0].back() * 1e-6);
    }
    const double best = std::min(median(us[1]), median(us[2]));
    state.counters["ours_us"] = median(us[0]);
    state.counters["libstdcxx_us"] = median(us[1]);
    state.counters["tbb_us"] = median(us[2]);
    state.counters["speed"] = best / median(us[0]);
}

/// Searches for random or sorted values in as many sorted ones. The standard has only searches for one value.
void lower_bound(benchmark::State& state, bool is_sorted) {
    const auto size = static_cast<std::size_t>(state.range(0));
    std::vector<float> x(size), y(size);
    std::mt19937 random{1};
    for (std::size_t i = 0; i < x.size(); ++i) {
        x[i] = std::uniform_real_distribution<float>{-1, 1}(random);
        y[i] = std::uniform_real_distribution<float>{-1, 1}(random);
    }
    std::ranges::sort(x);
    if (is_sorted) {
        std::ranges::sort(y);
    }
    std::vector<std::int64_t> indices(x.size());
    const auto index_of = [&](float value) {
        return std::lower_bound(x.begin(), x.end(), value) - x.begin();
    };
    compare(
        state,
        [&] {
            pointsman::lower_bound(pointsman::execution::par_unseq, x.begin(), x.end(), y.begin(),
                                   y.end(), indices.begin());
        },
        [&] {
            std::transform(std::execution::par_unseq, y.begin(), y.end(), indices.begin(),
                           index_of);
        },
        [&] {
            tbb::parallel_for(range{0, y.size()}, [&](const range& block) {
                for (std::size_t i = block.begin(); i != block.end(); ++i) {
                    indices[i] = index_of(y[i]);
                }
            });
        });
}

BENCHMARK_CAPTURE(lower_bound, random, false)->Arg(10'000)->Arg(1'000'000)->UseManualTime();
BENCHMARK_CAPTURE(lower_bound, sorted, true)->Arg(10'000)->Arg(1'000'000)->UseManualTime();

}  // namespace
