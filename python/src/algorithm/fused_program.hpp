// SPDX-License-Identifier: Apache-2.0
// Runs the steps of an expression block by block, so that intermediate results stay in the cache.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cfenv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "algorithm/program_memory.hpp"
#include "algorithm/program_plan.hpp"
#include "algorithm/program_run.hpp"
#include "algorithm/program_steps.hpp"
#include "algorithm/streamed_copy.hpp"
#include "pointsman/binding/host_algorithm.hpp"

namespace pointsman::python {

/// The steps of an expression for inputs of given types.
/// **Thread safety**: from several threads at once.
class fused_program {
  public:
    /// `input_bytes` are the sizes of one value of each input.
    fused_program(std::vector<std::size_t> input_bytes, program_steps steps)
        : plan_{std::move(input_bytes), std::move(steps)} {}

    static constexpr std::size_t most_operands = 4;  ///< of a step that is not joined
    /// The number of values that a thread takes at a time.
    static constexpr std::size_t span_size = 16'384;
    [[nodiscard]] static constexpr std::size_t spans_of(std::size_t size) noexcept {
        return (size + span_size - 1) / span_size;
    }

    /// Returns true if no step calls NumPy.
    [[nodiscard]] bool is_native() const noexcept { return plan_.is_native; }
    /// Returns true if there are no steps: only `fold_blocks` has a meaning then.
    [[nodiscard]] bool computes_nothing() const noexcept { return plan_.steps.empty(); }
    /// How many loops there are, as long as the processor reports no error.
    [[nodiscard]] std::size_t loops() const noexcept {
        return plan_.is_native ? plan_.joined_steps.size() : plan_.steps.size();
    }
    [[nodiscard]] const std::vector<std::size_t>& input_bytes() const noexcept {
        return plan_.input_bytes;
    }
    /// The size of one result; of one value of the first input if there are no steps.
    [[nodiscard]] std::size_t result_bytes() const noexcept {
        return plan_.steps.empty() ? plan_.input_bytes[0] : plan_.steps.back().size_bytes;
    }

    [[nodiscard]] static bool uses_threads(const program_run& task) noexcept {
        return task.is_parallel && task.size > least_parallel;
    }

    /// Writes the results to `task.out`.
    void transform(program_run& task) const {
        task.overwrites_input = std::ranges::find(task.inputs, task.out) != task.inputs.end();
        task.streams = !task.overwrites_input && exceeds_cache(task.size * result_bytes());
        for_each_block(task, [&](program_memory& memory, std::size_t begin, std::size_t count) {
            write_block(task, memory, begin, count, task.out + begin * result_bytes());
        });
    }

    /// Calls `take(i, results)` with the results of each of `count` parts; `part(i)` returns the first index of that part
    /// and the one behind its last. Notes in the task if `take` raised a reported error. **Cost**: memory for the
    /// `most_of_part` results of one on each thread.
    template <class Part, class Take>
    void compute_parts(program_run& task, std::size_t count, std::size_t most_of_part,
                       const Part& part, const Take& take) const {
        task.noted = std::vector<std::atomic<int>>(plan_.steps.size());
        const auto run_parts = [&](std::size_t first, std::size_t last) {
            program_memory memory{plan_, task};
            const std::size_t size_bytes = result_bytes();
            const auto results = std::make_unique_for_overwrite<char[]>(most_of_part * size_bytes);
            std::feclearexcept(FE_ALL_EXCEPT);
            for (std::size_t i = first; i < last; ++i) {
                const std::pair<std::size_t, std::size_t> bounds = part(i);
                for (std::size_t begin = bounds.first; begin < bounds.second;
                     begin += plan_.block) {
                    write_block(task, memory, begin, std::min(plan_.block, bounds.second - begin),
                                results.get() + (begin - bounds.first) * size_bytes);
                }
                take(i, static_cast<const char*>(results.get()));
                ask_folds(task);
            }
        };
        if (uses_threads(task)) {
            binding::in_threads(count, std::max(span_size / most_of_part, std::size_t{1}),
                                run_parts);
        } else {
            run_parts(0, count);
        }
    }

    /// Calls `take(begin, count, folds)` for each block of each span of `span_size` values with the index at which it
    /// begins, its size, and what `fold(values, count)` has returned for consecutive parts of its results; the blocks of a
    /// span come in order.
    /// If it `Counts` what is true, the last step may do so instead. **Cost**: memory for a few parts on each thread.
    template <bool Counts = false, class Fold, class Take>
    void fold_blocks(program_run& task, const Fold& fold, const Take& take) const {
        for_each_block(task, [&](program_memory& memory, std::size_t begin, std::size_t count) {
            std::array<decltype(fold(nullptr, 0)),
                       program_plan::block_bytes / program_plan::tile_bytes>
                folds;
            const std::size_t parts =
                fold_block<Counts>(task, memory, begin, count, fold, folds.data());
            take(begin, count, std::span{folds.data(), parts});
            ask_folds(task);
        });
    }

    /// Folds the values of the first input, at least two, by the program, whose two inputs and results have one type:
    /// the first half with the second half, then these results and so on. Returns false if a step raised an error.
    bool fold(program_run& task, char* out) const {
        const char* values = task.inputs[0];
        std::size_t count = task.size;
        const std::size_t size_bytes = result_bytes(), most = count / 2 * size_bytes;
        const auto halves = std::make_unique_for_overwrite<char[]>(2 * most);
        char* results = halves.get();
        char* others = results + most;
        task.size = count / 2;
        task.out = results;
        task.noted = std::vector<std::atomic<int>>(plan_.steps.size());
        program_memory memory{plan_, task};
        std::feclearexcept(FE_ALL_EXCEPT);
        const auto apply = [&](const char* a, const char* b, std::size_t size) {
            task.inputs[0] = a;
            task.inputs[1] = b;
            task.out = results;
            task.overwrites_input = b == results;
            for (std::size_t begin = 0; begin < size; begin += plan_.block) {
                write_block(task, memory, begin, std::min(plan_.block, size - begin),
                            task.out + begin * size_bytes);
            }
            return task.failed.empty();
        };
        while (count > 1) {
            const std::size_t half = count / 2;
            if (!apply(values, values + (count - half) * size_bytes, half)) {
                return false;
            }
            if (count % 2 != 0 && !apply(values + half * size_bytes, results, 1)) {
                return false;
            }
            values = std::exchange(results, others);
            others = const_cast<char*>(values);
            count = half;
        }
        std::memcpy(out, values, size_bytes);
        return true;
    }

  private:
    static constexpr std::size_t least_parallel = 65'536;
    static constexpr std::size_t most_places =
        most_operands + 3;  // each of two operands may need another one; and the result
    /// Calls `work(memory, begin, count)` for each block of each span.
    template <class Work>
    void for_each_block(program_run& task, const Work& work) const {
        task.noted = std::vector<std::atomic<int>>(plan_.steps.size());
        const auto run_spans = [&](std::size_t first, std::size_t last) {
            program_memory memory{plan_, task};
            std::feclearexcept(FE_ALL_EXCEPT);
            for (std::size_t span = first; span < last; ++span) {
                const std::size_t end = std::min(task.size, (span + 1) * span_size);
                for (std::size_t begin = span * span_size; begin < end && begin < task.end;
                     begin += plan_.block) {
                    work(memory, begin, std::min(plan_.block, end - begin));
                }
            }
            end_streams();
        };
        const std::size_t spans = spans_of(task.size);
        if (uses_threads(task)) {
            binding::in_threads(spans, 1, run_spans);
        } else {
            run_spans(0, spans);
        }
    }

    /// Writes the results of a block to `out`.
    void write_block(program_run& task, program_memory& memory, std::size_t begin,
                     std::size_t count, char* out) const {
        const std::size_t size_bytes = result_bytes();
        const std::size_t first = aligning_tile(reinterpret_cast<std::uintptr_t>(out));
        const auto for_each_tile = [&](const auto& compute) {
            std::size_t size = first;
            for (std::size_t done = 0; done < count; done += std::exchange(size, plan_.tile)) {
                compute(begin + done, std::min(size, count - done), out + done * size_bytes);
            }
        };
        // To ask for errors is to wait for all operations, so a whole block does it once if its inputs are still there
        // to compute with again.
        if (memory.trusts && !task.overwrites_input) {
            for_each_tile([&](std::size_t at, std::size_t size, char* to) {
                run_tile_unasked(task, memory, at, size, to);
            });
            if (no_error(task)) [[likely]] {
                return;
            }
            memory.trusts = false;
        }
        for_each_tile([&](std::size_t at, std::size_t size, char* to) {
            run_tile(task, memory, at, size, to);
        });
    }

    /// Folds tiles of a block, or all of it if there are no steps, and returns how many folds there are.
    template <bool Counts, class Fold, class Folded>
    std::size_t fold_block(program_run& task, program_memory& memory, std::size_t begin,
                           std::size_t count, const Fold& fold, Folded* folds) const {
        if (plan_.steps.empty()) {
            folds[0] = fold(task.inputs[0] + begin * plan_.input_bytes[0], count);
            return 1;
        }
        const auto fold_tiles = [&](const auto& fold_tile) {
            std::size_t parts = 0;
            const std::size_t most =
                Counts && memory.trusts && plan_.counts_inputs ? plan_.block : plan_.tile;
            for (std::size_t done = 0; done < count; done += most) {
                folds[parts++] = fold_tile(begin + done, std::min(most, count - done));
            }
            return parts;
        };
        char* const results = memory.results();
        if (memory.trusts) {
            const std::size_t parts = fold_tiles([&](std::size_t at, std::size_t size) {
                if constexpr (Counts) {
                    if (plan_.joined_steps.back().counts != nullptr) {
                        return count_tile(task, memory, at, size);
                    }
                }
                run_tile_unasked(task, memory, at, size, results);
                return fold(results, size);
            });
            if (no_error(task)) [[likely]] {
                return parts;
            }
            memory.trusts = false;
        }
        return fold_tiles([&](std::size_t at, std::size_t size) {
            ask_folds(task);
            run_tile(task, memory, at, size, results);
            return fold(results, size);
        });
    }

    /// Returns true, or false after the processor has reported an error, which is forgotten.
    static bool no_error(const program_run& task) noexcept {
        if (std::fetestexcept(task.reported) == 0) [[likely]] {
            return true;
        }
        std::feclearexcept(FE_ALL_EXCEPT);
        return false;
    }

    /// The size of a tile after which results are aligned: stores to one cache line are faster, and NumPy's large arrays
    /// all begin at the same distance from a line.
    [[nodiscard]] std::size_t aligning_tile(std::uintptr_t out) const noexcept {
        return plan_.tile - out % cache_line_bytes / result_bytes();
    }

    /// Notes if the processor has reported an error of folds.
    static void ask_folds(program_run& task) noexcept {
        if (!no_error(task)) [[unlikely]] {
            task.folds_fail = true;
        }
    }

    /// Computes a tile of results in as few loops as possible.
    void run_tile_unasked(program_run& task, const program_memory& memory, std::size_t begin,
                          std::size_t count, char* out) const {
        char* const to = task.streams ? memory.slot(plan_.joined_steps.back().slot) : out;
        if (task.streams) {
            prefetch(task, begin, count);
        }
        run_steps<false>(plan_.joined_steps, task, memory, begin, count, to);
        move_results(task, to, out, count);
    }

    /// Copies results that were not computed in their place.
    void move_results(const program_run& task, const char* from, char* to,
                      std::size_t count) const {
        if (task.streams) {
            streamed_copy(to, from, count * result_bytes());
        } else if (from != to) {
            std::memcpy(to, from, count * result_bytes());
        }
    }

    /// Computes a tile of results, if need be again to find which steps report errors.
    void run_tile(program_run& task, program_memory& memory, std::size_t begin, std::size_t count,
                  char* out) const {
        if (task.streams) {
            prefetch(task, begin, count);
        }
        // Values that are overwritten could neither be copied after an error nor be computed with again.
        const bool copies = task.overwrites_input || task.streams;
        char* to = out;
        const auto succeeds = [&](const program_steps& steps) {
            to = copies ? memory.slot(steps.back().slot) : out;
            run_steps<false>(steps, task, memory, begin, count, to);
            return no_error(task);
        };
        memory.joins = memory.joins && succeeds(plan_.joined_steps);
        if (!memory.joins && !(plan_.is_native && succeeds(plan_.steps))) {
            to = copies ? memory.slot(plan_.steps.back().slot) : out;
            run_steps<true>(plan_.steps, task, memory, begin, count, to);
        }
        move_results(task, to, out, count);
    }

    /// Has the processor load the values of all inputs but the first while the first step waits for those.
    void prefetch(const program_run& task, std::size_t begin, std::size_t count) const noexcept {
        for (std::size_t i = 1; i < task.inputs.size(); ++i) {
            const char* const values = task.inputs[i] + begin * plan_.input_bytes[i];
            for (std::size_t at = 0; at < count * plan_.input_bytes[i]; at += cache_line_bytes) {
                __builtin_prefetch(values + at);
            }
        }
    }

    /// Counts for how many values of a tile the comparison holds that is the last step.
    [[nodiscard]] std::size_t count_tile(program_run& task, const program_memory& memory,
                                         std::size_t begin, std::size_t count) const {
        const program_step& last = plan_.joined_steps.back();
        run_steps<false>(plan_.joined_steps, task, memory, begin, count, nullptr,
                         plan_.joined_steps.size() - 1);
        return last.counts(operands_of(plan_.joined_steps, last, task, memory, begin).data(),
                           count);
    }

    /// Computes a tile of results. If it `LooksAtErrors`, it does so after each step, as NumPy's loops may clear them.
    template <bool LooksAtErrors>
    void run_steps(const program_steps& steps, program_run& task, const program_memory& memory,
                   std::size_t begin, std::size_t count, char* out) const {
        run_steps<LooksAtErrors>(steps, task, memory, begin, count, out, steps.size());
    }
    /// The same for the steps up to the one with the number `end`.
    template <bool LooksAtErrors>
    void run_steps(const program_steps& steps, program_run& task, const program_memory& memory,
                   std::size_t begin, std::size_t count, char* out, std::size_t end) const {
        for (std::size_t number = 0; number < end; ++number) {
            const program_step& step = steps[number];
            auto places = operands_of(steps, step, task, memory, begin);
            char*& result = places[step.operands.size()];
            result = number == steps.size() - 1 ? out : memory.slot(step.slot);
            if (step.native != nullptr) {
                step.native(places.data(), result, count);
            } else {
                call_numpy(step, places.data(), count);
            }
            if constexpr (LooksAtErrors) {
                if (const int raised = std::fetestexcept(task.reported); raised != 0) [[unlikely]] {
                    std::feclearexcept(FE_ALL_EXCEPT);
                    if (step.may_fail) {
                        note(task, number, raised, places.data(), count);
                    }
                }
            }
        }
    }

    /// Where the operands of a step begin, with a place for its result.
    [[nodiscard]] std::array<char*, most_places> operands_of(const program_steps& steps,
                                                             const program_step& step,
                                                             const program_run& task,
                                                             const program_memory& memory,
                                                             std::size_t begin) const {
        std::array<char*, most_places> places;
        std::size_t at = 0;
        for (const step_operand& operand : step.operands) {
            places[at++] = const_cast<char*>(
                operand.from == step_operand::source::result
                    ? memory.slot(steps[operand.index].slot)
                    : place_of(operand, step.native != nullptr, task, memory, begin));
        }
        return places;
    }

    static void call_numpy(const program_step& step, char** places, std::size_t count) {
        std::array<std::ptrdiff_t, most_places> strides{};
        std::size_t at = 0;
        for (const step_operand& operand : step.operands) {
            strides[at++] = operand.from == step_operand::source::constant
                                ? 0
                                : static_cast<std::ptrdiff_t>(operand.size_bytes);
        }
        strides[at] = static_cast<std::ptrdiff_t>(step.size_bytes);
        (*step.loop)(places, static_cast<std::ptrdiff_t>(count), strides.data());
    }

    /// Where the values of an input or constant are.
    static const char* place_of(const step_operand& operand, bool is_native,
                                const program_run& task, const program_memory& memory,
                                std::size_t begin) {
        if (operand.from == step_operand::source::input) {
            return task.inputs[operand.index] + begin * operand.size_bytes;
        }
        return is_native ? memory.constant(operand.index) : operand.constant.data();
    }

    /// Copies the operands of a step that raised errors which it has not raised before.
    void note(program_run& task, std::size_t number, int raised, char* const* places,
              std::size_t count) const {
        if ((raised & ~task.noted[number].fetch_or(raised)) == 0) {
            return;
        }
        failed_step failed{number, {}};
        for (const step_operand& operand : plan_.steps[number].operands) {
            const bool is_constant = operand.from == step_operand::source::constant;
            const char* const from = places[failed.operands.size()];
            failed.operands.emplace_back(from,
                                         from + (is_constant ? 1 : count) * operand.size_bytes);
        }
        const std::lock_guard lock{task.noting};
        task.failed.push_back(std::move(failed));
    }

    program_plan plan_;
};

}  // namespace pointsman::python
