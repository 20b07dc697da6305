// SPDX-License-Identifier: Apache-2.0
// Sorts NumPy arrays in place, without the GIL.
#include "pointsman/algorithm/sort.hpp"

#include <bit>
#include <cstdint>
#include <optional>
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

template <class T>
using bits_of = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;

/// Whether one of `values` is a zero or NaN.
template <class T>
struct any_zero_or_nan {
    [[gnu::always_inline]] static bool run(std::span<const T> values) noexcept {
        bits_of<T> found = 0;  // of the width of the values, as comparisons of vectors are
#pragma GCC unroll 4           // takes half of the time
        for (const T& each : values) {
            found |= __builtin_islessgreater(each, T{0}) != 0 ? bits_of<T>{0} : ~bits_of<T>{0};
        }
        return found != 0;
    }
};

/// Whether one of `values` is a negative zero or NaN.
template <class T>
struct any_negative_zero_or_nan {
    [[gnu::always_inline]] static bool run(std::span<const T> values) noexcept {
        bits_of<T> found = 0;
        for (const T& each : values) {
            const bool is_negative_zero =
                std::bit_cast<bits_of<T>>(each) == std::bit_cast<bits_of<T>>(-T{0});
            found |= is_negative_zero || each != each ? ~bits_of<T>{0} : bits_of<T>{0};
        }
        return found != 0;
    }
};

/// NumPy's sort in vector registers replaces zeros by those of the other sign and, before NumPy 2.5, NaN by other NaN.
/// Most arrays have neither zeros nor NaN, which one comparison per value finds.
bool has_one_order(const py::array& array) {
    const auto ask = [&]<class T>(std::span<const T> values) {
        std::optional<gil_released> others_may_run;
        if (values.size() > 8192) {  // takes longer than to hand the GIL over
            others_may_run.emplace();
        }
        return !loop_for_processor<any_zero_or_nan<T>, std::span<const T>>()(values) ||
               !loop_for_processor<any_negative_zero_or_nan<T>, std::span<const T>>()(values);
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

Return True if ``array``, of float32 or float64, has neither negative zeros nor NaN, whose order a sort by
NumPy leaves open and whose bits it may change.)");
}

}  // namespace pointsman::python
