// SPDX-License-Identifier: Apache-2.0
// Compares auto_ with each of its candidates after warm-up, in turns within one run.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <functional>
#include <numeric>
#include <random>
#include <vector>

#include "median.hpp"
#include "pointsman/pointsman.hpp"

namespace {

namespace ex = pointsman::execution;

POINTSMAN_FUNCTION(float, axpb, (float x), { return 2.0f * x + 1.0f; });

/// The average duration of one of `calls` calls, in nanoseconds.
double time(const std::function<void()>& call, std::size_t calls) {
    const auto start = pointsman::clock::now();
    for (std::size_t i = 0; i < calls; ++i) {
        call();
    }
    return std::chrono::duration<double, std::nano>(pointsman::clock::now() - start).count() /
           static_cast<double>(calls);
}

/// Times `run(policy)` for auto_ and each of its candidates, in a new order in each round. As many
/// untimed calls precede each measurement, since the previous policy affects which threads are
/// awake and which data is cached. The counters hold the medians in nanoseconds.
template <class Run>
void compare(benchmark::State& state, Run run) {
    const auto size = static_cast<std::size_t>(state.range(0));
    std::vector<std::function<void()>> contenders{[&] { run(ex::auto_); }, [&] { run(ex::seq); },
                                                  [&] { run(ex::unseq); }, [&] { run(ex::par); },
                                                  [&] { run(ex::par_unseq); }};
#ifndef POINTSMAN_WITHOUT_OPENCL
    for (const auto& queue : pointsman::default_universe<pointsman::opencl::queue>::get()) {
        contenders.emplace_back([&run, policy = ex::device_policy<>{queue}] { run(policy); });
    }
#endif
    const std::size_t warm_up = std::clamp<std::size_t>(5'000'000'000 / size, 100, 20'000);
    time(contenders.front(), warm_up);
    const std::size_t calls = std::clamp<std::size_t>(30'000'000 / size, 1, 1'000);
    std::vector<std::vector<double>> ns(contenders.size());
    std::vector<std::size_t> order(contenders.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::mt19937 random{1};
    for (auto _ : state) {
        std::shuffle(order.begin(), order.end(), random);
        for (const std::size_t which : order) {
            time(contenders[which], calls);
            ns[which].push_back(time(contenders[which], calls));
        }
        state.SetIterationTime(ns.front().back() * 1e-9);
    }
    const double chosen = bench::median(ns.front());
    double best = bench::median(ns[1]);
    for (std::size_t i = 2; i < ns.size(); ++i) {
        best = std::min(best, bench::median(ns[i]));
    }
    state.counters["auto_ns"] = chosen;
    state.counters["best_ns"] = best;
    state.counters["behind_ns"] = chosen - best;
    state.counters["ratio"] = chosen / best;
    run(ex::auto_);
    if (const auto why = ex::auto_.explain()) {
        state.SetLabel(why->candidates[why->chosen].name);
    }
}

void auto_transform(benchmark::State& state) {
    std::vector<float> x(static_cast<std::size_t>(state.range(0)), 1.0F);
    std::vector<float> y(x.size());
    compare(state, [&](const auto& policy) {
        pointsman::transform(policy, x.begin(), x.end(), y.begin(), axpb);
    });
}

void auto_reduce(benchmark::State& state) {
    const std::vector<float> x(static_cast<std::size_t>(state.range(0)), 1.0F);
    compare(state, [&](const auto& policy) {
        benchmark::DoNotOptimize(pointsman::reduce(policy, x.begin(), x.end(), 0.0F));
    });
}

void sizes(benchmark::internal::Benchmark* bench) {
    constexpr int rounds = 31;  // fixed: the time of one policy cannot decide when to stop for all
    bench->RangeMultiplier(10)->Range(100, 100'000'000)->Iterations(rounds)->UseManualTime();
}
BENCHMARK(auto_transform)->Apply(sizes);
BENCHMARK(auto_reduce)->Apply(sizes);

}  // namespace
