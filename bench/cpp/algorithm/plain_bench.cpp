// SPDX-License-Identifier: Apache-2.0
// Host algorithms compared with the loops that one would write instead, in turn, on random values.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>
#include <span>
#include <vector>

#include "median.hpp"
#include "pointsman/pointsman.hpp"

namespace {

namespace ex = pointsman::execution;

/// Times `loop`, and `ours` under `seq` and `par_unseq`, in turn, each after `prepare()`. The counters hold the
/// medians in nanoseconds for each value, and the loop's time divided by ours.
template <class Prepare, class Loop, class Ours>
void compare(benchmark::State& state, Prepare prepare, Loop loop, Ours ours) {
    std::vector<double> ns[3];
    const auto measure = [&](auto run, std::vector<double>& into) {
        prepare();
        const auto start = pointsman::clock::now();
        run();
        const std::chrono::duration<double, std::nano> taken = pointsman::clock::now() - start;
        into.push_back(taken.count() / static_cast<double>(state.range(0)));
    };
    for (auto _ : state) {
        measure(loop, ns[0]);
        measure([&] { ours(ex::seq); }, ns[1]);
        measure([&] { ours(ex::par_unseq); }, ns[2]);
        state.SetIterationTime(ns[2].back() * static_cast<double>(state.range(0)) * 1e-9);
    }
    const double of_loop = bench::median(ns[0]);
    state.counters["loop_ns"] = of_loop;
    state.counters["seq_ns"] = bench::median(ns[1]);
    state.counters["par_unseq_ns"] = bench::median(ns[2]);
    state.counters["seq_speed"] = of_loop / bench::median(ns[1]);
    state.counters["par_unseq_speed"] = of_loop / bench::median(ns[2]);
}

/// Arrays of values, by turns: branch predictors learn the values of a short array.
template <class T>
class arrays_by_turns {
  public:
    /// `make()` returns one value after the other.
    template <class Make>
    arrays_by_turns(const benchmark::State& state, Make make)
        : size_{static_cast<std::size_t>(state.range(0))},
          values_(std::max(size_, 100'000 / size_ * size_)) {
        std::ranges::generate(values_, make);
    }
    [[nodiscard]] std::span<const T> next() {
        begin_ = begin_ + size_ < values_.size() ? begin_ + size_ : 0;
        return {values_.data() + begin_, size_};
    }

  private:
    std::size_t size_;
    std::vector<T> values_;
    std::size_t begin_ = 0;
};

template <class T>
arrays_by_turns<T> random_arrays(const benchmark::State& state) {
    return {state, [random = std::mt19937{1}]() mutable {
                return static_cast<T>(random() % 1'000'000) / T{7};
            }};
}

/// The loop writes each value and keeps it if the predicate holds, without a branch.
template <class T>
void plain_copy_if(benchmark::State& state) {
    auto arrays = random_arrays<T>(state);
    std::span<const T> x = arrays.next();
    std::vector<T> y(x.size() + 1);
    const auto is_low = [](T value) { return value < T{500'000} / T{7}; };
    compare(
        state, [&] { x = arrays.next(); },
        [&] {
            std::size_t kept = 0;
            for (const T value : x) {
                y[kept] = value;
                kept += is_low(value) ? 1U : 0U;
            }
            benchmark::DoNotOptimize(kept);
        },
        [&](const auto& policy) {
            benchmark::DoNotOptimize(
                pointsman::copy_if(policy, x.begin(), x.end(), y.begin(), is_low));
        });
}

template <class T>
void plain_min_element(benchmark::State& state) {
    auto arrays = random_arrays<T>(state);
    std::span<const T> x = arrays.next();
    compare(
        state, [&] { x = arrays.next(); },
        [&] {
            std::size_t least = 0;
            for (std::size_t i = 1; i < x.size(); ++i) {
                if (x[i] < x[least]) {
                    least = i;
                }
            }
            benchmark::DoNotOptimize(least);
        },
        [&](const auto& policy) {
            benchmark::DoNotOptimize(pointsman::min_element(policy, x.begin(), x.end()));
        });
}

/// The loop sorts indices by their keys, stably, and moves keys and values to where these say.
template <class Key, class Value>
void plain_sort_by_key(benchmark::State& state) {
    auto given_keys = random_arrays<Key>(state);
    auto given_values = random_arrays<Value>(state);
    std::vector<Key> keys(given_keys.next().size());
    std::vector<Value> values(keys.size());
    compare(
        state,
        [&] {
            std::ranges::copy(given_keys.next(), keys.begin());
            std::ranges::copy(given_values.next(), values.begin());
        },
        [&] {
            std::vector<std::uint32_t> order(keys.size());
            std::iota(order.begin(), order.end(), 0U);
            std::stable_sort(order.begin(), order.end(),
                             [&](auto a, auto b) { return keys[a] < keys[b]; });
            std::vector<Key> sorted_keys;
            std::vector<Value> sorted_values;
            sorted_keys.reserve(order.size());
            sorted_values.reserve(order.size());
            for (const std::uint32_t index : order) {
                sorted_keys.push_back(keys[index]);
                sorted_values.push_back(values[index]);
            }
            keys.swap(sorted_keys);
            values.swap(sorted_values);
        },
        [&](const auto& policy) {
            pointsman::sort_by_key(policy, keys.begin(), keys.end(), values.begin());
        });
}

/// Keys in segments of about `length` values.
arrays_by_turns<std::int32_t> segment_keys(const benchmark::State& state, unsigned length) {
    return {state, [length, random = std::mt19937{2}, key = std::int32_t{0}]() mutable {
                return random() % length == 0 ? ++key : key;
            }};
}

/// Values in segments of about `length`, other ones after each `take_next()`.
struct segments {
    segments(const benchmark::State& state, unsigned length)
        : given_keys{segment_keys(state, length)}, given_values{random_arrays<float>(state)} {
        take_next();
    }
    void take_next() {
        keys = given_keys.next();
        x = given_values.next();
    }

    arrays_by_turns<std::int32_t> given_keys;
    arrays_by_turns<float> given_values;
    std::span<const std::int32_t> keys;
    std::span<const float> x;
};

void plain_reduce_by_segment(benchmark::State& state, unsigned length) {
    segments of{state, length};
    const auto& keys = of.keys;
    const auto& x = of.x;
    std::vector<std::int32_t> firsts(x.size());
    std::vector<float> sums(x.size());
    compare(
        state, [&] { of.take_next(); },
        [&] {
            std::size_t last = 0;
            float sum = x[0];
            firsts[0] = keys[0];
            for (std::size_t i = 1; i < x.size(); ++i) {
                if (keys[i] == keys[i - 1]) {
                    sum += x[i];
                } else {
                    sums[last] = sum;
                    ++last;
                    firsts[last] = keys[i];
                    sum = x[i];
                }
            }
            sums[last] = sum;
            benchmark::DoNotOptimize(last);
        },
        [&](const auto& policy) {
            benchmark::DoNotOptimize(pointsman::reduce_by_segment(
                policy, keys.begin(), keys.end(), x.begin(), firsts.begin(), sums.begin()));
        });
}

void plain_scan_by_segment(benchmark::State& state, unsigned length) {
    segments of{state, length};
    const auto& keys = of.keys;
    const auto& x = of.x;
    std::vector<float> sums(x.size());
    compare(
        state, [&] { of.take_next(); },
        [&] {
            float sum = x[0];
            sums[0] = sum;
            for (std::size_t i = 1; i < x.size(); ++i) {
                sum = keys[i] == keys[i - 1] ? sum + x[i] : x[i];
                sums[i] = sum;
            }
            benchmark::DoNotOptimize(sums.back());
        },
        [&](const auto& policy) {
            benchmark::DoNotOptimize(pointsman::inclusive_scan_by_segment(
                policy, keys.begin(), keys.end(), x.begin(), sums.begin()));
        });
}

void sizes(benchmark::internal::Benchmark* bench) {
    bench->Arg(1'000)->Arg(100'000)->Arg(1'000'000)->Arg(10'000'000)->UseManualTime();
}
void sizes_to_1e8(benchmark::internal::Benchmark* bench) {
    bench->RangeMultiplier(10)->Range(1'000, 100'000'000)->UseManualTime();
}
BENCHMARK(plain_copy_if<float>)->Apply(sizes_to_1e8);
BENCHMARK(plain_copy_if<double>)->Apply(sizes_to_1e8);
BENCHMARK(plain_min_element<float>)->Apply(sizes_to_1e8);
BENCHMARK(plain_min_element<double>)->Apply(sizes_to_1e8);
BENCHMARK(plain_min_element<std::int32_t>)->Apply(sizes_to_1e8);
BENCHMARK((plain_sort_by_key<float, float>))->Apply(sizes_to_1e8);
BENCHMARK((plain_sort_by_key<double, float>))->Apply(sizes_to_1e8);
BENCHMARK_CAPTURE(plain_reduce_by_segment, of_3, 3)->Apply(sizes);
BENCHMARK_CAPTURE(plain_reduce_by_segment, of_1000, 1000)->Apply(sizes);
BENCHMARK_CAPTURE(plain_scan_by_segment, of_3, 3)->Apply(sizes);
BENCHMARK_CAPTURE(plain_scan_by_segment, of_1000, 1000)->Apply(sizes);

}  // namespace
