// SPDX-License-Identifier: Apache-2.0
// Measures how long replays take: of workloads, of recordings, and their bounds.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <string>
#include <vector>

#include "pointsman/policy/provided_policies.hpp"
#include "pointsman/replay/bound.hpp"
#include "pointsman/replay/recorded_run.hpp"
#include "pointsman/replay/recording_of.hpp"
#include "pointsman/replay/replay.hpp"

namespace {

namespace pm = pointsman;
namespace replay = pointsman::replay;

/// `count` tasks of eight kinds, as many as `places` can do in the time, with the resources of four speeds.
replay::workload steady(std::uint32_t count, std::size_t places) {
    replay::workload work;
    for (std::uint64_t kind = 1; kind <= 8; ++kind) {
        work.kinds.push_back({kind, 1});
    }
    work.threads.resize(1);
    for (std::uint32_t i = 0; i < count; ++i) {
        work.kind_of.push_back(i % 8);
        work.threads[0].push_back(
            {1e6 / static_cast<double>(places), i, replay::action::kind::submit});
    }
    work.time_on = [](std::size_t task, std::size_t place) {
        return 1e5 * static_cast<double>(1 + task % 8) * static_cast<double>(1 + place % 4);
    };
    return work;
}

std::vector<replay::place> places_for(std::size_t count) {
    std::vector<replay::place> places;
    for (std::size_t i = 0; i < count; ++i) {
        places.push_back(replay::place_with(std::to_string(i), 1));
    }
    return places;
}

template <template <class...> class Policy>
void replay_of_workload(benchmark::State& state) {
    const auto count = static_cast<std::uint32_t>(state.range(0));
    const auto places = places_for(static_cast<std::size_t>(state.range(1)));
    const auto work = steady(count, places.size());
    for (auto _ : state) {
        benchmark::DoNotOptimize(replay::replay<Policy>(work, places).makespan);
    }
}

pm::trace::recording recording_with(std::uint32_t count, const std::vector<replay::place>& places) {
    const auto work = steady(count, places.size());
    pm::trace::recording names{.names = {"", "a", "b", "c", "d", "e", "f", "g", "h"}};
    for (std::uint32_t i = 0; i < count; ++i) {
        names.events.push_back({.time = {}, .task = i + 1, .sizes = 1, .name = 1 + i % 8});
    }
    return replay::recording_of(replay::replay<pm::round_robin_policy>(work, places), names, places,
                                "round_robin");
}

/// From the events of a recording to the result.
void replay_of_recording(benchmark::State& state) {
    const auto recording = recording_with(static_cast<std::uint32_t>(state.range(0)),
                                          places_for(static_cast<std::size_t>(state.range(1))));
    for (auto _ : state) {
        const auto run = replay::recorded(recording);
        benchmark::DoNotOptimize(
            replay::replay<pm::earliest_finish_policy>(run.work, run.places).makespan);
    }
}

void bound_of_recording(benchmark::State& state) {
    const auto run =
        replay::recorded(recording_with(static_cast<std::uint32_t>(state.range(0)),
                                        places_for(static_cast<std::size_t>(state.range(1)))));
    for (auto _ : state) {
        benchmark::DoNotOptimize(replay::makespan_bound(run.work, run.places));
    }
}

BENCHMARK(replay_of_workload<pm::round_robin_policy>)
    ->Args({1'000'000, 4})
    ->Unit(benchmark::kMillisecond);
BENCHMARK(replay_of_workload<pm::dynamic_load_policy>)
    ->Args({1'000'000, 4})
    ->Unit(benchmark::kMillisecond);
BENCHMARK(replay_of_workload<pm::earliest_finish_policy>)
    ->Args({1'000'000, 4})
    ->Args({10'000, 1'000})
    ->Unit(benchmark::kMillisecond);
BENCHMARK(replay_of_workload<pm::auto_tune_policy>)
    ->Args({1'000'000, 4})
    ->Unit(benchmark::kMillisecond);
BENCHMARK(bound_of_recording)->Args({1'000'000, 4})->Unit(benchmark::kMillisecond);
BENCHMARK(replay_of_recording)->Args({1'000'000, 4})->Unit(benchmark::kMillisecond);

}  // namespace
