// SPDX-License-Identifier: Apache-2.0
// Checks the arrays of a call of a program, and returns which of its steps failed.
#pragma once

#include <pybind11/stl.h>

#include <cstddef>
#include <string>
#include <tuple>
#include <vector>

#include "algorithm/fused_program.hpp"
#include "algorithm/numbers.hpp"
#include "pointsman/binding/host_algorithm.hpp"

namespace pointsman::python {

using arrays = std::vector<py::array>;
using failures = std::vector<std::tuple<std::size_t, std::vector<py::bytes>>>;

/// Has `task` read `inputs`, and returns true, if they are contiguous and aligned.
/// **Throws**: `ValueError` unless they fit the program.
inline bool add_inputs(program_run& task, const fused_program& program, const arrays& inputs) {
    if (inputs.size() != program.input_bytes().size()) {
        throw py::value_error{"the program has " + std::to_string(program.input_bytes().size()) +
                              " inputs: pass so many arrays"};
    }
    task.size = static_cast<std::size_t>(inputs[0].size());
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const py::array& each = inputs[i];
        if (static_cast<std::size_t>(each.itemsize()) != program.input_bytes()[i] ||
            static_cast<std::size_t>(each.size()) != task.size) {
            throw py::value_error{"inputs must be of one size and of the program's types"};
        }
        if (!is_contiguous_and_aligned(each)) {
            return false;
        }
        task.inputs.push_back(static_cast<const char*>(each.data()));
    }
    return true;
}

/// **Throws**: `ValueError` if the program has no steps.
inline void check_steps(const fused_program& program) {
    if (program.computes_nothing()) {
        throw py::value_error{"the program has no steps: use the input"};
    }
}

/// Calls `work()`, without the GIL unless it takes little time, and returns what failed.
template <class Work>
failures finish(program_run& task, const Work& work) {
    if (task.is_parallel) {
        binding::tbb_threads::use();
    }
    {
        const gil_released_for_many others_may_run{task.size};
        work();
    }
    failures failed;
    for (const failed_step& each : task.failed) {
        std::vector<py::bytes> operands;
        for (const std::vector<char>& operand : each.operands) {
            operands.emplace_back(operand.data(), operand.size());
        }
        failed.emplace_back(each.number, std::move(operands));
    }
    return failed;
}

}  // namespace pointsman::python
