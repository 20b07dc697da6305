// SPDX-License-Identifier: Apache-2.0
// Sorts NumPy arrays in place, without the GIL.
#include "pointsman/algorithm/sort.hpp"

#include "algorithm/numbers.hpp"
#include "algorithm/registers.hpp"

namespace pointsman::python {
namespace {

void sort(const py::array& array, bool is_parallel) {
    with_values(numbers{}, array, [&](auto values) {
        under_policy(is_parallel, [&](const auto& policy) {
            on_lines(array, values,
                     [&](auto* first, auto* last) { pointsman::sort(policy, first, last); });
        });
    });
}

}  // namespace

void register_sort(py::module_& m) {
    m.def("sort", &sort, py::arg("array"), py::arg("is_parallel"), R"(sort(array, is_parallel)
--

Sort ``array`` in place along the last axis, -0.0 before 0.0 and NaN last.)");
}

}  // namespace pointsman::python
