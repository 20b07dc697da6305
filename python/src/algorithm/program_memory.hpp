// SPDX-License-Identifier: Apache-2.0
// The memory that a thread needs to compute the tiles of a program.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include "algorithm/program_plan.hpp"
#include "algorithm/program_run.hpp"

namespace pointsman::python {

inline constexpr std::size_t cache_line_bytes = 64;

/// A thread's memory for a tile of each slot and of each constant, which it repeats.
class program_memory {
  public:
    program_memory(const program_plan& plan, const program_run& task)
        : trusts{plan.is_native},
          joins{plan.is_native && plan.joined_steps.size() < plan.steps.size()},
          slot_bytes_{round_up(std::min(plan.tile, task.size) * plan.slot_bytes / plan.tile)},
          results_{plan.slots * slot_bytes_},
          constants_{results_ + slot_bytes_},
          memory_{std::make_unique_for_overwrite<char[]>(constants_ + plan.repeated * slot_bytes_ +
                                                         program_plan::tile_bytes)},
          begin_{memory_.get() + first_line(memory_.get(), task, 2 * plan.tile)} {
        for (const program_step& step : plan.steps) {
            for (const step_operand& operand : step.operands) {
                if (operand.from == step_operand::source::constant && step.native != nullptr) {
                    repeat(operand.constant, std::min(plan.tile, task.size),
                           constant(operand.index));
                }
            }
        }
    }

    bool trusts;  ///< until a block reports an error: then each tile is asked
    bool joins;   ///< until a joined loop reports an error

    [[nodiscard]] char* slot(std::size_t index) const noexcept {
        return begin_ + index * slot_bytes_;
    }
    [[nodiscard]] char* constant(std::size_t index) const noexcept {
        return begin_ + constants_ + index * slot_bytes_;
    }
    /// A tile of results that go nowhere else.
    [[nodiscard]] char* results() const noexcept { return begin_ + results_; }

  private:
    /// Writes `value` so many times to `to`; what has been written is copied, so that few calls do it.
    static void repeat(const std::vector<char>& value, std::size_t count, char* to) noexcept {
        const std::size_t size = value.size() * count;
        std::memcpy(to, value.data(), value.size());
        for (std::size_t done = value.size(); done < size;) {
            const std::size_t more = std::min(done, size - done);
            std::memcpy(to + done, to, more);
            done += more;
        }
    }
    /// How far from `memory` to begin: at a cache line, and such that no value is loaded soon after one has been
    /// stored at an address that ends in the same bits, for which a processor would wait as if it were the same; to
    /// find out takes longer for a `few` values.
    static std::size_t first_line(const char* memory, const program_run& task, std::size_t few) {
        std::size_t best = 0, most = 0;
        const std::size_t begin = cache_line_bytes - address_of(memory) % cache_line_bytes;
        if (task.size <= few) {
            return begin;
        }
        for (std::size_t at = begin; at <= program_plan::tile_bytes; at += cache_line_bytes) {
            std::size_t ahead =
                program_plan::tile_bytes;  // of what is stored, until it is loaded from there
            for (const char* const input : task.inputs) {
                ahead = std::min(ahead, (address_of(memory) + at - address_of(input)) %
                                            program_plan::tile_bytes);
            }
            if (ahead >= most) {
                best = at;
                most = ahead;
            }
        }
        return best;
    }
    static std::uintptr_t address_of(const char* memory) noexcept {
        return reinterpret_cast<std::uintptr_t>(memory);
    }
    static std::size_t round_up(std::size_t bytes) noexcept {
        return (bytes + cache_line_bytes - 1) / cache_line_bytes * cache_line_bytes;
    }

    std::size_t slot_bytes_;
    std::size_t results_;
    std::size_t constants_;
    std::unique_ptr<char[]> memory_;
    char* begin_;
};

}  // namespace pointsman::python
