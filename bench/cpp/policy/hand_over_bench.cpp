// SPDX-License-Identifier: Apache-2.0
// How soon a submission that waits for a token starts after the token is returned.
#include <benchmark/benchmark.h>

#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include "pointsman/dynamic_selection.hpp"

namespace {

/// A flag that one thread sets and another waits for and clears.
class signal_flag {
  public:
    void set() {
        {
            std::lock_guard lock{mutex_};
            set_ = true;
        }
        changed_.notify_one();
    }
    void await() {
        std::unique_lock lock{mutex_};
        changed_.wait(lock, [this] { return set_; });
        set_ = false;
    }

  private:
    std::mutex mutex_;
    std::condition_variable changed_;
    bool set_ = false;
};

/// A thread that calls `answer()` whenever `asked` is set, until this object is destroyed.
template <class Answer>
class responder {
  public:
    explicit responder(Answer answer)
        : thread_{[this, answer](const std::stop_token& stop) {
              for (asked.await(); !stop.stop_requested(); asked.await()) {
                  answer();
              }
          }} {}
    ~responder() {
        thread_.request_stop();
        asked.set();
    }

    signal_flag asked;

  private:
    std::jthread thread_;
};

/// A round trip between two sleeping threads: the lower bound, set by the operating system.
void condition_variables(benchmark::State& state) {
    signal_flag answered;
    responder other{[&] { answered.set(); }};
    for (auto _ : state) {
        other.asked.set();
        answered.await();
    }
}

/// Work that completes when the other thread calls its callback.
struct remote_work {
    pointsman::completion_callback* slot;
    void on_completion(pointsman::completion_callback callback) const { *slot = callback; }
};

/// The same round trip, returning through a token: the other thread completes the work that holds
/// the only token, which starts the next submission.
void token_of_a_submit_that_waits(benchmark::State& state) {
    pointsman::token_policy policy{std::vector{0}};
    pointsman::completion_callback complete{};
    responder other{[&] { complete({.end = pointsman::clock::now()}); }};
    for (auto _ : state) {
        auto submission = policy.submit([&](int) { return remote_work{&complete}; });
        other.asked.set();
        benchmark::DoNotOptimize(submission);
    }
    policy.get_submission_group().wait();
}

BENCHMARK(condition_variables)->UseRealTime();
BENCHMARK(token_of_a_submit_that_waits)->UseRealTime();

}  // namespace
