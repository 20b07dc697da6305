// SPDX-License-Identifier: Apache-2.0
// Decides for the steps of an expression what is computed at once, and where.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <utility>
#include <vector>

#include "algorithm/program_steps.hpp"

namespace pointsman::python {

/// The steps of an expression for inputs of given types, and the parts in which values are computed.
struct program_plan {
    /// `bytes` are the sizes of one value of each input.
    program_plan(std::vector<std::size_t> bytes, program_steps all)
        : input_bytes{std::move(bytes)}, steps{std::move(all)} {
        std::size_t widest = *std::ranges::max_element(input_bytes);
        for (program_step& step : steps) {
            widest = std::max(widest, step.size_bytes);
            for (const step_operand& operand : step.operands) {
                widest = std::max(widest, operand.size_bytes);  // also of constants alone
            }
            is_native = is_native && step.native != nullptr;
        }
        for (program_step& step : steps) {
            if (!is_native && step.loop && !step.chooses && step.bounds == bounding::none) {
                step.native = nullptr;  // NumPy's loop takes a constant as one value
            }
            for (step_operand& operand : step.operands) {
                if (operand.from == step_operand::source::constant && step.native != nullptr) {
                    operand.index = repeated++;
                }
            }
        }
        if (!steps.empty()) {
            joined_steps = joined(steps);
            slots = std::max(assign_slots(steps), assign_slots(joined_steps));
            const program_step& first = joined_steps[0];
            counts_inputs = joined_steps.size() == 1 && first.counts != nullptr &&
                            std::ranges::all_of(first.operands, [](const step_operand& each) {
                                return each.from == step_operand::source::input;
                            });
        }
        block = std::bit_floor(block_bytes / widest);
        tile = is_native ? std::bit_floor(tile_bytes / widest) : block;
        slot_bytes = tile * widest;
    }

    /// Bytes of one operand: a few blocks fit in the L2 cache, a few tiles in the L1 cache.
    static constexpr std::size_t block_bytes = 65'536;
    static constexpr std::size_t tile_bytes = 2048;

    std::vector<std::size_t> input_bytes;  ///< of one value of each input
    program_steps steps;
    program_steps joined_steps;  ///< the same in fewer loops, whose errors do not tell the step
    std::size_t slots = 0;
    std::size_t repeated = 0;    ///< constants
    bool is_native = true;       ///< in all steps
    bool counts_inputs = false;  ///< one loop counts inputs alone, a block at once
    std::size_t block;           ///< values after which a thread looks for errors
    std::size_t tile;            ///< values that one loop computes
    std::size_t slot_bytes;      ///< that a tile of the widest values takes
};

}  // namespace pointsman::python
