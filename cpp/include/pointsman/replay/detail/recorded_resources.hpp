// SPDX-License-Identifier: Apache-2.0
// The resources of a recording: how many tasks each ran at a time, and when each task really began.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "pointsman/clock.hpp"
#include "pointsman/replay/detail/recorded_threads.hpp"
#include "pointsman/replay/place.hpp"
#include "pointsman/replay/recorded_place.hpp"
#include "pointsman/trace/recording.hpp"

namespace pointsman::replay::detail {

/// The recorded resources: how many tasks they ran at a time, and how long each task took.
class recorded_resources {
  public:
    recorded_resources(const trace::recording& made, const std::vector<trace::task>& tasks,
                       const recorded_threads& threads, const std::vector<recorded_place>& wanted)
        : tasks_{tasks}, threads_{threads} {
        for (const trace::task& each : tasks) {
            if (each.resource != 0 && indices_.try_emplace(each.resource, places_.size()).second) {
                const std::string& name = made.name_of(each.resource);
                places_.push_back(place_with(name, 1));
                for (const recorded_place& of : wanted) {
                    if (of.slots && of.name == name && (of.like.empty() || of.like == name)) {
                        places_.back() = place_with(name, *of.slots);
                    }
                }
            }
        }
        members_.resize(places_.size());
        for (std::uint32_t i = 0; i < tasks.size(); ++i) {
            if (const auto where = place_of(i); where && tasks[i].begin() && tasks[i].ended) {
                members_[*where].push_back(i);
            }
        }
        begins_.resize(tasks.size());
        for (std::size_t i = 0; i < places_.size(); ++i) {
            find_slots(i);
            find_begins(i);
        }
    }

    [[nodiscard]] const std::vector<place>& places() const noexcept { return places_; }
    [[nodiscard]] std::optional<std::uint32_t> place_of(std::uint32_t task) const {
        const auto found = indices_.find(tasks_[task].resource);
        return found == indices_.end() ? std::nullopt
                                       : std::optional{static_cast<std::uint32_t>(found->second)};
    }
    /// When a task whose end is known began: of one without a start, when its resource had a free slot.
    [[nodiscard]] clock::time_point begin_of(std::uint32_t task) const { return begins_[task]; }

  private:
    /// As many as ran at the same time; of a resource that runs tasks in the calls that submit them, as many as
    /// there are such threads.
    void find_slots(std::size_t index) {
        std::vector<clock::time_point> starts;
        std::vector<clock::time_point> ends;
        std::vector<std::uint32_t> callers;
        clock::duration latency = clock::duration::max();
        for (const std::uint32_t i : members_[index]) {
            const trace::task& of = tasks_[i];
            if (!of.started) {
                continue;
            }
            starts.push_back(*of.started);
            ends.push_back(*of.ended);
            latency = std::min(latency, *of.started - of.selected.value_or(*of.started));
            if (threads_.ran_in_call(i)) {
                callers.push_back(of.thread);
            }
        }
        std::ranges::sort(callers);
        const auto threads =
            static_cast<std::size_t>(std::unique(callers.begin(), callers.end()) - callers.begin());
        const std::size_t most = std::max(threads, most_at_once(starts, ends));
        place& of = places_[index];
        of = place_with(of.name, std::max(of.hardware.slots, most));
        of.latency = starts.empty() ? clock::duration{} : std::max(latency, clock::duration{});
    }
    [[nodiscard]] static std::size_t most_at_once(std::vector<clock::time_point>& starts,
                                                  std::vector<clock::time_point>& ends) {
        for (auto* const times : {&starts, &ends}) {
            if (!std::ranges::is_sorted(*times)) {  // as one after the other would be
                std::ranges::stable_sort(*times);   // faster where they nearly are
            }
        }
        std::size_t most = 0;
        std::size_t ended = 0;
        for (std::size_t begun = 0; begun < starts.size(); ++begun) {
            while (ends[ended] <= starts[begun]) {  // at equal times, ends first
                ++ended;
            }
            most = std::max(most, begun + 1 - std::min(ended, begun + 1));
        }
        return most;
    }
    void find_begins(std::size_t index) {
        std::vector<std::uint32_t>& members = members_[index];
        std::ranges::stable_sort(members, {}, [&](std::uint32_t i) { return *tasks_[i].begin(); });
        std::vector<clock::time_point> free(
            places_[index].hardware.slots);  // a heap: earliest first
        for (const std::uint32_t i : members) {
            std::ranges::pop_heap(free, std::ranges::greater{});
            const trace::task& of = tasks_[i];
            begins_[i] =
                of.started ? *of.started : std::min(std::max(*of.selected, free.back()), *of.ended);
            free.back() = std::max(free.back(), *of.ended);
            std::ranges::push_heap(free, std::ranges::greater{});
        }
    }

    const std::vector<trace::task>& tasks_;
    const recorded_threads& threads_;
    std::unordered_map<std::uint32_t, std::size_t> indices_;  // by the number of the name
    std::vector<place> places_;
    std::vector<std::vector<std::uint32_t>> members_;  // complete tasks by place
    std::vector<clock::time_point> begins_;
};

}  // namespace pointsman::replay::detail
