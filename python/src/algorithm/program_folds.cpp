// SPDX-License-Identifier: Apache-2.0
// Registers the folds of a program's results.
#include <algorithm>
#include <cfenv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "algorithm/fused_program.hpp"
#include "algorithm/line_fold.hpp"
#include "algorithm/numbers.hpp"
#include "algorithm/program_call.hpp"
#include "algorithm/registers.hpp"
#include "algorithm/reported_errors.hpp"
#include "algorithm/ufunc_loop.hpp"
#include "algorithm/wide_registers.hpp"

namespace pointsman::python {
namespace {

/// The sum of a few values.
template <class T>
struct piece_sum {
    [[gnu::always_inline]] static T run(const T* values, std::size_t count) noexcept {
        return binding::register_sums<T>::sum(values, count);
    }
};

/// The sum of two values, in which integers wrap around.
template <class T>
[[nodiscard]] constexpr T sum_of_two(T a, T b) noexcept {
    if constexpr (std::is_integral_v<T>) {
        using wrapping = std::make_unsigned_t<T>;
        return static_cast<T>(static_cast<wrapping>(a) + static_cast<wrapping>(b));
    } else {
        return a + b;
    }
}

/// The sum of `count` values, whose rounding error grows as the logarithm of `count`. `sum_piece` adds up few.
template <class T, class SumPiece>
[[gnu::noinline]] T sum_of(SumPiece sum_piece, const T* values, std::size_t count) {
    constexpr std::size_t few = 256;
    if (count <= few) {
        return sum_piece(values, count);
    }
    const std::size_t half = (count / 2 + few - 1) / few * few;
    return sum_of_two(sum_of(sum_piece, values, half),
                      sum_of(sum_piece, values + half, count - half));
}

std::optional<std::pair<bool, failures>> sum(const fused_program& program, const arrays& inputs,
                                             const py::array& partial, bool is_parallel,
                                             int reported) {
    program_run task{.reported = reported_errors(reported), .is_parallel = is_parallel};
    if (!add_inputs(task, program, inputs)) {
        return std::nullopt;
    }
    failures failed;
    with_values(types<float, double, std::int64_t, std::uint64_t>{}, partial,
                [&]<class T>(std::span<T> sums) {
                    if (sums.size() != fused_program::spans_of(task.size) ||
                        program.result_bytes() != sizeof(T)) {
                        throw py::value_error{"pass an element of the results' type for each span"};
                    }
                    const auto sum_piece =
                        loop_for_processor<piece_sum<T>, const T*, std::size_t>();
                    const auto fold = [sum_piece](const char* results, std::size_t count) {
                        return sum_of(sum_piece, reinterpret_cast<const T*>(results), count);
                    };
                    failed = finish(task, [&] {
                        program.fold_blocks(
                            task, fold, [&](std::size_t begin, std::size_t, std::span<T> parts) {
                                const T added = sum_piece(parts.data(), parts.size());
                                T& of_span = sums[begin / fused_program::span_size];
                                of_span = sum_of_two(of_span, added);
                            });
                    });
                });
    return std::pair{!task.folds_fail.load(), std::move(failed)};
}

bool fold_to_one(const fused_program& program, const py::array& values, const py::array& out) {
    constexpr int all_errors = 15;
    check_steps(program);
    program_run task{.reported = reported_errors(all_errors), .is_parallel = false};
    if (!add_inputs(task, program, {values, values})) {
        return false;
    }
    const std::size_t size_bytes = program.result_bytes();
    if (program.input_bytes()[0] != size_bytes || task.size < 2) {
        throw py::value_error{"only two values or more can be folded, by a function of their type"};
    }
    if (out.size() != 1 || static_cast<std::size_t>(out.itemsize()) != size_bytes ||
        !out.writeable()) {
        throw py::value_error{"out must be writable, with one element of the values' type"};
    }
    const gil_released others_may_run;
    return program.fold(task, static_cast<char*>(const_cast<void*>(out.data())));
}

/// The folds of lines of a program's results, of the shape (`outer`, `length`, `inner`).
class computed_lines {
  public:
    computed_lines(const fused_program& program, program_run& task, const line_fold& fold,
                   std::size_t outer, std::size_t inner) noexcept
        : program_{program},
          task_{task},
          fold_{fold},
          size_{program.result_bytes()},
          outer_{outer},
          length_{task.size / (outer * inner)},
          inner_{inner} {}

    /// Writes the folds to `out`, of the shape (`outer`, `inner`).
    void write(char* out) const {
        const bool in_threads = fused_program::uses_threads(task_);
        const bool is_at_once = inner_ == 1 && (outer_ > 1 || !in_threads);
        if (length_ <= (is_at_once ? longest_line : rows_of_span())) {
            fold_whole_lines(out);
        } else {
            fold_spans(out, !in_threads);
        }
    }

    static constexpr std::size_t longest_line = 262'144;  ///< values that are folded at once

  private:
    static constexpr std::size_t of_part = 8'192;  // values, whose results stay in the cache
    static constexpr std::size_t least_rows = 16;  // of a span: its fold is much smaller than it

    [[nodiscard]] std::size_t rows_of_span() const noexcept {
        return std::max(of_part / inner_, least_rows);
    }

    void fold_whole_lines(char* out) const {
        const std::size_t of_line = length_ * inner_;
        const std::size_t lines = std::max(of_part / of_line, std::size_t{1});
        const auto part = [&](std::size_t i) {
            return std::pair{i * lines * of_line, std::min((i + 1) * lines, outer_) * of_line};
        };
        program_.compute_parts(
            task_, (outer_ + lines - 1) / lines, lines * of_line, part,
            [&](std::size_t i, const char* results) {
                const std::size_t end = std::min((i + 1) * lines, outer_);
                for (std::size_t at = i * lines; at < end; ++at, results += of_line * size_) {
                    fold_(results, length_, inner_, out + at * inner_ * size_, true);
                }
            });
    }

    /// Folds the spans of a line one after the other if `in_order`; otherwise each by itself, and then their folds.
    /// Where spans end depends on the shape alone.
    void fold_spans(char* out, bool in_order) const {
        const std::size_t most = rows_of_span();
        const std::size_t spans = (length_ + most - 1) / most;
        const std::size_t row_bytes = inner_ * size_;
        std::vector<char> folds(in_order ? 0 : outer_ * spans * row_bytes);
        const auto rows = [&](std::size_t i) {
            const std::size_t begin = i % spans * most;
            return std::pair{begin, std::min(begin + most, length_)};
        };
        const auto part = [&](std::size_t i) {
            const auto [begin, end] = rows(i);
            const std::size_t line = i / spans * length_;
            return std::pair{(line + begin) * inner_, (line + end) * inner_};
        };
        program_.compute_parts(
            task_, outer_ * spans, most * inner_, part, [&](std::size_t i, const char* results) {
                const auto [begin, end] = rows(i);
                char* const of_line = out + i / spans * row_bytes;
                if (in_order && begin > 0) {
                    fold_.add(results, 0, end - begin, inner_, of_line);
                } else {
                    fold_(results, end - begin, inner_,
                          in_order ? of_line : folds.data() + i * row_bytes, begin == 0);
                }
            });
        if (in_order) {
            return;
        }
        std::feclearexcept(FE_ALL_EXCEPT);
        for (std::size_t row = 0; row < outer_; ++row) {
            fold_(folds.data() + row * spans * row_bytes, spans, inner_, out + row * row_bytes,
                  false);
        }
        if (std::fetestexcept(task_.reported) != 0) {
            task_.folds_fail = true;
        }
    }

    const fused_program& program_;
    program_run& task_;
    const line_fold& fold_;
    std::size_t size_;
    std::size_t outer_;
    std::size_t length_;
    std::size_t inner_;
};

std::optional<std::pair<bool, failures>> fold_computed_lines(
    const fused_program& program, const arrays& inputs, const py::object& function,
    std::size_t index, const py::bytes& initial, const py::array& out, bool is_parallel,
    int reported, std::size_t most_at_once) {
    check_steps(program);
    program_run task{.reported = reported_errors(reported), .is_parallel = is_parallel};
    if (!add_inputs(task, program, inputs)) {
        return std::nullopt;
    }
    const auto folds = static_cast<std::size_t>(out.size());
    if (out.ndim() != 2 || folds == 0 || task.size < folds || task.size % folds != 0 ||
        static_cast<std::size_t>(out.itemsize()) != program.result_bytes() || !out.writeable() ||
        !is_contiguous_and_aligned(out)) {
        throw py::value_error{
            "out must be contiguous, of the shape (outer, inner) and of the results' type"};
    }
    const auto inner = static_cast<std::size_t>(out.shape(1));
    const line_fold fold{ufunc_loop{function, index}, program.result_bytes(), initial, inner,
                         most_at_once};
    const computed_lines lines{program, task, fold, static_cast<std::size_t>(out.shape(0)), inner};
    auto failed =
        finish(task, [&] { lines.write(static_cast<char*>(const_cast<void*>(out.data()))); });
    return std::pair{!task.folds_fail.load(), std::move(failed)};
}

}  // namespace

void register_folds_of_program(py::class_<fused_program>& program) {
    program
        .def("sum", &sum, py::arg("inputs"), py::arg("partial"), py::arg("is_parallel"),
             py::arg("reported"), R"(sum(self, inputs, partial, is_parallel, reported)
--

Add the sum of the results of each span to an element of ``partial``. Return whether no addition raised
an error, and the steps that did; None unless the inputs are contiguous and aligned.)")
        .def("fold", &fold_to_one, py::arg("values"), py::arg("out"), R"(fold(self, values, out)
--

Write the fold of ``values``, two at least, to ``out``, an array of one value: the first half is combined
with the second one and so on. Return False, with ``out`` undefined, if a step raised an error, and for
values that are not contiguous and aligned.)")
        .def(
            "fold_lines", &fold_computed_lines, py::arg("inputs"), py::arg("function"),
            py::arg("loop"), py::arg("initial"), py::arg("out"), py::arg("is_parallel"),
            py::arg("reported"), py::arg("most_at_once"),
            R"(fold_lines(self, inputs, function, loop, initial, out, is_parallel, reported, most_at_once)
--

Fold the results along the second of three axes by the loop of that number of a NumPy function, and
return whether no fold raised an error, and the steps that did; None unless the inputs are contiguous
and aligned.

initial: the bytes of what each fold begins with; empty for the first of its results.
out: for the folds, of the shape of the first and the third axis. Rows of up to ``longest_line`` results
    are folded in NumPy's order, and in one thread all lines side by side. Longer rows, and in threads a
    single row and long lines side by side, are folded in spans. Where these end depends on the shape alone.
most_at_once: the most results of a line that a call of the loop folds.)")
        .def_property_readonly_static(
            "longest_line", [](const py::object&) { return computed_lines::longest_line; },
            "The most results of a line that are folded at once.");
}

}  // namespace pointsman::python
