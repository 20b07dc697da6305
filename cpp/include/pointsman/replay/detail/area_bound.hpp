// SPDX-License-Identifier: Apache-2.0
// How long the work of all tasks occupies the machine at least, however it is divided.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <unordered_map>
#include <vector>

#include "pointsman/replay/machine.hpp"
#include "pointsman/replay/place.hpp"
#include "pointsman/replay/workload.hpp"

namespace pointsman::replay::detail {

/// The bound of a linear program: each task is divided among the places at will, no place is busy for longer
/// than its slots allow, and no domain for longer than its capacity allows. Each choice of prices for a
/// nanosecond of the slots and of the domains, whose sum over the machine is 1, bounds the time from below by
/// the sum of what each task pays at the place that is cheapest for it. Steps over a sample of the tasks improve
/// the prices; the bound counts all tasks.
class area_bound {
  public:
    area_bound(const workload& work, const std::vector<place>& places)
        : work_{work}, price_(places.size()), costs_(places.size()) {
        std::unordered_map<std::uint64_t, std::size_t> domains;
        for (const place& each : places) {
            const domain& of = each.hardware;
            const double threads = of.threads_each > 0 ? of.threads_each : 1;
            const double capacity = of.capacity > 0 ? of.capacity : 1;
            const auto slots = static_cast<double>(std::max<std::size_t>(of.slots, 1));
            threads_.push_back(threads);
            limits_.push_back({std::min(slots, capacity_limited(of, threads, capacity)), 0, 0});
            shared_.push_back(none);
            if (of.id != 0) {
                const auto [known, is_new] = domains.try_emplace(of.id, limits_shared_.size());
                if (is_new) {
                    limits_shared_.push_back({capacity, 0, 0});
                }
                limit& all = limits_shared_[known->second];
                all.capacity = std::max(all.capacity, capacity);
                shared_.back() = known->second;
            }
        }
    }

    /// To be called once.
    [[nodiscard]] time_ns value() {
        constexpr double most_evaluations = 5e7;
        const std::vector<time_ns> sample = times_of_sample();
        begin(sample);
        const int steps = static_cast<int>(
            std::clamp(most_evaluations / static_cast<double>(sample.size()), 3.0, 100.0));
        time_ns best = 0;
        std::vector<double> best_price = price_;
        double width = 0.5;
        for (int i = 0; i < steps; ++i, width *= 0.93) {
            if (const time_ns here = evaluate(sample, width); here > best) {
                best = here;
                best_price = price_;
            }
            improve(width);
        }
        return value_at(best_price, sample);
    }
    /// The time of each task at the place that is fastest for it, once `value` was called.
    [[nodiscard]] const std::vector<time_ns>& shortest() const noexcept { return shortest_; }

  private:
    static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

    struct limit {
        double capacity;
        double price;  // of a nanosecond
        time_ns used;  // by the tasks of the sample
    };

    /// A domain of one resource limits its slots; that of several is a limit of its own.
    [[nodiscard]] static double capacity_limited(const domain& of, double threads,
                                                 double capacity) noexcept {
        return of.id == 0 ? capacity / threads : std::numeric_limits<double>::infinity();
    }

    [[nodiscard]] time_ns time_on(std::size_t task, std::size_t place) const {
        return std::max(work_.time_on(task, place), 1.0);
    }
    /// The times of some tasks, or of all, at all places, one task after the other.
    [[nodiscard]] std::vector<time_ns> times_of_sample() const {
        constexpr std::size_t most_times = 1'000'000;
        const std::size_t count =
            std::min(work_.size(), std::max(most_times / price_.size(), price_.size()));
        std::vector<time_ns> times;
        times.reserve(count * price_.size());
        for (std::size_t i = 0; i < count; ++i) {
            // Spread by the golden ratio, as tasks of one kind may come at equal distances.
            const double part = std::fmod(0.6180339887498949 * static_cast<double>(i), 1.0);
            const std::size_t task =
                count == work_.size()
                    ? i
                    : static_cast<std::size_t>(part * static_cast<double>(work_.size()));
            for (std::size_t place = 0; place < price_.size(); ++place) {
                times.push_back(time_on(task, place));
            }
        }
        return times;
    }

    /// Begins with prices at which the average task pays the same everywhere.
    void begin(const std::vector<time_ns>& sample) {
        std::vector<time_ns> sums(price_.size());
        for (std::size_t at = 0; at < sample.size(); ++at) {
            sums[at % sums.size()] += sample[at];
        }
        for (std::size_t i = 0; i < limits_.size(); ++i) {
            limits_[i].price = 1 / sums[i];
            if (shared_[i] != none) {
                limit& all = limits_shared_[shared_[i]];
                all.price = std::max(all.price, limits_[i].price / threads_[i]);
                limits_[i].price *= 0.01;
            }
        }
        normalise();
    }
    void normalise() {
        double sum = 0;
        for (const auto* const all : {&limits_, &limits_shared_}) {
            for (const limit& each : *all) {
                sum += each.price * each.capacity;
            }
        }
        for (auto* const all : {&limits_, &limits_shared_}) {
            for (limit& each : *all) {
                each.price /= sum;
            }
        }
        for (std::size_t i = 0; i < price_.size(); ++i) {
            price_[i] = limits_[i].price +
                        (shared_[i] == none ? 0 : limits_shared_[shared_[i]].price * threads_[i]);
        }
    }
    /// Returns what the tasks of the sample pay. Each uses, in equal parts, the places that cost it at most
    /// `tolerance` more than the cheapest: of places that are alike, none is preferred.
    [[nodiscard]] time_ns evaluate(const std::vector<time_ns>& sample, double tolerance) {
        for (auto* const all : {&limits_, &limits_shared_}) {
            for (limit& each : *all) {
                each.used = 0;
            }
        }
        const std::size_t places = price_.size();
        time_ns sum = 0;
        for (std::size_t first = 0; first < sample.size(); first += places) {
            const time_ns* const times = &sample[first];
            time_ns least = std::numeric_limits<time_ns>::infinity();
            for (std::size_t i = 0; i < places; ++i) {
                costs_[i] = times[i] * price_[i];
                least = std::min(least, costs_[i]);
            }
            sum += least;
            const time_ns most = least * (1 + tolerance);
            std::size_t equal = 0;
            for (std::size_t i = 0; i < places; ++i) {
                equal += costs_[i] <= most ? 1 : 0;
            }
            const double part = 1 / static_cast<double>(equal);
            for (std::size_t i = 0; i < places; ++i) {
                limits_[i].used += costs_[i] <= most ? times[i] * part : 0;
            }
        }
        for (std::size_t i = 0; i < places; ++i) {
            if (shared_[i] != none) {
                limits_shared_[shared_[i]].used += limits_[i].used * threads_[i];
            }
        }
        return sum;
    }
    /// Returns what all tasks pay, and finds their shortest times.
    [[nodiscard]] time_ns value_at(const std::vector<double>& price,
                                   const std::vector<time_ns>& sample) {
        const bool has_all = sample.size() == work_.size() * price.size();
        time_ns sum = 0;
        shortest_.clear();
        shortest_.reserve(work_.size());
        for (std::size_t task = 0; task < work_.size(); ++task) {
            time_ns least = std::numeric_limits<time_ns>::infinity();
            time_ns shortest = std::numeric_limits<time_ns>::infinity();
            for (std::size_t i = 0; i < price.size(); ++i) {
                const time_ns here = has_all ? sample[task * price.size() + i] : time_on(task, i);
                least = std::min(least, here * price[i]);
                shortest = std::min(shortest, here);
            }
            sum += least;
            shortest_.push_back(shortest);
        }
        return sum;
    }
    /// Raises the prices of what is used most; by multiplication, so that they stay positive.
    void improve(double width) {
        time_ns most = 1;
        for (const auto* const all : {&limits_, &limits_shared_}) {
            for (const limit& each : *all) {
                most = std::max(most, each.used / each.capacity);
            }
        }
        for (auto* const all : {&limits_, &limits_shared_}) {
            for (limit& each : *all) {
                each.price *= std::exp(width * (each.used / each.capacity / most - 0.5));
            }
        }
        normalise();
    }

    const workload& work_;
    std::vector<double> price_;    // of a nanosecond at a place
    std::vector<double> threads_;  // of a task at a place
    std::vector<std::size_t> shared_;
    std::vector<limit> limits_;  // by place
    std::vector<limit> limits_shared_;
    std::vector<time_ns> costs_;     // by place, of the present task
    std::vector<time_ns> shortest_;  // by task
};

}  // namespace pointsman::replay::detail
