// SPDX-License-Identifier: Apache-2.0
// Sorts NumPy arrays in place, without the GIL.
#include "pointsman/algorithm/sort.hpp"

#include <bit>
#include <cstdint>
#include <span>

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

/// `Bits` is an unsigned integer as wide as the floats.
template <class Bits, class T>
bool have_one_order(std::span<const T> values, Bits infinity) {
    constexpr Bits sign = ~(~Bits{0} >> 1);
    Bits found = 0;  // by its sign; every processor's vectors can subtract
    for (const T& each : values) {
        const Bits magnitude = std::bit_cast<Bits>(each) & ~sign;
        found |= (magnitude - 1) | (infinity - magnitude);
    }
    return (found & sign) == 0;
}

bool has_one_order(const py::array& array) {
    if (has_type<float>(array)) {
        return have_one_order<std::uint32_t>(values_of<const float>(array), 0x7f800000U);
    }
    return have_one_order<std::uint64_t>(values_of<const double>(array), 0x7ff0000000000000U);
}

}  // namespace

void register_sort(py::module_& m) {
    m.def("sort", &sort, py::arg("array"), py::arg("is_parallel"), R"(sort(array, is_parallel)
--

Sort ``array`` in place along the last axis, -0.0 before 0.0 and NaN last.)");
    m.def("has_one_order", &has_one_order, py::arg("array"), R"(has_one_order(array)
--

Return True if ``array``, of float32 or float64, has neither zeros, of both signs, nor NaN, whose order
NumPy leaves open.)");
}

}  // namespace pointsman::python
