// SPDX-License-Identifier: Apache-2.0
// Compares par with seq on short arrays with cheap functions, in turns within one run.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <numeric>
#include <random>
#include <vector>

#include "median.hpp"
#include "pointsman/pointsman.hpp"

namespace {

namespace ex = pointsman::execution;

struct arrays {
    std::vector<float> x, y;
    explicit arrays(const benchmark::State& state)
        : x(static_cast<std::size_t>(state.range(0))), y(x.size()) {
        std::iota(x.begin(), x.end(), -static_cast<float>(x.size() / 2));
    }
};

/// Times calls of `run(policy)`, each after `prepare()`. The counters hold the medians in nanoseconds.
template <class Prepare, class Run>
void compare(benchmark::State& state, Prepare prepare, Run run) {
    std::vector<double> ns[2];
    const auto measure = [&](const auto& policy, std::vector<double>& into) {
        for (int call = 0; call < 20; ++call) {
            prepare();
            const auto start = pointsman::clock::now();
            run(policy);
            const auto end = pointsman::clock::now();
            into.push_back(std::chrono::duration<double, std::nano>(end - start).count());
        }
    };
    for (auto _ : state) {
        measure(ex::seq, ns[0]);
        measure(ex::par, ns[1]);
        state.SetIterationTime(ns[1].back() * 1e-9);
    }
    state.counters["seq_ns"] = bench::median(ns[0]);
    state.counters["par_ns"] = bench::median(ns[1]);
    state.counters["behind_ns"] = bench::median(ns[1]) - bench::median(ns[0]);
}
template <class Run>
void compare(benchmark::State& state, Run run) {
    compare(state, [] {}, run);
}

void few_transform(benchmark::State& state) {
    arrays data{state};
    auto& x = data.x;
    auto& y = data.y;
    compare(state, [&](const auto& policy) {
        pointsman::transform(policy, x.begin(), x.end(), y.begin(),
                             [](float a) { return 2.0F * a + 1.0F; });
    });
}
void few_for_each(benchmark::State& state) {
    arrays data{state};
    auto& y = data.y;
    compare(state, [&](const auto& policy) {
        pointsman::for_each(policy, y.begin(), y.end(), [](float& a) { a = 0.5F * a + 1.0F; });
    });
}
void few_count_if(benchmark::State& state) {
    arrays data{state};
    auto& x = data.x;
    compare(state, [&](const auto& policy) {
        benchmark::DoNotOptimize(
            pointsman::count_if(policy, x.begin(), x.end(), [](float a) { return a > 0; }));
    });
}
void few_copy_if(benchmark::State& state) {
    arrays data{state};
    auto& x = data.x;
    auto& y = data.y;
    compare(state, [&](const auto& policy) {
        benchmark::DoNotOptimize(pointsman::copy_if(policy, x.begin(), x.end(), y.begin(),
                                                    [](float a) { return a > 0; }));
    });
}
void few_min_element(benchmark::State& state) {
    arrays data{state};
    auto& x = data.x;
    compare(state, [&](const auto& policy) {
        benchmark::DoNotOptimize(pointsman::min_element(policy, x.begin(), x.end()));
    });
}
void few_reduce(benchmark::State& state) {
    arrays data{state};
    auto& x = data.x;
    compare(state, [&](const auto& policy) {
        benchmark::DoNotOptimize(pointsman::reduce(policy, x.begin(), x.end(), 0.0F));
    });
}
void few_inclusive_scan(benchmark::State& state) {
    arrays data{state};
    auto& x = data.x;
    auto& y = data.y;
    compare(state, [&](const auto& policy) {
        pointsman::inclusive_scan(policy, x.begin(), x.end(), y.begin());
    });
}
void few_sort(benchmark::State& state) {
    arrays data{state};
    auto& x = data.x;
    auto& y = data.y;
    std::mt19937 random{1};
    const auto shuffle = [&] {  // branch predictors learn the order of a short array
        std::shuffle(x.begin(), x.end(), random);
        y = x;
    };
    compare(state, shuffle,
            [&](const auto& policy) { pointsman::sort(policy, y.begin(), y.end()); });
}

void sizes(benchmark::internal::Benchmark* bench) {
    constexpr int rounds = 51;  // fixed: the time of one policy cannot decide when to stop for both
    bench->RangeMultiplier(10)->Range(10, 10'000)->Iterations(rounds)->UseManualTime();
}
BENCHMARK(few_transform)->Apply(sizes);
BENCHMARK(few_for_each)->Apply(sizes);
BENCHMARK(few_count_if)->Apply(sizes);
BENCHMARK(few_copy_if)->Apply(sizes);
BENCHMARK(few_min_element)->Apply(sizes);
BENCHMARK(few_reduce)->Apply(sizes);
BENCHMARK(few_inclusive_scan)->Apply(sizes);
BENCHMARK(few_sort)->Apply(sizes);

}  // namespace
