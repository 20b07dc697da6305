// SPDX-License-Identifier: Apache-2.0
// The scores and states of the resources at a choice, from its record, for explanations in any language.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "pointsman/base/written_time.hpp"
#include "pointsman/tuning/measured_record.hpp"

namespace pointsman::detail {

/// A rule that compares the outstanding submissions of its resources.
template <class Rule>
concept compares_loads = requires(const Rule& rule) {
    { rule.table().load(0) } -> std::same_as<std::uint32_t>;
};

/// A rule that records what it compared in the `measured_record` of a task.
template <class Rule>
concept records_choices = requires(const measured_record& record) {
    { Rule::explain(std::size_t{}, record) } -> std::same_as<std::string>;
};

/// The outstanding submissions of the first resources right after a choice, which they include.
using recorded_loads = std::array<std::uint32_t, measured_record::most>;

/// Copies the loads of the first resources; returns how many.
template <class Loads>
    requires requires(const Loads& of, std::size_t index) {
        { of.load(index) } -> std::convertible_to<std::uint32_t>;
        { of.size() } -> std::convertible_to<std::size_t>;
    }
std::uint32_t record_loads(const Loads& of, recorded_loads& in) noexcept {
    const auto count = static_cast<std::uint32_t>(std::min<std::size_t>(of.size(), in.size()));
    for (std::size_t i = 0; i < count; ++i) {
        in[i] = of.load(i);
    }
    return count;
}

/// What was compared of a resource, and how it was at the choice, in words.
struct choice_state {
    std::optional<double> score{};
    std::string text{};
};

[[nodiscard]] inline std::string load_state(std::uint32_t load) {
    return load == 0 ? "idle" : std::to_string(load) + " outstanding";
}

/// The states of `size` resources of a rule that compares nothing.
[[nodiscard]] inline std::vector<choice_state> states_by_nothing(
    std::span<const std::uint32_t> loads, std::size_t chosen, std::size_t size) {
    std::vector<choice_state> states(size);
    for (std::size_t i = 0; i < loads.size(); ++i) {
        states[i].text = load_state(loads[i] - (i == chosen ? 1U : 0U));
    }
    return states;
}

/// The states of `size` resources of a rule that compares loads. A load that is lower than that of the chosen
/// resource is the work of another thread between choice and record.
[[nodiscard]] inline std::vector<choice_state> states_by_load(std::span<const std::uint32_t> loads,
                                                              std::size_t chosen,
                                                              std::size_t size) {
    std::vector<choice_state> states(size, {std::nullopt, "not looked at"});
    const auto before = [&](std::size_t i) { return loads[i] - (i == chosen ? 1U : 0U); };
    for (std::size_t i = 0; i < loads.size(); ++i) {
        if (chosen < loads.size() && before(i) < before(chosen)) {
            states[i].text = "changed since the choice";
        } else {
            states[i] = {before(i), load_state(before(i))};
        }
    }
    return states;
}

/// The state of a resource of a rule that measures.
[[nodiscard]] inline choice_state measured_state(const measured_candidate& of, bool failing,
                                                 bool is_from_others) {
    const auto seconds = [](float nanoseconds) {
        return std::isfinite(nanoseconds) ? std::optional{double{nanoseconds} / 1e9} : std::nullopt;
    };
    const choice_state left_out{seconds(of.score), "left out, as it failed"};
    if (failing || !std::isfinite(of.time)) {
        return failing ? left_out : choice_state{left_out.score, "not measured yet"};
    }
    const std::string about =
        "about " + written_time(of.time) + (is_from_others ? " by other sizes" : "");
    if (!left_out.score) {
        return {std::nullopt, about + ", left out, as it would end too late"};
    }
    return {left_out.score,
            of.score == of.time ? about : about + ", weighted end " + written_time(of.score)};
}

/// The states of `size` resources of a rule that measures; the scores are seconds.
[[nodiscard]] inline std::vector<choice_state> states_by_time(const measured_record& record,
                                                              std::size_t size) {
    std::vector<choice_state> states(size, {std::nullopt, "not looked at"});
    for (std::size_t i = 0; i < std::min<std::size_t>(record.size, size); ++i) {
        const auto is_in = [i](unsigned bits) { return ((bits >> i) & 1U) != 0; };
        states[i] =
            measured_state(record.candidates[i], is_in(record.failing), is_in(record.from_others));
    }
    return states;
}

}  // namespace pointsman::detail
