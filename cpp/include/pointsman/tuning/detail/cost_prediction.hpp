// SPDX-License-Identifier: Apache-2.0
// Predicts a task's cost on a resource from its own timings, or else from those of other sizes.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <limits>

#include "pointsman/tuning/detail/cost_kind.hpp"

namespace pointsman::detail {

/// How much the logarithm of the cost is expected to rise with the binary logarithm of the size: between
/// that of a constant cost, 0, and of a proportional one, 0.69.
inline constexpr double cost_slope = 0.4;

/// The logarithm of a cost, and its standard error, which is infinite while nothing is known.
struct cost_prediction {
    double value = 0;
    double error = std::numeric_limits<double>::infinity();

    [[nodiscard]] bool is_known() const noexcept { return std::isfinite(error); }
    [[nodiscard]] double cost() const noexcept { return std::exp(value); }
    /// The cost as a duration; one that is too long for the type is a century.
    [[nodiscard]] std::chrono::nanoseconds time() const noexcept {
        constexpr double century = 3.2e18;
        return std::chrono::nanoseconds{
            static_cast<std::chrono::nanoseconds::rep>(std::min(cost(), century))};
    }
};

/// From the timings of `of` itself.
[[nodiscard]] inline cost_prediction cost_from_own(const cost_kind& of,
                                                   std::size_t index) noexcept {
    const evidence& known = of.cells[index].known;
    return known.empty() ? cost_prediction{}
                         : cost_prediction{std::log(known.mean()), known.uncertainty()};
}

/// The resource of `of` whose cost is known best, to which others are compared.
struct cost_reference {
    std::size_t index = 0;
    cost_prediction cost;

    [[nodiscard]] static cost_reference of(const cost_kind& kind) noexcept {
        cost_reference best;
        for (std::size_t i = 0; i < kind.cells.size(); ++i) {
            if (const auto other = cost_from_own(kind, i); other.error < best.cost.error) {
                best = {i, other};
            }
        }
        return best;
    }
};

/// From what `neighbour`, a kind of the same callable, has on `index`: by the ratio to the reference, a
/// resource that both have, or along a line of the usual slope, whichever is more certain.
[[nodiscard]] inline cost_prediction cost_from_neighbour(const cost_kind& of,
                                                         const cost_kind& neighbour,
                                                         std::size_t index,
                                                         const cost_reference& reference) noexcept {
    // Standard errors: at no distance, and for each doubling of the size.
    constexpr double line_error = 0.2;
    constexpr double line_error_each = 0.4;
    constexpr double ratio_error = 0.1;
    constexpr double ratio_error_each = 0.12;
    const auto square = [](double x) { return x * x; };

    const cost_prediction there = cost_from_own(neighbour, index);
    const double distance = of.size - neighbour.size;
    const double doublings = std::abs(distance);
    cost_prediction found{
        there.value + cost_slope * distance,
        std::sqrt(square(there.error) + square(line_error + line_error_each * doublings))};
    const cost_prediction reference_there =
        reference.cost.is_known() ? cost_from_own(neighbour, reference.index) : cost_prediction{};
    if (reference_there.is_known()) {
        const double error = std::sqrt(square(there.error) + square(reference.cost.error) +
                                       square(reference_there.error) +
                                       square(ratio_error + ratio_error_each * doublings));
        if (error < found.error) {
            found = {there.value + reference.cost.value - reference_there.value, error};
        }
    }
    return found;
}

/// The cost of `of` on `index`. A prediction from other sizes is no less than the cost of a smaller size
/// there, and no more than that of a larger one.
[[nodiscard]] inline cost_prediction predict_cost(const cost_kind& of, std::size_t index) noexcept {
    cost_prediction found = cost_from_own(of, index);
    if (found.is_known()) {
        return found;
    }
    const auto reference = cost_reference::of(of);
    double lowest = -std::numeric_limits<double>::infinity();
    double highest = std::numeric_limits<double>::infinity();
    for (const auto& [size, neighbour] : of.callable.by_size) {
        const cost_prediction there = cost_from_own(*neighbour, index);
        if (!there.is_known()) {
            continue;
        }
        if (size < of.size) {
            lowest = std::max(lowest, there.value);
        } else if (size > of.size) {
            highest = std::min(highest, there.value);
        }
        const auto guess = cost_from_neighbour(of, *neighbour, index, reference);
        if (guess.error < found.error) {
            found = guess;
        }
    }
    found.value = std::min(std::max(found.value, lowest), highest);
    return found;
}

}  // namespace pointsman::detail
