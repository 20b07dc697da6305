// SPDX-License-Identifier: Apache-2.0
// A machine in virtual time: servers with queues, some of which share hardware.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "pointsman/tuning/task_key.hpp"

namespace bench::choice {

/// Virtual nanoseconds.
using time_ns = double;

/// Runs up to `slots` tasks at a time, each with `threads` threads of its domain.
struct server {
    std::size_t domain = 0;
    std::size_t slots = 1;
    double threads = 1;
    time_ns latency = 0;  ///< from a submission until the task can start
};

/// The servers, and how many threads of each domain run at full speed at the same time.
struct machine {
    std::vector<server> servers{};
    std::vector<double> capacity{};
};

/// Returns servers with one slot each that share no hardware.
[[nodiscard]] machine separate_servers(std::size_t count);

/// A task: its kind, and how long it takes alone on each server.
struct job {
    pointsman::task_key key;
    std::vector<time_ns> costs{};
    bool is_left_out = false;  ///< not counted in the result, such as an outlier
};

/// Simulates the submitted jobs. A server starts them in the order of submission. If more threads of a
/// domain run than its capacity, all slow down by the same factor.
class simulation {
  public:
    explicit simulation(machine hardware);

    void submit(std::size_t number, std::size_t server, time_ns cost);

    struct completion {
        std::size_t number;
        time_ns elapsed;  ///< since its submission
    };
    /// Advances the time to the next completion. At least one job is outstanding.
    [[nodiscard]] completion next();

    [[nodiscard]] time_ns now() const noexcept { return now_; }
    [[nodiscard]] std::size_t outstanding() const noexcept { return outstanding_; }

  private:
    struct task {
        std::size_t number;
        std::size_t server;
        time_ns submitted;
        time_ns remaining;
    };

    void start_waiting();
    [[nodiscard]] double speed_of(const task& running) const;

    machine hardware_;
    std::vector<std::deque<task>> waiting_;
    std::vector<std::size_t> running_on_;
    std::vector<double> threads_in_;
    std::vector<task> running_;
    std::size_t outstanding_ = 0;
    time_ns now_ = 0;
};

}  // namespace bench::choice
