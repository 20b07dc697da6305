// SPDX-License-Identifier: Apache-2.0
// Registers the replay of a recording, which pointsman._replay makes into Python objects.
#include "pointsman/replay/replay.hpp"

#include <pybind11/stl.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "gil.hpp"
#include "pointsman/error.hpp"
#include "pointsman/policy/provided_policies.hpp"
#include "pointsman/replay/bound.hpp"
#include "pointsman/replay/recorded_run.hpp"
#include "pointsman/replay/recording_of.hpp"
#include "rooms.hpp"

namespace pointsman::python {
namespace {

/// Name, recorded resource, ratio, slots, latency in seconds.
using place_tuple =
    std::tuple<std::string, std::string, double, std::optional<std::size_t>, std::optional<double>>;
/// Name, slots, tasks, busy seconds, utilisation.
using usage_tuple = std::tuple<std::string, std::size_t, std::size_t, double, double>;

constexpr double nanosecond = 1e-9;

std::vector<replay::recorded_place> places_of(const std::vector<place_tuple>& given) {
    std::vector<replay::recorded_place> made;
    for (const auto& [name, like, ratio, slots, latency] : given) {
        made.push_back({.name = name, .like = like, .ratio = ratio, .slots = slots});
        if (latency) {
            made.back().latency = std::chrono::duration_cast<clock::duration>(
                std::chrono::duration<double>{*latency});
        }
    }
    return made;
}

std::vector<usage_tuple> usages_of(const replay::result& made,
                                   const std::vector<replay::place>& places) {
    std::vector<usage_tuple> all;
    for (std::size_t i = 0; i < places.size(); ++i) {
        const replay::usage& each = made.places[i];
        all.emplace_back(places[i].name, places[i].hardware.slots, each.tasks,
                         each.busy * nanosecond, each.utilisation);
    }
    return all;
}

[[noreturn]] void refuse(const char* name, const py::handle& value, const char* remedy) {
    throw invalid_option{std::string{name} + " is " + py::repr(value).cast<std::string>() +
                         ": pass " + remedy};
}
template <class Value>
Value setting(const py::dict& settings, const char* name, Value otherwise) {
    if (!settings.contains(name)) {
        return otherwise;
    }
    try {
        return settings[name].cast<Value>();
    } catch (const py::cast_error&) {
        refuse(name, settings[name], "a value that the policy's constructor takes");
    }
}
tie_break ties_of(const py::dict& settings) {
    const auto name = setting<std::string>(settings, "tie_break", "rotate");
    if (name != "rotate" && name != "first") {
        refuse("tie_break", settings["tie_break"], "'rotate' or 'first'");
    }
    return name == "first" ? tie_break::first : tie_break::rotate;
}

/// Returns a rule's settings as its constructor takes them; `_replay.py` checks their names.
template <class Rule>
auto settings_of(const py::dict& given) {
    if constexpr (std::is_same_v<Rule, dynamic_load_rule>) {
        return std::tuple{setting<std::size_t>(given, "offset", 0), ties_of(given)};
    } else if constexpr (std::is_same_v<Rule, token_rule>) {
        return std::tuple{setting<std::uint32_t>(given, "tokens", 1), ties_of(given)};
    } else if constexpr (std::is_same_v<Rule, random_rule>) {
        return std::tuple{setting<std::uint64_t>(given, "seed", 0)};
    } else if constexpr (std::is_same_v<Rule, fixed_resource_rule>) {
        return std::tuple{setting<std::size_t>(given, "index", 0)};
    } else if constexpr (std::is_same_v<Rule, round_robin_rule>) {
        return std::tuple{setting<std::size_t>(given, "offset", 0)};
    } else if constexpr (std::is_same_v<Rule, weighted_round_robin_rule>) {
        return std::tuple{setting<std::vector<std::uint32_t>>(given, "weights", {})};
    } else {
        return std::tuple{learning_settings{
            std::chrono::duration<double>{setting<double>(given, "resample_time", 0)}}};
    }
}

using runner = std::function<replay::result(const replay::recorded_run&)>;

/// Returns the replay under the policy with this name. It needs no GIL.
template <template <class...> class... Policies>
runner runner_of(std::string_view name, const py::dict& settings, policy_list<Policies...>) {
    runner found;
    const auto consider = [&]<template <class...> class Policy> {
        using rule = typename Policy<int>::rule_type;
        if (name == rule::name) {
            found = [values = settings_of<rule>(settings)](const replay::recorded_run& run) {
                return std::apply(
                    [&](const auto&... each) {
                        return replay::replay<Policy>(run.work, run.places, each...);
                    },
                    values);
            };
        }
    };
    (consider.template operator()<Policies>(), ...);
    if (!found) {
        throw invalid_option{"no policy of pointsman is called '" + std::string{name} + "'"};
    }
    return found;
}

py::tuple replay_of(const trace::recording& original, const std::string& policy,
                    const std::string& shown_policy, const std::vector<place_tuple>& places,
                    const py::dict& settings) {
    const runner run = runner_of(policy, settings, provided_policies{});
    replay::recorded_run recorded;
    replay::result made;
    trace::recording replayed;
    double bound = 0;
    {
        const gil_released others_may_run;
        recorded = replay::recorded(original, places_of(places));
        made = run(recorded);
        bound = replay::makespan_bound(recorded.work, recorded.places);
        replayed = replay::recording_of(made, original, recorded.places, shown_policy);
    }
    return py::make_tuple(made.makespan * nanosecond, usages_of(made, recorded.places),
                          recorded.original.makespan * nanosecond,
                          usages_of(recorded.original, recorded.recorded_places),
                          bound * nanosecond, recorded.measured, recorded.predicted,
                          recorded.assumed, std::move(replayed));
}

}  // namespace

void register_replay(py::module_& m) {
    m.def("_replay", &replay_of, py::arg("recording"), py::arg("policy"), py::arg("shown_policy"),
          py::arg("places"), py::arg("settings"),
          "_replay(recording, policy, shown_policy, places, settings)\n--\n\n"
          "Replay a ``_Recording`` under a policy of that name.");
}

}  // namespace pointsman::python
