// SPDX-License-Identifier: Apache-2.0
// What one event of a trace costs, and a submission while a session records.
#include <benchmark/benchmark.h>

#include <cstddef>
#include <memory>
#include <vector>

#include "pointsman/dynamic_selection.hpp"
#include "pointsman/trace/session.hpp"

namespace {

constexpr std::size_t events_of_a_session = 1'000'000;

/// A session that is begun again, outside the measured time, before its memory is used up.
class endless_session {
  public:
    explicit endless_session(benchmark::State& state) : state_{state} {}

    void use(std::size_t events) {
        used_ += events;
        if (used_ > events_of_a_session - 1024) [[unlikely]] {
            state_.PauseTiming();
            session_.reset();
            session_ = std::make_unique<pointsman::trace::session>(events_of_a_session);
            used_ = 0;
            state_.ResumeTiming();
        }
    }

  private:
    benchmark::State& state_;
    std::unique_ptr<pointsman::trace::session> session_ =
        std::make_unique<pointsman::trace::session>(events_of_a_session);
    std::size_t used_ = 0;
};

/// One event with its time, as each hook of the library records it.
void event_with_its_time(benchmark::State& state) {
    endless_session traced{state};
    for (auto _ : state) {
        pointsman::trace::recorder::record({.time = pointsman::clock::now(), .task = 1});
        traced.use(1);
    }
}
BENCHMARK(event_with_its_time);

void clock_alone(benchmark::State& state) {
    for (auto _ : state) {
        benchmark::DoNotOptimize(pointsman::clock::now());
    }
}
BENCHMARK(clock_alone);

pointsman::round_robin_policy<int> two_resources() {
    return pointsman::round_robin_policy<int>{std::vector{1, 2}};
}

/// Four events: submission, selection, start and end.
void submission_while_a_session_records(benchmark::State& state) {
    auto policy = two_resources();
    endless_session traced{state};
    for (auto _ : state) {
        benchmark::DoNotOptimize(policy.submit([](int resource) { return resource; }));
        traced.use(4);
    }
}
BENCHMARK(submission_while_a_session_records);

void submission_without_a_session(benchmark::State& state) {
    auto policy = two_resources();
    for (auto _ : state) {
        benchmark::DoNotOptimize(policy.submit([](int resource) { return resource; }));
    }
}
BENCHMARK(submission_without_a_session);

}  // namespace
