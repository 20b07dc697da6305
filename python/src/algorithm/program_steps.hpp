// SPDX-License-Identifier: Apache-2.0
// The steps of an expression's program: where their results lie, and which of them one loop can do.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "algorithm/native_loop.hpp"
#include "algorithm/ufunc_loop.hpp"

namespace pointsman::python {

/// A value that a step reads.
struct step_operand {
    enum class source { input, result, constant };
    source from;
    std::size_t index;  ///< of the input, of the step with this result or of the repeated constant
    std::size_t size_bytes;
    std::vector<char> constant;
};

/// Whether a step is the `maximum` or `minimum` of a value and a bound, a constant that is no NaN, and which of the two
/// it returns where they are equal, as zeros of both signs are. The bound is the step's second operand, and only `native`
/// has a loop for it.
enum class bounding : unsigned { none = 0, to_value = 1, to_bound = 2, to_either = 3 };

/// What two steps that bound one value after the other can both do.
[[nodiscard]] constexpr bounding common(bounding a, bounding b) noexcept {
    return bounding{static_cast<unsigned>(a) & static_cast<unsigned>(b)};
}

/// Returns true if a loop may return the value where it equals the bound, for which processors have one instruction.
[[nodiscard]] constexpr bool returns_value(bounding bounds) noexcept {
    return common(bounds, bounding::to_value) != bounding::none;
}

/// One operation of a program.
struct program_step {
    std::string name;                ///< of NumPy's function; empty for `where`
    std::string types;               ///< that the function reads and returns, such as "ff->f"
    native_loop native = nullptr;    ///< null if only NumPy has a loop
    counting_loop counts = nullptr;  ///< of results that are true; null if there is none
    std::optional<ufunc_loop> loop;  ///< NumPy's; none for `where`
    bool chooses = false;  ///< one of two operands by a comparison, which only `native` does
    bounding bounds = bounding::none;
    bool may_fail = true;  ///< what the processor reports is an error
    std::vector<step_operand> operands;
    std::size_t size_bytes = 0;  ///< of one value of the result
    std::size_t slot = 0;        ///< where the result lies: none of the operands has the same
};
using program_steps = std::vector<program_step>;

/// For each step, how many operands are its result; the last one counts as read once more.
[[nodiscard]] inline std::vector<std::size_t> reads_of_results(const program_steps& steps) {
    std::vector<std::size_t> reads(steps.size());
    for (const program_step& step : steps) {
        for (const step_operand& operand : step.operands) {
            if (operand.from == step_operand::source::result) {
                ++reads[operand.index];
            }
        }
    }
    ++reads.back();
    return reads;
}

/// Gives each result a slot up to the last step that reads it; the last result keeps its own. Returns how many slots
/// there are.
[[nodiscard]] inline std::size_t assign_slots(program_steps& steps) {
    std::vector<std::size_t> last_read(steps.size());
    for (std::size_t number = 0; number < steps.size(); ++number) {
        for (const step_operand& operand : steps[number].operands) {
            if (operand.from == step_operand::source::result) {
                last_read[operand.index] = number;
            }
        }
    }
    last_read.back() = std::numeric_limits<std::size_t>::max();
    std::vector<std::size_t> taken_until;
    for (std::size_t number = 0; number < steps.size(); ++number) {
        const auto free = std::ranges::find_if(
            taken_until, [number](std::size_t until) { return until < number; });
        steps[number].slot = static_cast<std::size_t>(free - taken_until.begin());
        if (free == taken_until.end()) {
            taken_until.push_back(last_read[number]);
        } else {
            *free = last_read[number];
        }
    }
    return taken_until.size();
}

/// Turns `x > y ? a : b` into `y < x ? a : b`, and `x != y ? a : b` into `x == y ? b : a`, which choose the same.
inline void turn_comparison(program_step& step) {
    if (step.chooses && step.name.starts_with("greater")) {
        step.name.replace(0, std::string_view{"greater"}.size(), "less");
        std::swap(step.operands[0], step.operands[1]);
    } else if (step.chooses && step.name == "not_equal") {
        step.name = "equal";
        std::swap(step.operands[2], step.operands[3]);
    }
}

/// What becomes of a step when steps are joined.
enum class joining { none, does_others, done_by_another };

/// Removes the steps that others do.
[[nodiscard]] inline program_steps without_done(program_steps steps,
                                                const std::vector<joining>& roles) {
    std::vector<std::size_t> new_numbers(steps.size());
    program_steps left;
    for (std::size_t number = 0; number < steps.size(); ++number) {
        new_numbers[number] = left.size();
        if (roles[number] != joining::done_by_another) {
            for (step_operand& operand : steps[number].operands) {
                if (operand.from == step_operand::source::result) {
                    operand.index = new_numbers[operand.index];
                }
            }
            left.push_back(std::move(steps[number]));
        }
    }
    return left;
}

/// Removes steps that another one, the only one that reads their results, can do in its own loop.
[[nodiscard]] inline program_steps joined(program_steps steps) {
    const std::vector<std::size_t> reads = reads_of_results(steps);
    std::vector<joining> roles(steps.size(), joining::none);
    const auto can_be_done_by = [&](const program_step& outer, const step_operand& operand,
                                    std::size_t place) {
        if (operand.from != step_operand::source::result || reads[operand.index] != 1 ||
            roles[operand.index] != joining::none) {
            return false;
        }
        const program_step& inner = steps[operand.index];
        if (outer.bounds != bounding::none) {
            return place == 0 && common(outer.bounds, inner.bounds) != bounding::none &&
                   inner.name != outer.name;
        }
        return can_be_joined(inner.name, inner.types) && inner.types.front() == outer.types.front();
    };
    for (std::size_t number = 0; number < steps.size(); ++number) {
        program_step outer = steps[number];
        const std::size_t first = outer.chooses ? 2 : 0;  // after what is compared
        if (outer.operands.size() != first + 2) {
            continue;
        }
        turn_comparison(outer);
        std::array<std::string_view, 2> names;
        for (std::size_t i = 0; i < names.size(); ++i) {
            if (const step_operand& operand = outer.operands[first + i];
                can_be_done_by(outer, operand, i)) {
                names[i] = steps[operand.index].name;
            }
        }
        if (outer.bounds != bounding::none) {
            outer.native =
                names[0].empty()
                    ? nullptr
                    : clipping_loop(outer.name, outer.types,
                                    returns_value(common(outer.bounds,
                                                         steps[outer.operands[0].index].bounds)));
        } else {
            outer.native = outer.chooses
                               ? joined_comparing_loop(outer.name, outer.types, names[0], names[1])
                               : joined_loop(outer.name, outer.types, names[0], names[1]);
        }
        if (outer.native == nullptr) {
            continue;
        }
        roles[number] = joining::does_others;
        const auto given = std::exchange(outer.operands, {});
        for (std::size_t i = 0; i < given.size(); ++i) {
            if (i < first || names[i - first].empty()) {
                outer.operands.push_back(given[i]);
            } else {
                const auto& read = steps[given[i].index].operands;
                outer.operands.insert(outer.operands.end(), read.begin(), read.end());
                roles[given[i].index] = joining::done_by_another;
            }
        }
        steps[number] = std::move(outer);
    }
    return without_done(std::move(steps), roles);
}

}  // namespace pointsman::python
