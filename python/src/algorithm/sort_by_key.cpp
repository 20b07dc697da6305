// SPDX-License-Identifier: Apache-2.0
// Registers sort_by_key for the three key types to which all other types can be widened.
#include "pointsman/algorithm/sort_by_key.hpp"

#include "algorithm/numbers.hpp"
#include "algorithm/registers.hpp"

namespace pointsman::python {
namespace {

void sort_by_key(const py::array& keys, const py::array& indices, bool is_parallel) {
    const auto moved = values_of<std::int64_t>(indices);
    with_values(types<std::int64_t, std::uint64_t, double>{}, keys, [&](auto values) {
        if (values.size() != moved.size()) {
            throw py::value_error{"there are " + std::to_string(values.size()) + " keys for " +
                                  std::to_string(moved.size()) + " indices: pass as many"};
        }
        under_policy(is_parallel, [&](const auto& policy) {
            pointsman::sort_by_key(policy, values.data(), values.data() + values.size(),
                                   moved.data());
        });
    });
}

}  // namespace

void register_sort_by_key(py::module_& m) {
    m.def("sort_by_key", &sort_by_key, py::arg("keys"), py::arg("indices"), py::arg("is_parallel"),
          R"(sort_by_key(keys, indices, is_parallel)
--

Sort int64, uint64 or float64 ``keys`` in place and move int64 ``indices`` along; stable, NaN last.)");
}

}  // namespace pointsman::python
