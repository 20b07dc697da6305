// SPDX-License-Identifier: Apache-2.0
// Random workloads and places for the tests of replays.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "pointsman/replay/place.hpp"
#include "pointsman/replay/workload.hpp"

namespace pointsman::testing {

/// Returns `tasks` tasks of three kinds, submitted by two threads that now and then wait; `seed` draws all else.
[[nodiscard]] inline replay::workload random_workload(std::size_t tasks, std::size_t places,
                                                      std::uint32_t seed) {
    std::mt19937 random{seed};
    const auto below = [&](std::uint32_t end) {
        return static_cast<std::uint32_t>(random() % end);
    };
    replay::workload work;
    work.kinds = {{1, 2}, {1, 260}, {2, 2}};
    work.threads.resize(2);
    std::vector<std::uint32_t> own(2);
    auto times = std::make_shared<std::vector<double>>();
    for (std::uint32_t i = 0; i < tasks; ++i) {
        work.kind_of.push_back(below(3));
        for (std::size_t place = 0; place < places; ++place) {
            times->push_back(1'000.0 + below(50'000));
        }
        if (i > 0 && below(6) == 0) {
            work.nested.push_back({i - 1, i, below(100) / 100.0});
            continue;
        }
        const auto thread = below(2);
        auto& actions = work.threads[thread];
        actions.push_back({double(below(5'000)), i, replay::action::kind::submit});
        ++own[thread];
        switch (below(12)) {
            case 0:
                actions.push_back({double(below(100)), i, replay::action::kind::wait});
                break;
            case 1:
                actions.push_back({0, own[thread], replay::action::kind::wait_for_own});
                break;
            default:
                break;
        }
    }
    work.threads[0].push_back({0, own[0], replay::action::kind::wait_for_own});
    work.time_on = [times, places](std::size_t task, std::size_t place) {
        return (*times)[task * places + place];
    };
    return work;
}

/// Returns places with one slot and with several, some of which share hardware or have a latency.
[[nodiscard]] inline std::vector<replay::place> unlike_places(std::size_t count) {
    std::vector<replay::place> made;
    for (std::size_t i = 0; i < count; ++i) {
        made.push_back(replay::place_with("place " + std::to_string(i), 1 + i % 3));
        if (i % 4 >= 2) {
            made.back().hardware = {.id = 1, .capacity = 2, .slots = 2, .threads_each = 1};
        }
        made.back().latency = clock::duration{i % 2 == 0 ? 0 : 700};
    }
    return made;
}

}  // namespace pointsman::testing
