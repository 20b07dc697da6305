// SPDX-License-Identifier: Apache-2.0
// Merges two sorted NumPy arrays into a third one, without the GIL.
#include "pointsman/algorithm/merge.hpp"

#include "algorithm/numbers.hpp"
#include "algorithm/registers.hpp"

namespace pointsman::python {
namespace {

void merge(const py::array& a, const py::array& b, const py::array& out, bool is_parallel) {
    with_values(numbers{}, out, [&]<class T>(std::span<T> results) {
        const auto first = values_of<const T>(a), second = values_of<const T>(b);
        if (results.size() != first.size() + second.size()) {
            throw py::value_error{"out has " + std::to_string(results.size()) +
                                  " elements: pass one for each of the " +
                                  std::to_string(first.size() + second.size()) + " values"};
        }
        under_policy(is_parallel, [&](const auto& policy) {
            pointsman::merge(policy, first.data(), first.data() + first.size(), second.data(),
                             second.data() + second.size(), results.data());
        });
    });
}

}  // namespace

void register_merge(py::module_& m) {
    m.def("merge", &merge, py::arg("a"), py::arg("b"), py::arg("out"), py::arg("is_parallel"),
          R"(merge(a, b, out, is_parallel)
--

Merge two sorted arrays into ``out``, of the same type and in other memory; NaN last.)");
}

}  // namespace pointsman::python
