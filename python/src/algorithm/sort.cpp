// SPDX-License-Identifier: Apache-2.0
// Sorts NumPy arrays in place, without the GIL.
#include "pointsman/algorithm/sort.hpp"

#include <cstdint>
#include <span>
#include <type_traits>

#include "algorithm/numbers.hpp"
#include "algorithm/registers.hpp"
#include "algorithm/wide_registers.hpp"

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

/// Whether none of `values` is a zero or NaN.
template <class T>
struct values_of_one_order {
    using bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;

    [[gnu::always_inline]] static bool run(std::span<const T> values) noexcept {
        bits found = 0;  // of the width of the values, as comparisons of vectors are
        for (const T& each : values) {
            found |= __builtin_islessgreater(each, T{0}) != 0 ? bits{0} : ~bits{0};
        }
        return found == 0;
    }
};

bool has_one_order(const py::array& array) {
    const auto ask = [&]<class T>(std::span<const T> values) {
        return loop_for_processor<values_of_one_order<T>, std::span<const T>>()(values);
    };
    return has_type<float>(array) ? ask(values_of<const float>(array))
                                  : ask(values_of<const double>(array));
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
