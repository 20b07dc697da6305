// SPDX-License-Identifier: Apache-2.0
// Registers Program: expressions over NumPy arrays, without the GIL and without intermediate arrays.
#include "algorithm/fused_program.hpp"

#include <atomic>
#include <cstddef>
#include <cstring>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "algorithm/numbers.hpp"
#include "algorithm/program_call.hpp"
#include "algorithm/registers.hpp"
#include "algorithm/reported_errors.hpp"
#include "algorithm/set_bytes.hpp"
#include "algorithm/wide_registers.hpp"

namespace pointsman::python {
namespace {

/// **Throws**: `TypeError`, `ValueError`.
step_operand operand_of(const py::handle& given) {
    if (py::isinstance<py::bytes>(given)) {
        const auto text = given.cast<std::string>();
        return {step_operand::source::constant, 0, text.size(), {text.begin(), text.end()}};
    }
    const auto [is_input, index, size_bytes] =
        given.cast<std::tuple<bool, std::size_t, std::size_t>>();
    return {is_input ? step_operand::source::input : step_operand::source::result,
            index,
            size_bytes,
            {}};
}

/// Returns `ask(x)` for a constant x of NumPy's type `character` if that is float32 or float64, and `ask(1.0)` for all
/// other types.
template <class Ask>
bool ask_constant(const std::vector<char>& constant, char character, const Ask& ask) {
    const auto asked_as = [&]<class T>(T value) {
        std::memcpy(&value, constant.data(), sizeof value);
        return ask(value);
    };
    return character == 'f' ? asked_as(float{}) : character == 'd' ? asked_as(double{}) : ask(1.0);
}

/// Uses a loop of this module for a `maximum` or `minimum` of a value and a constant, if there is one, and moves the
/// constant to the second place.
void bound(program_step& step) {
    if (step.operands.size() != 2) {
        return;
    }
    const char type = step.types.front();
    const auto is_bound = [&](const step_operand& operand) {
        return operand.from == step_operand::source::constant &&
               ask_constant(operand.constant, type, [](auto x) { return x == x; });
    };
    const bool is_first = is_bound(step.operands[0]);
    if (is_first == is_bound(step.operands[1])) {
        return;
    }
    const bool is_zero =
        ask_constant(step.operands[is_first ? 0 : 1].constant, type, [](auto x) { return x == 0; });
    // Of equal zeros, NumPy returns its second operand.
    const bounding bounds = !is_zero   ? bounding::to_either
                            : is_first ? bounding::to_value
                                       : bounding::to_bound;
    const native_loop loop = bounding_loop(step.name, step.types, returns_value(bounds));
    if (loop == nullptr) {
        return;
    }
    step.native = loop;
    step.bounds = bounds;
    step.may_fail = false;
    if (is_first) {
        std::swap(step.operands[0], step.operands[1]);
    }
}

fused_program make_program(std::vector<std::size_t> input_bytes, const py::list& steps,
                           bool is_exact) {
    program_steps made;
    for (const py::handle each : steps) {
        const auto [function, index, operands, size_bytes] =
            each.cast<std::tuple<py::object, std::size_t, py::list, std::size_t>>();
        program_step step;
        step.size_bytes = size_bytes;
        if (function.is_none()) {
            step.native = selecting_loop(size_bytes);
            step.may_fail = false;
        } else {
            step.name = function.attr("__name__").cast<std::string>();
            step.types = function.attr("types")[py::int_{index}].cast<std::string>();
            step.chooses = operands.size() > step.types.find("->");
            step.native = step.chooses ? comparing_loop(step.name, step.types)
                                       : native_loop_of(step.name, step.types);
            if (step.chooses && step.native == nullptr) {
                throw py::value_error{"there is no loop that chooses by " + step.name + " of " +
                                      step.types};
            }
            if (is_exact && !step.chooses) {
                step.native = nullptr;
            }
            step.may_fail = step.native == nullptr || step.types.back() != '?';
            if (step.native != nullptr && !step.chooses) {
                step.counts = counting_loop_of(step.name, step.types);
            }
            step.loop.emplace(function, index);
        }
        if (operands.size() > fused_program::most_operands) {
            throw py::value_error{"a step has " + std::to_string(operands.size()) +
                                  " operands: pass at most 4"};
        }
        for (const py::handle operand : operands) {
            step.operands.push_back(operand_of(operand));
            const step_operand& read = step.operands.back();
            if (read.from == step_operand::source::result && read.index >= made.size()) {
                throw py::value_error{"step " + std::to_string(made.size()) +
                                      " reads the result of step " + std::to_string(read.index) +
                                      ": pass the steps in their order"};
            }
        }
        if (!is_exact) {
            bound(step);
        }
        made.push_back(std::move(step));
    }
    return fused_program{std::move(input_bytes), std::move(made)};
}

/// Sets `value` to `other` if that is less.
void store_min(std::atomic<std::size_t>& value, std::size_t other) noexcept {
    for (std::size_t now = value; other < now && !value.compare_exchange_weak(now, other);) {
    }
}

std::optional<failures> transform(const fused_program& program, const arrays& inputs,
                                  const py::array& out, bool is_parallel, int reported) {
    check_steps(program);
    program_run task{.reported = reported_errors(reported), .is_parallel = is_parallel};
    if (!add_inputs(task, program, inputs) || !is_contiguous_and_aligned(out)) {
        return std::nullopt;
    }
    if (static_cast<std::size_t>(out.size()) != task.size || !out.writeable() ||
        static_cast<std::size_t>(out.itemsize()) != program.result_bytes()) {
        throw py::value_error{"out must be writable, with an element of its type for each result"};
    }
    task.out = static_cast<char*>(const_cast<void*>(out.data()));
    return finish(task, [&] { program.transform(task); });
}

/// Calls `take(begin, size, count)` for each block, `count` of whose results are true. Returns the steps that raised
/// errors, or nothing unless the inputs are contiguous and aligned. **Throws**: `ValueError` unless the results are of
/// type bool.
template <class Take>
std::optional<failures> count_in_blocks(program_run& task, const fused_program& program,
                                        const arrays& inputs, const Take& take) {
    if (!add_inputs(task, program, inputs)) {
        return std::nullopt;
    }
    if (program.result_bytes() != 1) {
        throw py::value_error{"only results of type bool can be counted or found"};
    }
    const auto counted = loop_for_processor<set_bytes, const char*, std::size_t>();
    return finish(task, [&] {
        program.fold_blocks<true>(
            task, counted,
            [&](std::size_t begin, std::size_t size, std::span<const std::size_t> counts) {
                take(begin, size, std::accumulate(counts.begin(), counts.end(), std::size_t{0}));
            });
    });
}

std::optional<std::pair<std::size_t, failures>> count(const fused_program& program,
                                                      const arrays& inputs, bool is_parallel,
                                                      int reported) {
    program_run task{.reported = reported_errors(reported), .is_parallel = is_parallel};
    std::atomic<std::size_t> all{0};
    auto failed =
        count_in_blocks(task, program, inputs,
                        [&](std::size_t, std::size_t, std::size_t of_block) { all += of_block; });
    if (!failed) {
        return std::nullopt;
    }
    return std::pair{all.load(), *std::move(failed)};
}

std::optional<std::pair<std::ptrdiff_t, failures>> find(const fused_program& program,
                                                        const arrays& inputs, bool wanted,
                                                        bool is_parallel, int reported) {
    program_run task{.reported = reported_errors(reported), .is_parallel = is_parallel};
    auto failed = count_in_blocks(task, program, inputs,
                                  [&](std::size_t begin, std::size_t size, std::size_t of_block) {
                                      if (wanted ? of_block > 0 : of_block < size) {
                                          store_min(task.end, begin);
                                      }
                                  });
    if (!failed) {
        return std::nullopt;
    }
    const std::size_t found = task.end;
    return std::pair{found < task.size ? static_cast<std::ptrdiff_t>(found) : -1,
                     *std::move(failed)};
}

}  // namespace

void register_fused_program(py::module_& m) {
    py::class_<fused_program> program{m, "Program",
                                      "The steps of an expression for inputs of given types."};
    program
        .def("transform", &transform, py::arg("inputs"), py::arg("out"), py::arg("is_parallel"),
             py::arg("reported"), R"(transform(self, inputs, out, is_parallel, reported)
--

Write the results to ``out``, which is an input or shares no memory with one. Return the steps that
raised one of the ``reported`` errors, each with operands for which it did; None, with nothing written,
unless all arrays are contiguous and aligned. These errors are a sum of 1 for a division by zero, 2 for
overflow, 4 for underflow and 8 for invalid values.)")
        .def("count", &count, py::arg("inputs"), py::arg("is_parallel"), py::arg("reported"),
             R"(count(self, inputs, is_parallel, reported)
--

Return how many results, of type bool, are True, and the steps that raised errors; None unless the
inputs are contiguous and aligned.)")
        .def("find", &find, py::arg("inputs"), py::arg("wanted"), py::arg("is_parallel"),
             py::arg("reported"), R"(find(self, inputs, wanted, is_parallel, reported)
--

Return the index at which the first block with the ``wanted`` result, True or False, begins, or -1 if
there is none, and the steps that raised errors; None unless the inputs are contiguous and aligned. A block has at most
``span_size`` values. Raise ValueError unless the results are of type bool.)")
        .def_property_readonly("is_native", &fused_program::is_native,
                               "Whether no step calls NumPy.")
        .def_property_readonly("loops", &fused_program::loops,
                               "How many loops there are, as long as no error occurs.")
        .def_property_readonly_static(
            "span_size", [](const py::object&) { return fused_program::span_size; },
            "The number of values in a span.");
    register_folds_of_program(program);
    m.def("make_program", &make_program, py::arg("input_bytes"), py::arg("steps"),
          py::arg("is_exact") = false, R"(make_program(input_bytes, steps, is_exact=False)
--

Return a ``Program`` for inputs whose values have ``input_bytes`` bytes. With ``is_exact`` NumPy's loops
compute what has other signs of NaN by those of this module.

steps: tuples of a function (None for ``where``), the number of its loop, its operands and the size of a
    value of the result. An operand is a tuple of whether it is an input, its index, or that of the
    earlier step whose result it is, and its size, or the bytes of a constant. A comparison with four
    operands chooses one of the last two, which are as wide as the first.)");
}

}  // namespace pointsman::python
