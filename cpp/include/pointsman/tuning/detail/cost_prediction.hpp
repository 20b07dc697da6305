// SPDX-License-Identifier: Apache-2.0
// Predicts a task's cost on a resource from its own timings, or else from those of other sizes.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>

#include "pointsman/tuning/detail/cost_kind.hpp"

namespace pointsman::detail {

/// How much the logarithm of the cost is expected to rise with the binary logarithm of the size: between
/// that of a constant cost, 0, and of a proportional one, 0.69.
inline constexpr double cost_slope = 0.4;

/// Returns the index of the resource of `kind` whose cost is known best, to which others are compared.
[[nodiscard]] inline std::size_t best_known(const cost_kind& kind) noexcept {
    const auto error = [](const cost_cell& each) { return each.own.error; };
    return static_cast<std::size_t>(std::ranges::min_element(kind.cells, {}, error) -
                                    kind.cells.begin());
}

/// From what `neighbour`, a kind of the same callable, has on `index`: by the ratio to `reference`, a
/// resource that both have, or along a line of the usual slope, whichever is more certain.
[[nodiscard]] inline cost_prediction cost_from_neighbour(const cost_kind& of,
                                                         const cost_kind& neighbour,
                                                         std::size_t index,
                                                         std::size_t reference) noexcept {
    // Standard errors: at no distance, and for each doubling of the size.
    constexpr double line_error = 0.2;
    constexpr double line_error_each = 0.4;
    constexpr double ratio_error = 0.1;
    constexpr double ratio_error_each = 0.12;
    constexpr double ratio_reach = 13;  // doublings; beyond, what one has to start up is outgrown
    const auto square = [](double x) { return x * x; };

    const cost_prediction& there = neighbour.cells[index].own;
    const double distance = of.size - neighbour.size;
    const double doublings = std::abs(distance);
    cost_prediction found{
        there.value + cost_slope * distance,
        std::sqrt(square(there.error) + square(line_error + line_error_each * doublings))};
    const cost_prediction& here = of.cells[reference].own;
    const cost_prediction& reference_there = neighbour.cells[reference].own;
    if (here.is_known() && reference_there.is_known() && doublings <= ratio_reach) {
        const double error =
            std::sqrt(square(there.error) + square(here.error) + square(reference_there.error) +
                      square(ratio_error + ratio_error_each * doublings));
        if (error < found.error) {
            found = {there.value + here.value - reference_there.value, error};
        }
    }
    return found;
}

/// The cost of `of` on `index`, where it has no timing, by other sizes of the callable: no less than the cost
/// of a smaller size there, and no more than that of a larger one.
[[nodiscard]] inline cost_prediction cost_from_neighbours(const cost_kind& of,
                                                          std::size_t index) noexcept {
    std::optional<std::size_t> reference;  // found once it is needed, by a look at all resources
    cost_prediction found;
    double lowest = -std::numeric_limits<double>::infinity();
    double highest = std::numeric_limits<double>::infinity();
    for (const auto& [size, neighbour] : of.callable->by_size) {
        const cost_prediction& there = neighbour->cells[index].own;
        if (!there.is_known()) {
            continue;
        }
        if (size < of.size) {
            lowest = std::max(lowest, there.value);
        } else if (size > of.size) {
            highest = std::min(highest, there.value);
        }
        reference = reference ? reference : best_known(of);
        const auto guess = cost_from_neighbour(of, *neighbour, index, *reference);
        if (guess.error < found.error) {
            found = guess;
        }
    }
    return found.is_known() ? cost_prediction::of_logarithm(
                                  std::min(std::max(found.value, lowest), highest), found.error)
                            : found;
}

/// The cost of `of` on `index`.
[[nodiscard]] inline cost_prediction predict_cost(const cost_kind& of, std::size_t index) noexcept {
    const cost_prediction& own = of.cells[index].own;
    return own.is_known() ? own : cost_from_neighbours(of, index);
}

}  // namespace pointsman::detail
