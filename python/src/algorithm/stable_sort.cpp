// SPDX-License-Identifier: Apache-2.0
// Registers stable_sort, only for floats: equal integers are indistinguishable, so sort() suffices.
#include "pointsman/algorithm/stable_sort.hpp"

#include "algorithm/numbers.hpp"
#include "algorithm/registers.hpp"

namespace pointsman::python {
namespace {

void stable_sort(const py::array& array, bool is_parallel) {
    const std::size_t length = length_of_lines(array);
    with_values(types<float, double, half_bits>{}, array, [&](auto values) {
        under_policy(is_parallel, [&](const auto& policy) {
            on_lines(values, length,
                     [&](auto* first, auto* last) { pointsman::stable_sort(policy, first, last); });
        });
    });
}

}  // namespace

void register_stable_sort(py::module_& m) {
    m.def("stable_sort", &stable_sort, py::arg("array"), py::arg("is_parallel"),
          R"(stable_sort(array, is_parallel)
--

Sort floats in place along the last axis; zeros of both signs keep their order, NaN comes last.)");
}

}  // namespace pointsman::python
