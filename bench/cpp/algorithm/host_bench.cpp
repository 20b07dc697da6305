// SPDX-License-Identifier: Apache-2.0
// Host algorithms compared with libstdc++'s parallel mode and hand-written oneTBB, in turn.
#include <benchmark/benchmark.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_reduce.h>
#include <tbb/parallel_scan.h>
#include <tbb/parallel_sort.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <execution>
#include <functional>
#include <numeric>
#include <random>
#include <type_traits>
#include <utility>
#include <vector>

#include "median.hpp"
#include "pointsman/pointsman.hpp"

namespace {

using bench::median;
using range = tbb::blocked_range<std::size_t>;

/// Times `ours`, the standard library's and oneTBB's in turn, rotating which goes first. The
/// counters hold the medians in microseconds, and the time of the faster competitor divided by
/// ours. A function that returns a duration measures its own time.
template <class Ours, class Standard, class Tbb>
void compare(benchmark::State& state, Ours ours, Standard standard, Tbb tbb) {
    std::vector<double> us[3];
    const auto time = [](auto& run) {
        const auto start = pointsman::clock::now();
        std::chrono::duration<double, std::micro> taken{};
        if constexpr (std::is_void_v<decltype(run())>) {
            run();
            taken = pointsman::clock::now() - start;
        } else {
            taken = run();
        }
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

struct arrays {
    std::vector<float> x, y;
    explicit arrays(const benchmark::State& state)
        : x(static_cast<std::size_t>(state.range(0)), 1.0F), y(x.size(), 2.0F) {}
};

void transform(benchmark::State& state) {
    arrays data{state};
    auto& [x, y] = data;
    const auto f = [](float a) { return 2.0F * a + 1.0F; };
    compare(
        state,
        [&] {
            pointsman::transform(pointsman::execution::par_unseq, x.begin(), x.end(), y.begin(), f);
        },
        [&] { std::transform(std::execution::par_unseq, x.begin(), x.end(), y.begin(), f); },
        [&] {
            tbb::parallel_for(range{0, x.size()}, [&](const range& block) {
                for (std::size_t i = block.begin(); i != block.end(); ++i) {
                    y[i] = f(x[i]);
                }
            });
        });
}

void reduce(benchmark::State& state) {
    arrays data{state};
    auto& x = data.x;
    compare(
        state,
        [&] {
            benchmark::DoNotOptimize(
                pointsman::reduce(pointsman::execution::par_unseq, x.begin(), x.end(), 0.0F));
        },
        [&] {
            benchmark::DoNotOptimize(
                std::reduce(std::execution::par_unseq, x.begin(), x.end(), 0.0F));
        },
        [&] {
            benchmark::DoNotOptimize(tbb::parallel_reduce(
                range{0, x.size()}, 0.0F,
                [&](const range& block, float sum) {
                    for (std::size_t i = block.begin(); i != block.end(); ++i) {
                        sum += x[i];
                    }
                    return sum;
                },
                std::plus<>{}));
        });
}

void inclusive_scan(benchmark::State& state) {
    arrays data{state};
    auto& [x, y] = data;
    compare(
        state,
        [&] {
            pointsman::inclusive_scan(pointsman::execution::par_unseq, x.begin(), x.end(),
                                      y.begin());
        },
        [&] { std::inclusive_scan(std::execution::par_unseq, x.begin(), x.end(), y.begin()); },
        [&] {
            tbb::parallel_scan(
                range{0, x.size()}, 0.0F,
                [&](const range& block, float sum, bool is_final) {
                    for (std::size_t i = block.begin(); i != block.end(); ++i) {
                        sum += x[i];
                        if (is_final) {
                            y[i] = sum;
                        }
                    }
                    return sum;
                },
                std::plus<>{});
        });
}

/// Random numbers, the same in each round.
void sort(benchmark::State& state) {
    arrays data{state};
    auto& [x, y] = data;
    std::mt19937 random{1};
    for (float& value : y) {
        value = std::uniform_real_distribution<float>{-1, 1}(random);
    }
    const auto sorting = [&](auto sort_x) {
        return [&, sort_x] {
            x = y;
            const auto start = pointsman::clock::now();
            sort_x();
            return pointsman::clock::now() - start;
        };
    };
    compare(state,
            sorting([&] { pointsman::sort(pointsman::execution::par_unseq, x.begin(), x.end()); }),
            sorting([&] { std::sort(std::execution::par_unseq, x.begin(), x.end()); }),
            sorting([&] { tbb::parallel_sort(x.begin(), x.end()); }));
}

/// Searches for random or sorted values in as many sorted ones. The standard has only searches for one value.
void lower_bound(benchmark::State& state, bool is_sorted) {
    arrays data{state};
    auto& [x, y] = data;
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

BENCHMARK(transform)->Arg(10'000'000)->Arg(100'000'000)->UseManualTime();
BENCHMARK(reduce)->Arg(10'000'000)->Arg(100'000'000)->UseManualTime();
BENCHMARK(sort)->Arg(1'000'000)->Arg(10'000'000)->UseManualTime();
BENCHMARK(inclusive_scan)->Arg(10'000'000)->Arg(100'000'000)->UseManualTime();
BENCHMARK_CAPTURE(lower_bound, random, false)->Arg(10'000)->Arg(1'000'000)->UseManualTime();
BENCHMARK_CAPTURE(lower_bound, sorted, true)->Arg(10'000)->Arg(1'000'000)->UseManualTime();

}  // namespace
