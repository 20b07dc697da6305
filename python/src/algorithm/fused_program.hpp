// SPDX-License-Identifier: Apache-2.0
// Runs the steps of an expression block by block, so that intermediate results stay in the cache.
#pragma once

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cfenv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "algorithm/ufunc_loop.hpp"

namespace pointsman::python {

/// A value that a step reads: of an input, of an earlier step's slot, or a constant.
struct step_operand {
    enum class source { input, slot, constant };
    source from;
    std::size_t index;  ///< of the input or the slot
    std::size_t size_bytes;
    std::vector<char> constant;
};

/// One operation of a program. Its result goes to a slot that none of its operands has.
struct program_step {
    std::optional<ufunc_loop> loop;  ///< none for `where`
    std::vector<step_operand> operands;
    std::size_t slot;
    std::size_t size_bytes;  ///< of one value of the result
};

/// The operands of a step for which the processor reported an error, such as a division by zero.
struct failed_step {
    std::size_t number;
    std::vector<std::vector<char>> operands;
};

/// Writes `mask ? a : b` for each of `count` values; an operand with the stride 0 is a constant. Any byte but 0
/// is true: an array of bytes can be viewed as bool.
template <class Bits>
void select(char* const* places, const std::ptrdiff_t* strides, std::size_t count) {
    const auto* mask = places[0];
    const auto* a = reinterpret_cast<const Bits*>(places[1]);
    const auto* b = reinterpret_cast<const Bits*>(places[2]);
    auto* out = reinterpret_cast<Bits*>(places[3]);
    const auto write = [&](const auto& a_at, const auto& b_at) {
        for (std::size_t i = 0; i < count; ++i) {
            const Bits chosen = -static_cast<Bits>(mask[strides[0] == 0 ? 0 : i] != 0);
            out[i] = (a_at(i) & chosen) | (b_at(i) & ~chosen);
        }
    };
    const auto each_of = [](const Bits* values) {
        return [=](std::size_t i) { return values[i]; };
    };
    const auto always = [](const Bits* values) {
        return [value = *values](std::size_t) { return value; };
    };
    if (strides[1] != 0) {
        strides[2] != 0 ? write(each_of(a), each_of(b)) : write(each_of(a), always(b));
    } else {
        strides[2] != 0 ? write(always(a), each_of(b)) : write(always(a), always(b));
    }
}

/// The steps of an expression for inputs of given types.
/// **Thread safety**: from several threads at once.
class fused_program {
  public:
    /// `input_bytes` are the sizes of one value of each input.
    fused_program(std::vector<std::size_t> input_bytes, std::vector<program_step> steps)
        : input_bytes_{std::move(input_bytes)}, steps_{std::move(steps)} {
        std::size_t widest = *std::ranges::max_element(input_bytes_);
        for (const program_step& step : steps_) {
            slots_ = std::max(slots_, step.slot + 1);
            widest = std::max(widest, step.size_bytes);
        }
        block_ = std::bit_floor(block_bytes / widest);
    }

    static constexpr std::size_t most_operands = 3;  ///< of a step
    /// The number of values that a thread takes at a time.
    static constexpr std::size_t span_size = 65'536;
    [[nodiscard]] static constexpr std::size_t spans_of(std::size_t size) noexcept {
        return (size + span_size - 1) / span_size;
    }

    [[nodiscard]] const std::vector<std::size_t>& input_bytes() const noexcept {
        return input_bytes_;
    }
    /// The size of one result; of one value of the first input if there are no steps.
    [[nodiscard]] std::size_t result_bytes() const noexcept {
        return steps_.empty() ? input_bytes_[0] : steps_.back().size_bytes;
    }

    /// Arrays of `size` values, and what becomes of them.
    struct run {
        std::vector<const char*> inputs{};
        std::size_t size = 0;
        int reported;  ///< the errors to note, as for `std::fetestexcept`
        bool is_parallel;
        char* out =
            nullptr;  ///< where the results go; by default they are valid during `take` only
        std::vector<failed_step> failed{};

        std::vector<std::atomic<int>> noted{};
        std::mutex noting{};
    };

    /// Calls `take(span, values, count)` for each block of each span of `span_size` values; the blocks of a span come
    /// in order. **Cost**: memory for a few blocks on each thread.
    template <class Take>
    void for_each_block(run& task, const Take& take) const {
        task.noted = std::vector<std::atomic<int>>(steps_.size());
        const auto run_spans = [&](std::size_t first, std::size_t last) {
            const auto memory =
                std::make_unique_for_overwrite<char[]>(slots_ * block_bytes + alignment);
            const auto beyond = reinterpret_cast<std::uintptr_t>(memory.get()) % alignment;
            char* const slots = memory.get() + (alignment - beyond);
            std::feclearexcept(FE_ALL_EXCEPT);
            for (std::size_t span = first; span < last; ++span) {
                const std::size_t end = std::min(task.size, (span + 1) * span_size);
                for (std::size_t begin = span * span_size; begin < end; begin += block_) {
                    const std::size_t count = std::min(block_, end - begin);
                    take(span, run_block(task, slots, begin, count), count);
                }
            }
        };
        const std::size_t spans = spans_of(task.size);
        if (task.is_parallel && spans > 1) {
            tbb::parallel_for(tbb::blocked_range<std::size_t>{0, spans},
                              [&](const auto& part) { run_spans(part.begin(), part.end()); });
        } else {
            run_spans(0, spans);
        }
    }

  private:
    static constexpr std::size_t block_bytes = 65'536;  // of one operand: a few fit in the L2 cache
    static constexpr std::size_t alignment = 64;
    static constexpr std::size_t most_places = most_operands + 1;

    const char* run_block(run& task, char* slots, std::size_t begin, std::size_t count) const {
        if (steps_.empty()) {
            return task.inputs[0] + begin * input_bytes_[0];
        }
        char* result = nullptr;
        for (std::size_t number = 0; number < steps_.size(); ++number) {
            const program_step& step = steps_[number];
            std::array<char*, most_places> places{};
            std::array<std::ptrdiff_t, most_places> strides{};
            std::size_t at = 0;
            for (const step_operand& operand : step.operands) {
                const bool is_constant = operand.from == step_operand::source::constant;
                strides[at] = is_constant ? 0 : static_cast<std::ptrdiff_t>(operand.size_bytes);
                places[at++] = const_cast<char*>(place_of(operand, task, slots, begin));
            }
            const bool is_last = number + 1 == steps_.size();
            char* const out =
                is_last && task.out != nullptr ? task.out + begin * step.size_bytes : nullptr;
            // An operand that is overwritten could not be copied after an error.
            const bool is_direct = out != nullptr && std::ranges::find(places, out) == places.end();
            result = is_direct ? out : slots + step.slot * block_bytes;
            places[at] = result;
            strides[at] = static_cast<std::ptrdiff_t>(step.size_bytes);
            if (step.loop) {
                (*step.loop)(places.data(), static_cast<std::ptrdiff_t>(count), strides.data());
                if (const int raised = std::fetestexcept(task.reported); raised != 0) [[unlikely]] {
                    note(task, number, raised, places.data(), count);
                }
            } else {
                select_by_size(step.size_bytes, places.data(), strides.data(), count);
            }
            if (out != nullptr && !is_direct) {
                std::memcpy(out, result, count * step.size_bytes);
            }
        }
        return result;
    }

    static const char* place_of(const step_operand& operand, const run& task, const char* slots,
                                std::size_t begin) {
        switch (operand.from) {
            case step_operand::source::input:
                return task.inputs[operand.index] + begin * operand.size_bytes;
            case step_operand::source::slot:
                return slots + operand.index * block_bytes;
            case step_operand::source::constant:
                break;
        }
        return operand.constant.data();
    }

    static void select_by_size(std::size_t size_bytes, char* const* places,
                               const std::ptrdiff_t* strides, std::size_t count) {
        switch (size_bytes) {
            case 1:
                return select<std::uint8_t>(places, strides, count);
            case 2:
                return select<std::uint16_t>(places, strides, count);
            case 4:
                return select<std::uint32_t>(places, strides, count);
            default:
                return select<std::uint64_t>(places, strides, count);
        }
    }

    /// Copies the operands of a step that raised errors which it has not raised before.
    void note(run& task, std::size_t number, int raised, char* const* places,
              std::size_t count) const {
        std::feclearexcept(FE_ALL_EXCEPT);
        if ((raised & ~task.noted[number].fetch_or(raised)) == 0) {
            return;
        }
        failed_step failed{number, {}};
        for (const step_operand& operand : steps_[number].operands) {
            const bool is_constant = operand.from == step_operand::source::constant;
            const char* const from = places[failed.operands.size()];
            failed.operands.emplace_back(from,
                                         from + (is_constant ? 1 : count) * operand.size_bytes);
        }
        const std::lock_guard lock{task.noting};
        task.failed.push_back(std::move(failed));
    }

    std::vector<std::size_t> input_bytes_;
    std::vector<program_step> steps_;
    std::size_t slots_ = 0;
    std::size_t block_;
};

}  // namespace pointsman::python
