// SPDX-License-Identifier: Apache-2.0
// How long each recorded task takes on each resource: measured times, or predicted ones.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "pointsman/error.hpp"
#include "pointsman/replay/machine.hpp"
#include "pointsman/tuning/cost_model.hpp"
#include "pointsman/tuning/task_key.hpp"

namespace pointsman::replay::detail {

/// From where the times of a kind of task on a resource are.
enum class time_source : std::uint8_t { measured, predicted, assumed };

/// The measured times of each kind on each recorded resource, in rising order. A task has its rank among them
/// on every resource: one that was long for its kind is so everywhere.
class task_times {
  public:
    /// One task: its kind, and if it was measured where and how long it ran.
    struct sample {
        std::uint32_t kind = 0;
        std::optional<std::uint32_t> resource{};
        time_ns time = 0;
    };

    /// **Throws**: `invalid_option` if no task was measured.
    task_times(const std::vector<sample>& tasks, const std::vector<task_key>& kinds,
               std::size_t resources)
        : resources_{resources}, cells_(kinds.size() * resources), ranks_(tasks.size()) {
        sort_in(tasks);
        predict(kinds);
    }

    [[nodiscard]] time_ns of(std::size_t task, std::uint32_t kind,
                             std::size_t resource) const noexcept {
        const cell& at = cells_[kind * resources_ + resource];
        const auto rank = static_cast<std::size_t>(ranks_[task] * static_cast<float>(at.count));
        return times_[at.begin + std::min<std::size_t>(rank, at.count - 1)] * at.factor;
    }
    [[nodiscard]] time_source source(std::uint32_t kind, std::size_t resource) const noexcept {
        return cells_[kind * resources_ + resource].source;
    }

  private:
    /// `count` times from `begin` on; those of another resource or kind if there is no own one.
    struct cell {
        std::size_t begin = 0;
        std::size_t count = 0;
        double factor = 1;
        double mean = 0;
        time_source source = time_source::measured;
    };

    void sort_in(const std::vector<sample>& tasks) {
        std::vector<std::uint32_t> measured;
        for (std::uint32_t i = 0; i < tasks.size(); ++i) {
            // Tasks without a time are spread evenly over the ranks.
            ranks_[i] = static_cast<float>(std::fmod(0.6180339887498949 * (i + 1.0), 1.0));
            if (tasks[i].resource) {
                measured.push_back(i);
                ++cell_of(tasks[i]).count;
            }
        }
        if (measured.empty()) {
            throw invalid_option{"the recording of " + std::to_string(tasks.size()) +
                                 " tasks has no task with a known begin and end: let the recorded "
                                 "block wait for its work"};
        }
        std::size_t begin = 0;
        for (cell& each : cells_) {
            each.begin = std::exchange(begin, begin + each.count);
        }
        std::vector<std::pair<time_ns, std::uint32_t>> sorted(measured.size());  // cell by cell
        std::vector<std::size_t> filled(cells_.size());
        for (const std::uint32_t task : measured) {
            const std::size_t index = index_of(tasks[task]);
            sorted[cells_[index].begin + filled[index]++] = {tasks[task].time, task};
        }
        times_.reserve(sorted.size());
        for (cell& each : cells_) {
            const auto first = sorted.begin() + static_cast<std::ptrdiff_t>(each.begin);
            const auto last = first + static_cast<std::ptrdiff_t>(each.count);
            std::sort(first, last);
            const auto count = static_cast<double>(each.count);
            for (auto at = first; at != last; ++at) {
                ranks_[at->second] =
                    static_cast<float>((static_cast<double>(at - first) + 0.5) / count);
                each.mean += at->first / count;
                times_.push_back(at->first);
            }
        }
    }
    void predict(const std::vector<task_key>& kinds) {
        cost_model model{resources_, {}, kinds.size()};
        for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
            for (std::size_t i = 0; i < resources_; ++i) {
                teach(model, kinds[kind], i, cells_[kind * resources_ + i]);
            }
        }
        const std::vector<cell> measured = cells_;
        for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
            for (std::size_t i = 0; i < resources_; ++i) {
                if (measured[kind * resources_ + i].count == 0) {
                    const auto found = model.prediction(model.find(kinds[kind]), i);
                    fill(measured, kind, i, found);
                }
            }
        }
    }
    /// The model takes a first time for warm-up and doubts one that is far from what it expects.
    static void teach(cost_model& model, const task_key& key, std::size_t index,
                      const cell& known) {
        constexpr int repeats = 4;
        for (int n = 0; n < repeats && known.count > 0; ++n) {
            model.learn(model.find(key), index,
                        std::chrono::nanoseconds{static_cast<std::int64_t>(known.mean)});
        }
    }
    /// Takes the times of the kind on the resource with the most of them, times a factor.
    void fill(const std::vector<cell>& measured, std::size_t kind, std::size_t index,
              std::optional<std::chrono::nanoseconds> predicted) {
        const auto first = measured.begin() + static_cast<std::ptrdiff_t>(kind * resources_);
        auto like =
            std::max_element(first, first + static_cast<std::ptrdiff_t>(resources_),
                             [](const cell& a, const cell& b) { return a.count < b.count; });
        if (like->count == 0) {  // no such task was measured anywhere
            like = std::ranges::max_element(measured, {}, &cell::count);
        }
        const auto other = static_cast<std::size_t>(like - measured.begin()) % resources_;
        cell& at = cells_[kind * resources_ + index];
        at = *like;
        at.source = time_source::predicted;
        if (predicted) {
            at.factor = static_cast<double>(predicted->count()) / like->mean;
        } else if (const auto ratio = usual_ratio(measured, index, other)) {
            at.factor = *ratio;
        } else {
            at.source = time_source::assumed;
        }
    }
    /// The geometric mean of how much longer kinds take on `index` than on `other`.
    [[nodiscard]] std::optional<double> usual_ratio(const std::vector<cell>& measured,
                                                    std::size_t index, std::size_t other) const {
        double sum = 0;
        double count = 0;
        for (std::size_t first = 0; first < measured.size(); first += resources_) {
            const cell& here = measured[first + index];
            const cell& there = measured[first + other];
            if (here.count > 0 && there.count > 0) {
                sum += std::log(here.mean / there.mean);
                ++count;
            }
        }
        return count > 0 ? std::optional{std::exp(sum / count)} : std::nullopt;
    }

    [[nodiscard]] std::size_t index_of(const sample& of) const noexcept {
        return of.kind * resources_ + *of.resource;
    }
    [[nodiscard]] cell& cell_of(const sample& of) noexcept { return cells_[index_of(of)]; }

    std::size_t resources_;
    std::vector<cell> cells_;  // by kind and resource
    std::vector<time_ns> times_;
    std::vector<float> ranks_;  // from 0 to 1
};

}  // namespace pointsman::replay::detail
