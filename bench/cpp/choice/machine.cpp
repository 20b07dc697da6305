// SPDX-License-Identifier: Apache-2.0
// Advances a simulated machine from event to event.
#include "machine.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace bench::choice {

machine separate_servers(std::size_t count) {
    machine made;
    for (std::size_t i = 0; i < count; ++i) {
        made.servers.push_back({.domain = i});
        made.capacity.push_back(1);
    }
    return made;
}

simulation::simulation(machine hardware)
    : hardware_{std::move(hardware)},
      waiting_(hardware_.servers.size()),
      running_on_(hardware_.servers.size()),
      threads_in_(hardware_.capacity.size()) {}

void simulation::submit(std::size_t number, std::size_t server, time_ns cost) {
    waiting_[server].push_back({number, server, now_, cost});
    ++outstanding_;
    start_waiting();
}

void simulation::start_waiting() {
    for (std::size_t i = 0; i < waiting_.size(); ++i) {
        const server& of = hardware_.servers[i];
        auto& queue = waiting_[i];
        while (!queue.empty() && running_on_[i] < of.slots &&
               queue.front().submitted + of.latency <= now_) {
            running_.push_back(queue.front());
            queue.pop_front();
            ++running_on_[i];
            threads_in_[of.domain] += of.threads;
        }
    }
}

double simulation::speed_of(const task& running) const {
    const std::size_t domain = hardware_.servers[running.server].domain;
    return std::min(1.0, hardware_.capacity[domain] / threads_in_[domain]);
}

simulation::completion simulation::next() {
    for (;;) {
        time_ns step = std::numeric_limits<time_ns>::infinity();
        std::size_t first = running_.size();
        for (std::size_t i = 0; i < running_.size(); ++i) {
            if (const auto left = running_[i].remaining / speed_of(running_[i]); left < step) {
                step = left;
                first = i;
            }
        }
        bool starts = false;
        for (std::size_t i = 0; i < waiting_.size(); ++i) {
            const server& of = hardware_.servers[i];
            if (!waiting_[i].empty() && running_on_[i] < of.slots) {
                const auto arrives = waiting_[i].front().submitted + of.latency - now_;
                if (arrives < step) {
                    step = arrives;
                    starts = true;
                }
            }
        }
        for (task& running : running_) {
            running.remaining -= step * speed_of(running);
        }
        now_ += step;
        if (starts) {
            start_waiting();
            continue;
        }
        const task done = running_[first];
        running_[first] = running_.back();
        running_.pop_back();
        --running_on_[done.server];
        const server& of = hardware_.servers[done.server];
        threads_in_[of.domain] -= of.threads;
        --outstanding_;
        start_waiting();
        return {done.number, now_ - done.submitted};
    }
}

}  // namespace bench::choice
