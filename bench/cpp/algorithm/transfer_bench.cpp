// SPDX-License-Identifier: Apache-2.0
// Compares, on the first device and in turn, transfers through pinned memory with one plain
// blocking call, a queue's pool with clCreateBuffer, and shared virtual memory with ordinary
// memory.
#include <benchmark/benchmark.h>

#include <chrono>
#include <cstddef>
#include <vector>

#include "median.hpp"
#include "pointsman/pointsman.hpp"
#include "pointsman/resource/opencl/detail/transfer.hpp"
#include "pointsman/resource/opencl/svm_allocator.hpp"

namespace {

using bench::median;
using pointsman::opencl::queue;

/// Times `ours` and `plain` in turn, alternating which goes first. The counters hold the medians in
/// microseconds, the rates unless `size_bytes` is 0, and plain's time divided by ours.
template <class Ours, class Plain>
void compare(benchmark::State& state, std::size_t size_bytes, Ours ours, Plain plain) {
    std::vector<double> us[2];
    const auto time = [](auto& run) {
        const auto start = pointsman::clock::now();
        run();
        return std::chrono::duration<double, std::micro>(pointsman::clock::now() - start).count();
    };
    ours();  // untimed: creates the objects that are made on first use
    plain();
    unsigned round = 0;
    for (auto _ : state) {
        for (unsigned i = 0; i < 2; ++i) {
            const unsigned which = (round + i) % 2;
            us[which].push_back(which == 0 ? time(ours) : time(plain));
        }
        ++round;
        state.SetIterationTime(us[0].back() * 1e-6);
    }
    state.counters["ours_us"] = median(us[0]);
    state.counters["plain_us"] = median(us[1]);
    if (size_bytes != 0) {
        state.counters["ours_GBs"] = static_cast<double>(size_bytes) / median(us[0]) * 1e-3;
        state.counters["plain_GBs"] = static_cast<double>(size_bytes) / median(us[1]) * 1e-3;
    }
    state.counters["speed"] = median(us[1]) / median(us[0]);
}

/// An array of floats on the host and a buffer of the same size on the device.
struct arrays {
    queue commands;
    std::vector<float> host;
    std::size_t size_bytes = host.size() * sizeof(float);
    cl::Buffer memory{commands.context(), CL_MEM_READ_WRITE, size_bytes};

    explicit arrays(const benchmark::State& state)
        : host(static_cast<std::size_t>(state.range(0)), 1.0F) {}
};

void upload(benchmark::State& state) {
    arrays d{state};
    compare(
        state, d.size_bytes,
        [&] {
            pointsman::opencl::write_staged(d.commands, d.host.data(), d.memory, 0, d.size_bytes,
                                            pointsman::detail::copy_in_threads);
        },
        [&] {
            d.commands.handle().enqueueWriteBuffer(d.memory, CL_TRUE, 0, d.size_bytes,
                                                   d.host.data());
        });
}

void fetch(benchmark::State& state) {
    arrays d{state};
    compare(
        state, d.size_bytes,
        [&] {
            pointsman::opencl::read_staged(d.commands, d.memory, 0, d.host.data(), d.size_bytes,
                                           pointsman::detail::copy_in_threads);
        },
        [&] {
            d.commands.handle().enqueueReadBuffer(d.memory, CL_TRUE, 0, d.size_bytes,
                                                  d.host.data());
        });
}

/// Drivers may postpone an allocation until a command uses the memory.
void allocate(benchmark::State& state) {
    const queue q;
    const std::size_t size_bytes = static_cast<std::size_t>(state.range(0)) * sizeof(float);
    const auto use = [&](const cl::Buffer& memory) {
        q.handle().enqueueFillBuffer(memory, cl_uint{0}, 0, sizeof(cl_uint));
        q.wait();
    };
    compare(
        state, 0, [&] { use(q.take_buffer(size_bytes).handle()); },
        [&] { use(cl::Buffer{q.context(), CL_MEM_READ_WRITE, size_bytes}); });
}

POINTSMAN_FUNCTION(float, twice_and_one, (float x), { return 2.0f * x + 1.0f; });

void transform_shared(benchmark::State& state) {
    const queue q;
    const pointsman::execution::device_policy<> policy{q};
    const auto count = static_cast<std::size_t>(state.range(0));
    std::vector<float> ordinary(count, 1.0F);
    try {
        std::vector<float, pointsman::opencl::svm_allocator<float>> shared(count, 1.0F, q);
        const auto run = [&](auto& x) {
            pointsman::transform(policy, x.begin(), x.end(), x.begin(), twice_and_one);
        };
        compare(state, 2 * count * sizeof(float), [&] { run(shared); }, [&] { run(ordinary); });
    } catch (const pointsman::invalid_option& refused) {
        state.SkipWithError(refused.what());
    }
}

#define POINTSMAN_BENCH_TRANSFER(name) \
    BENCHMARK(name)                    \
        ->Arg(250'000)                 \
        ->Arg(1'000'000)               \
        ->Arg(10'000'000)              \
        ->Arg(100'000'000)             \
        ->UseManualTime()
POINTSMAN_BENCH_TRANSFER(upload);
POINTSMAN_BENCH_TRANSFER(fetch);
POINTSMAN_BENCH_TRANSFER(allocate);
POINTSMAN_BENCH_TRANSFER(transform_shared);

}  // namespace
