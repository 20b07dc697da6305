// SPDX-License-Identifier: Apache-2.0
// Registers prefix sums, in several threads and without the GIL.
#include "algorithm/numbers.hpp"
#include "algorithm/registers.hpp"
#include "pointsman/algorithm/exclusive_scan.hpp"
#include "pointsman/algorithm/inclusive_scan.hpp"

namespace pointsman::python {
namespace {

void scan(const py::array& values, const py::array& out, const py::array& initial,
          bool is_exclusive) {
    with_values(types<float, double, std::int64_t, std::uint64_t>{}, out,
                [&]<class T>(std::span<T> results) {
                    const auto given = values_of<const T>(values),
                               first = values_of<const T>(initial);
                    if (given.size() != results.size() || first.size() != 1) {
                        throw py::value_error{
                            "pass one initial value, and an element of out for each value"};
                    }
                    const T* const end = given.data() + given.size();
                    binding::tbb_threads::use();
                    const gil_released others_may_run;
                    if (is_exclusive) {
                        pointsman::exclusive_scan(execution::par_unseq, given.data(), end,
                                                  results.data(), first[0], plus{});
                    } else {
                        pointsman::inclusive_scan(execution::par_unseq, given.data(), end,
                                                  results.data(), plus{}, first[0]);
                    }
                });
}

}  // namespace

void register_scan(py::module_& m) {
    m.def("scan", &scan, py::arg("values"), py::arg("out"), py::arg("initial"),
          py::arg("is_exclusive"), R"(scan(values, out, initial, is_exclusive)
--

Write the sums of ``initial``, an array of one value, and all values up to each index to ``out``.)");
}

}  // namespace pointsman::python
