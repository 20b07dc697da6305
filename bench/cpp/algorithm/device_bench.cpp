// SPDX-License-Identifier: Apache-2.0
// Compares algorithms on arrays in the first device's memory with the driver's copy of as many
// values, in turn: on a GPU the memory limits the speed of both.
#include <benchmark/benchmark.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <tuple>
#include <vector>

#include "median.hpp"
#include "pointsman/pointsman.hpp"

namespace {

using bench::median;
using pointsman::begin;
using pointsman::end;

/// Two arrays on the device.
template <class T>
struct arrays {
    pointsman::opencl::queue queue;
    pointsman::execution::device_policy<> policy{queue};
    pointsman::opencl::buffer<T> x;
    pointsman::opencl::buffer<T> y;

    explicit arrays(std::size_t size) : x{queue, size}, y{queue, size} {
        pointsman::fill(policy, begin(x), end(x), T{1});
        pointsman::fill(policy, begin(y), end(y), T{2});
    }
    void copy() {
        queue.handle().enqueueCopyBuffer(x.handle(), y.handle(), 0, 0, x.size() * sizeof(T));
        queue.wait();
    }
};

/// Returns arrays of as many values as `state` says. Skips the benchmark and returns nothing if
/// they do not fit or would take a CPU too long.
template <class T>
std::optional<arrays<T>> arrays_for(benchmark::State& state) {
    const auto size = static_cast<std::size_t>(state.range(0));
    const cl::Device device = pointsman::opencl::queue{}.device().handle();
    if (pointsman::opencl::detail::is_cpu(device) && size > 1'000'000) {
        state.SkipWithError("the device is a CPU");
        return std::nullopt;
    }
    if (size * sizeof(T) > device.getInfo<CL_DEVICE_GLOBAL_MEM_SIZE>() / 4) {
        state.SkipWithError("the device has too little memory");
        return std::nullopt;
    }
    return arrays<T>{size};
}

double us_of(const auto& run) {
    const auto start = pointsman::clock::now();
    run();
    return std::chrono::duration<double, std::micro>(pointsman::clock::now() - start).count();
}

/// Times `ours`, which waits for its own completion, and the copy in turn. The counters hold the
/// medians in microseconds, GB/s at `bytes` per value, and the share of the copy's rate.
template <class T>
void compare(benchmark::State& state, arrays<T>& data, double bytes, const auto& ours) {
    std::vector<double> us;
    std::vector<double> copy_us;
    ours();
    data.copy();
    for (auto _ : state) {
        us.push_back(us_of(ours));
        copy_us.push_back(us_of([&] { data.copy(); }));
        state.SetIterationTime(us.back() * 1e-6);
    }
    const double rate = bytes * static_cast<double>(data.x.size()) / median(us) * 1e-3;
    const double copy_rate =
        2.0 * sizeof(T) * static_cast<double>(data.x.size()) / median(copy_us) * 1e-3;
    state.counters["us"] = median(us);
    state.counters["GB_s"] = rate;
    state.counters["copy_GB_s"] = copy_rate;
    state.counters["share"] = rate / copy_rate;
}

POINTSMAN_FUNCTION(float, twice_and_one, (float x), { return 2.0f * x + 1.0f; });

void transform_on_device(benchmark::State& state) {
    if (auto d = arrays_for<float>(state)) {
        compare(state, *d, 8, [&] {
            pointsman::transform(d->policy, begin(d->x), end(d->x), begin(d->y), twice_and_one);
        });
    }
}
void fill_on_device(benchmark::State& state) {
    if (auto d = arrays_for<float>(state)) {
        compare(state, *d, 4, [&] { pointsman::fill(d->policy, begin(d->x), end(d->x), 1.5F); });
    }
}
void copy_on_device(benchmark::State& state) {
    if (auto d = arrays_for<float>(state)) {
        compare(state, *d, 8,
                [&] { pointsman::copy(d->policy, begin(d->x), end(d->x), begin(d->y)); });
    }
}
void reduce_on_device(benchmark::State& state) {
    if (auto d = arrays_for<float>(state)) {
        compare(state, *d, 4, [&] {
            benchmark::DoNotOptimize(pointsman::reduce(d->policy, begin(d->x), end(d->x), 0.0F));
        });
    }
}
void inclusive_scan_on_device(benchmark::State& state) {
    if (auto d = arrays_for<float>(state)) {
        compare(state, *d, 8,
                [&] { pointsman::inclusive_scan(d->policy, begin(d->x), end(d->x), begin(d->y)); });
    }
}

/// Fills `x` with random values of -1, 0 and 1.
void fill_with_signs(arrays<float>& d) {
    std::mt19937 random{1};
    std::vector<float> signs(d.x.size());
    for (auto& sign : signs) {
        sign = static_cast<float>(random() % 3) - 1.0F;
    }
    d.x.write(d.queue, signs);
}

/// Values that rise by 1 after `length` of them.
template <class T>
[[nodiscard]] std::vector<T> stairs(std::size_t size, std::size_t length) {
    std::vector<T> values(size);
    for (std::size_t i = 0; i < size; ++i) {
        values[i] = static_cast<T>(i / length);
    }
    return values;
}

POINTSMAN_FUNCTION(int, is_positive, (float x), { return x > 0; });

void copy_if_on_device(benchmark::State& state) {
    if (auto d = arrays_for<float>(state)) {
        fill_with_signs(*d);
        compare(state, *d, 4 + 4.0 / 3, [&] {
            pointsman::copy_if(d->policy, begin(d->x), end(d->x), begin(d->y), is_positive);
        });
    }
}
void unique_copy_on_device(benchmark::State& state) {
    if (auto d = arrays_for<float>(state)) {
        fill_with_signs(*d);
        compare(state, *d, 4 + 8.0 / 3,
                [&] { pointsman::unique_copy(d->policy, begin(d->x), end(d->x), begin(d->y)); });
    }
}
void merge_on_device(benchmark::State& state) {
    if (auto d = arrays_for<float>(state)) {
        d->x.write(d->queue, stairs<float>(d->x.size(), 3));
        const pointsman::opencl::buffer<float> out{d->queue, 2 * d->x.size()};
        compare(state, *d, 16, [&] {
            pointsman::merge(d->policy, begin(d->x), end(d->x), begin(d->x), end(d->x), begin(out));
        });
    }
}
void inclusive_scan_by_segment_on_device(benchmark::State& state) {
    if (auto d = arrays_for<float>(state)) {
        const pointsman::opencl::buffer<std::uint32_t> keys{d->queue,
                                                            stairs<std::uint32_t>(d->x.size(), 7)};
        compare(state, *d, 12, [&] {
            pointsman::inclusive_scan_by_segment(d->policy, begin(keys), end(keys), begin(d->x),
                                                 begin(d->y));
        });
    }
}
void reduce_by_segment_on_device(benchmark::State& state) {
    if (auto d = arrays_for<float>(state)) {
        const pointsman::opencl::buffer<std::uint32_t> keys{d->queue,
                                                            stairs<std::uint32_t>(d->x.size(), 7)};
        const pointsman::opencl::buffer<std::uint32_t> first_keys{d->queue, d->x.size()};
        compare(state, *d, 8 + 8.0 / 7, [&] {
            pointsman::reduce_by_segment(d->policy, begin(keys), end(keys), begin(d->x),
                                         begin(first_keys), begin(d->y));
        });
    }
}

/// One of the two scans for devices whose work items share local memory.
template <class T, bool IsOnce>
void scan_in_groups_on_device(benchmark::State& state) {
    auto d = arrays_for<T>(state);
    if (!d) {
        return;
    }
    if (d->queue.items_work_alone()) {
        state.SkipWithError("the device's work items work alone");
        return;
    }
    namespace detail = pointsman::detail;
    using values = detail::computed_values<pointsman::opencl::buffer_iterator<T>>;
    const std::size_t size = d->x.size();
    const std::tuple<values> from{values{d->queue, begin(d->x), size, values::use::input}};
    const values to{d->queue, begin(d->y), size, values::use::output};
    compare(state, *d, 2.0 * sizeof(T), [&] {
        constexpr auto kind = detail::scan_kind::inclusive;
        const std::optional<T> none;
        if constexpr (IsOnce) {
            detail::scan_once<T, pointsman::plus, pointsman::identity_value>(d->queue, from, size,
                                                                             to, none, kind);
        } else {
            detail::scan_in_parts<T, pointsman::plus, pointsman::identity_value>(
                d->queue, from, size, to, none, kind);
        }
        d->queue.wait();
    });
}

/// Sorts random numbers in `y`, the same in each round; the counter is in millions per second.
template <class T, class Sort>
void sort_random_numbers(benchmark::State& state, arrays<T>& d, Sort sort) {
    std::mt19937_64 random{1};
    std::vector<T> values(d.x.size());
    for (auto& value : values) {
        value = static_cast<T>(random());
    }
    d.x.write(d.queue, values);
    const auto restore = [&] { pointsman::copy(d.policy, begin(d.x), end(d.x), begin(d.y)); };
    std::vector<double> us;
    restore();
    sort();
    for (auto _ : state) {
        restore();
        us.push_back(us_of(sort));
        state.SetIterationTime(us.back() * 1e-6);
    }
    state.counters["us"] = median(us);
    state.counters["M_s"] = static_cast<double>(values.size()) / median(us);
}
void sort_on_device(benchmark::State& state) {
    if (auto d = arrays_for<std::uint32_t>(state)) {
        sort_random_numbers(state, *d, [&] { pointsman::sort(d->policy, begin(d->y), end(d->y)); });
    }
}

/// One of the two sorts for devices whose work items share local memory.
template <class T, bool IsOnce>
void sort_in_groups_on_device(benchmark::State& state) {
    auto d = arrays_for<T>(state);
    if (!d) {
        return;
    }
    namespace detail = pointsman::detail;
    const std::size_t warp = detail::warp_size(d->queue);
    if (d->queue.items_work_alone() || warp == 1) {
        state.SkipWithError("the device's work items are not known to run in step");
        return;
    }
    const pointsman::opencl::buffer<T> other{d->queue, d->y.size()};
    const std::size_t size = d->y.size();
    sort_random_numbers(state, *d, [&] {
        std::vector<detail::moved_array> arrays{
            {size * sizeof(T), d->y.handle(), 0, other.handle(), 0}};
        if constexpr (IsOnce) {
            detail::radix_sort_once<T>{d->queue, size, {true}, warp}.sort(arrays);
        } else {
            detail::radix_sort<T>{d->queue, size, {true}}.sort(arrays);
        }
        d->queue.wait();
    });
}

#define POINTSMAN_BENCH_ON_DEVICE(...) \
    BENCHMARK(__VA_ARGS__)->Arg(1'000'000)->Arg(100'000'000)->Arg(1'000'000'000)->UseManualTime()
POINTSMAN_BENCH_ON_DEVICE(transform_on_device);
POINTSMAN_BENCH_ON_DEVICE(fill_on_device);
POINTSMAN_BENCH_ON_DEVICE(copy_on_device);
POINTSMAN_BENCH_ON_DEVICE(reduce_on_device);
POINTSMAN_BENCH_ON_DEVICE(inclusive_scan_on_device);
POINTSMAN_BENCH_ON_DEVICE(scan_in_groups_on_device<float, true>);
POINTSMAN_BENCH_ON_DEVICE(scan_in_groups_on_device<float, false>);
POINTSMAN_BENCH_ON_DEVICE(scan_in_groups_on_device<double, true>);
POINTSMAN_BENCH_ON_DEVICE(scan_in_groups_on_device<double, false>);
POINTSMAN_BENCH_ON_DEVICE(scan_in_groups_on_device<std::int32_t, true>);
POINTSMAN_BENCH_ON_DEVICE(scan_in_groups_on_device<std::int32_t, false>);
#define POINTSMAN_BENCH_SMALLER_ON_DEVICE(...) \
    BENCHMARK(__VA_ARGS__)->Arg(1'000'000)->Arg(100'000'000)->UseManualTime()
POINTSMAN_BENCH_SMALLER_ON_DEVICE(copy_if_on_device);
POINTSMAN_BENCH_SMALLER_ON_DEVICE(unique_copy_on_device);
POINTSMAN_BENCH_SMALLER_ON_DEVICE(merge_on_device);
POINTSMAN_BENCH_SMALLER_ON_DEVICE(inclusive_scan_by_segment_on_device);
POINTSMAN_BENCH_SMALLER_ON_DEVICE(reduce_by_segment_on_device);
POINTSMAN_BENCH_SMALLER_ON_DEVICE(sort_on_device);
POINTSMAN_BENCH_SMALLER_ON_DEVICE(sort_in_groups_on_device<std::uint32_t, true>);
POINTSMAN_BENCH_SMALLER_ON_DEVICE(sort_in_groups_on_device<std::uint32_t, false>);
POINTSMAN_BENCH_SMALLER_ON_DEVICE(sort_in_groups_on_device<float, true>);
POINTSMAN_BENCH_SMALLER_ON_DEVICE(sort_in_groups_on_device<float, false>);
POINTSMAN_BENCH_SMALLER_ON_DEVICE(sort_in_groups_on_device<std::uint64_t, true>);
POINTSMAN_BENCH_SMALLER_ON_DEVICE(sort_in_groups_on_device<std::uint64_t, false>);

}  // namespace
