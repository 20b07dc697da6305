// SPDX-License-Identifier: Apache-2.0
// Algorithms compared with Boost.Compute's on the same OpenCL queue, with arrays on the device.
#include <benchmark/benchmark.h>

#include <algorithm>

#include <boost/compute/algorithm.hpp>
#include <boost/compute/container/vector.hpp>
#include <boost/compute/function.hpp>
#include <boost/compute/lambda.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "median.hpp"
#include "pointsman/pointsman.hpp"

namespace {

namespace compute = boost::compute;
using bench::median;
using pointsman::begin;
using pointsman::end;

POINTSMAN_FUNCTION(bool, is_low, (float x), { return x < 0.5f; });
POINTSMAN_FUNCTION(bool, has_less_square, (float a, float b), { return a * a < b * b; });

/// An array of random numbers on the device for each library, and a second one for the result.
template <class T>
struct arrays {
    pointsman::opencl::queue queue;
    pointsman::execution::device_policy<> policy{queue};
    compute::command_queue commands{queue.handle()(), true};
    std::size_t size;
    std::vector<T> host;
    pointsman::opencl::buffer<T> x, y;
    compute::vector<T> their_x, their_y;

    explicit arrays(const benchmark::State& state)
        : size{static_cast<std::size_t>(state.range(0))},
          host(random_numbers(size)),
          x{queue, host},
          y{queue, host},
          their_x(host.begin(), host.end(), commands),
          their_y(host.begin(), host.end(), commands) {}

    static std::vector<T> random_numbers(std::size_t size) {
        std::mt19937 random{1};
        std::vector<T> values(size);
        for (T& value : values) {
            value = static_cast<T>(random()) / static_cast<T>(std::is_integral_v<T> ? 1 : 0x1p32);
        }
        return values;
    }
    void restore() {
        x.write(queue, host);
        compute::copy(host.begin(), host.end(), their_x.begin(), commands);
    }
};

/// Calls `prepare`, then times `ours` and `theirs`, alternating which goes first. The counters
/// hold the medians in microseconds, and theirs divided by ours.
template <class Data, class Prepare, class Ours, class Theirs>
void compare(benchmark::State& state, Data& data, Prepare prepare, Ours ours, Theirs theirs) {
    std::vector<double> us[2];
    const auto time = [&](auto& run) {
        data.queue.wait();
        const auto start = pointsman::clock::now();
        run();
        data.queue.wait();
        return std::chrono::duration<double, std::micro>(pointsman::clock::now() - start).count();
    };
    prepare();  // an untimed round compiles the kernels
    ours();
    theirs();
    unsigned round = 0;
    for (auto _ : state) {
        prepare();
        for (unsigned i = 0; i < 2; ++i) {
            const unsigned which = (round + i) % 2;
            us[which].push_back(which == 0 ? time(ours) : time(theirs));
        }
        ++round;
        state.SetIterationTime(us[0].back() * 1e-6);
    }
    state.counters["ours_us"] = median(us[0]);
    state.counters["boost_us"] = median(us[1]);
    state.counters["speed"] = median(us[1]) / median(us[0]);
}
template <class Data, class Ours, class Theirs>
void compare(benchmark::State& state, Data& data, Ours ours, Theirs theirs) {
    compare(state, data, [] {}, ours, theirs);
}

void transform(benchmark::State& state) {
    arrays<float> d{state};
    using compute::lambda::_1;
    POINTSMAN_FUNCTION(float, twice_and_one, (float x), { return 2.0f * x + 1.0f; });
    compare(
        state, d,
        [&] { pointsman::transform(d.policy, begin(d.x), end(d.x), begin(d.y), twice_and_one); },
        [&] {
            compute::transform(d.their_x.begin(), d.their_x.end(), d.their_y.begin(),
                               2.0F * _1 + 1.0F, d.commands);
        });
}

void fill(benchmark::State& state) {
    arrays<float> d{state};
    compare(
        state, d, [&] { pointsman::fill(d.policy, begin(d.y), end(d.y), 3.0F); },
        [&] { compute::fill(d.their_y.begin(), d.their_y.end(), 3.0F, d.commands); });
}

void copy(benchmark::State& state) {
    arrays<float> d{state};
    compare(
        state, d, [&] { pointsman::copy(d.policy, begin(d.x), end(d.x), begin(d.y)); },
        [&] { compute::copy(d.their_x.begin(), d.their_x.end(), d.their_y.begin(), d.commands); });
}

void reduce(benchmark::State& state) {
    arrays<float> d{state};
    compare(
        state, d,
        [&] { benchmark::DoNotOptimize(pointsman::reduce(d.policy, begin(d.x), end(d.x), 0.0F)); },
        [&] {
            float sum = 0;
            compute::reduce(d.their_x.begin(), d.their_x.end(), &sum, compute::plus<float>{},
                            d.commands);
            benchmark::DoNotOptimize(sum);
        });
}

void inclusive_scan(benchmark::State& state) {
    arrays<float> d{state};
    compare(
        state, d, [&] { pointsman::inclusive_scan(d.policy, begin(d.x), end(d.x), begin(d.y)); },
        [&] {
            compute::inclusive_scan(d.their_x.begin(), d.their_x.end(), d.their_y.begin(),
                                    d.commands);
        });
}

void count_if(benchmark::State& state) {
    arrays<float> d{state};
    using compute::lambda::_1;
    compare(
        state, d,
        [&] {
            benchmark::DoNotOptimize(pointsman::count_if(d.policy, begin(d.x), end(d.x), is_low));
        },
        [&] {
            benchmark::DoNotOptimize(
                compute::count_if(d.their_x.begin(), d.their_x.end(), _1 < 0.5F, d.commands));
        });
}

void copy_if(benchmark::State& state) {
    arrays<float> d{state};
    using compute::lambda::_1;
    compare(
        state, d, [&] { pointsman::copy_if(d.policy, begin(d.x), end(d.x), begin(d.y), is_low); },
        [&] {
            compute::copy_if(d.their_x.begin(), d.their_x.end(), d.their_y.begin(), _1 < 0.5F,
                             d.commands);
        });
}

void unique(benchmark::State& state) {
    arrays<std::uint32_t> d{state};
    for (std::uint32_t& value : d.host) {
        value >>= 31;
    }
    compare(
        state, d, [&] { d.restore(); },
        [&] { benchmark::DoNotOptimize(pointsman::unique(d.policy, begin(d.x), end(d.x))); },
        [&] {
            benchmark::DoNotOptimize(
                compute::unique(d.their_x.begin(), d.their_x.end(), d.commands));
        });
}

void min_element(benchmark::State& state) {
    arrays<float> d{state};
    compare(
        state, d,
        [&] { benchmark::DoNotOptimize(pointsman::min_element(d.policy, begin(d.x), end(d.x))); },
        [&] {
            benchmark::DoNotOptimize(
                compute::min_element(d.their_x.begin(), d.their_x.end(), d.commands));
        });
}

void minmax_element(benchmark::State& state) {
    arrays<float> d{state};
    compare(
        state, d,
        [&] {
            benchmark::DoNotOptimize(pointsman::minmax_element(d.policy, begin(d.x), end(d.x)));
        },
        [&] {
            benchmark::DoNotOptimize(
                compute::minmax_element(d.their_x.begin(), d.their_x.end(), d.commands));
        });
}

void merge(benchmark::State& state) {
    arrays<float> d{state};
    const auto half = static_cast<std::ptrdiff_t>(d.size / 2);
    std::sort(d.host.begin(), d.host.begin() + half);
    std::sort(d.host.begin() + half, d.host.end());
    d.restore();
    compare(
        state, d,
        [&] {
            pointsman::merge(d.policy, begin(d.x), begin(d.x) + half, begin(d.x) + half, end(d.x),
                             begin(d.y));
        },
        [&] {
            compute::merge(d.their_x.begin(), d.their_x.begin() + half, d.their_x.begin() + half,
                           d.their_x.end(), d.their_y.begin(), d.commands);
        });
}

template <class T>
void sort(benchmark::State& state) {
    arrays<T> d{state};
    compare(
        state, d, [&] { d.restore(); }, [&] { pointsman::sort(d.policy, begin(d.x), end(d.x)); },
        [&] { compute::sort(d.their_x.begin(), d.their_x.end(), d.commands); });
}

template <class T>
void sort_by_key(benchmark::State& state) {
    arrays<T> d{state};
    compare(
        state, d, [&] { d.restore(); },
        [&] { pointsman::sort_by_key(d.policy, begin(d.x), end(d.x), begin(d.y)); },
        [&] {
            compute::sort_by_key(d.their_x.begin(), d.their_x.end(), d.their_y.begin(), d.commands);
        });
}

void stable_sort_by_function(benchmark::State& state) {
    BOOST_COMPUTE_FUNCTION(bool, their_order, (float a, float b), { return a * a < b * b; });
    arrays<float> d{state};
    compare(
        state, d, [&] { d.restore(); },
        [&] { pointsman::stable_sort(d.policy, begin(d.x), end(d.x), has_less_square); },
        [&] { compute::stable_sort(d.their_x.begin(), d.their_x.end(), their_order, d.commands); });
}

#define POINTSMAN_BENCH_ON_DEVICE(...) BENCHMARK(__VA_ARGS__)->Arg(1'000'000)->UseManualTime()
POINTSMAN_BENCH_ON_DEVICE(transform);
POINTSMAN_BENCH_ON_DEVICE(fill);
POINTSMAN_BENCH_ON_DEVICE(copy);
POINTSMAN_BENCH_ON_DEVICE(reduce);
POINTSMAN_BENCH_ON_DEVICE(inclusive_scan);
POINTSMAN_BENCH_ON_DEVICE(count_if);
POINTSMAN_BENCH_ON_DEVICE(copy_if);
POINTSMAN_BENCH_ON_DEVICE(unique);
POINTSMAN_BENCH_ON_DEVICE(min_element);
POINTSMAN_BENCH_ON_DEVICE(minmax_element);
POINTSMAN_BENCH_ON_DEVICE(merge);
POINTSMAN_BENCH_ON_DEVICE(sort<float>);
POINTSMAN_BENCH_ON_DEVICE(sort<std::uint32_t>);
POINTSMAN_BENCH_ON_DEVICE(sort_by_key<float>);
POINTSMAN_BENCH_ON_DEVICE(stable_sort_by_function);

}  // namespace
