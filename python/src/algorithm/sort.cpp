// SPDX-License-Identifier: Apache-2.0
// Sorts NumPy arrays in place, without the GIL.
#include "pointsman/algorithm/sort.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>

#include "algorithm/numbers.hpp"
#include "algorithm/registers.hpp"
#include "algorithm/wide_registers.hpp"
#include "pointsman/algorithm/reverse.hpp"

namespace pointsman::python {
namespace {

void sort(const py::array& array, bool is_parallel) {
    const std::size_t length = length_of_lines(array);
    with_values(numbers{}, array, [&](auto values) {
        under_policy(is_parallel, [&](const auto& policy) {
            on_lines(values, length,
                     [&](auto* first, auto* last) { pointsman::sort(policy, first, last); });
        });
    });
}

/// As many bits as a value of type `T` has.
template <class T>
using bits_of = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;

struct zero_or_nan {
    /// Returns 0, or ones for a zero or NaN: of the width of the value, as comparisons of vectors are.
    template <class T>
    [[gnu::always_inline]] static bits_of<T> ones_for(T value) noexcept {
        return __builtin_islessgreater(value, T{0}) != 0 ? 0 : ~bits_of<T>{0};
    }
};

struct negative_zero_or_nan {
    /// Returns 0, or ones for a negative zero or NaN.
    template <class T>
    [[gnu::always_inline]] static bits_of<T> ones_for(T value) noexcept {
        const bool is_negative_zero =
            std::bit_cast<bits_of<T>>(value) == std::bit_cast<bits_of<T>>(-T{0});
        return is_negative_zero || value != value ? ~bits_of<T>{0} : 0;
    }
};

/// Whether one of `values` is a `LookedFor`.
template <class LookedFor, class T>
struct any_of_values {
    [[gnu::always_inline]] static bool run(std::span<const T> values) noexcept {
        // Values of a cache line: loads across lines take half as long again.
        constexpr std::size_t cache_line = 64 / sizeof(T);
        const T* const first = values.data();
        const auto ones_at = [first](std::size_t i) { return LookedFor::ones_for(first[i]); };
        const std::size_t before =
            (0 - reinterpret_cast<std::uintptr_t>(first) / sizeof(T)) % cache_line;
        std::size_t i = std::min(before, values.size());
        bits_of<T> found = 0;
        for (std::size_t at = 0; at < i; ++at) {
            found |= ones_at(at);
        }
        const std::size_t quarter = (values.size() - i) / 4 / cache_line * cache_line;
        for (const std::size_t end = i + quarter; i < end; ++i) {
            // In a single chain, each OR would wait for the one before.
            found |= (ones_at(i) | ones_at(quarter + i)) |
                     (ones_at(2 * quarter + i) | ones_at(3 * quarter + i));
        }
        for (i += 3 * quarter; i < values.size(); ++i) {
            found |= ones_at(i);
        }
        return found != 0;
    }
};

template <class LookedFor, class T>
bool has_any(std::span<const T> values) noexcept {
    return loop_for_processor<any_of_values<LookedFor, T>, std::span<const T>>()(values);
}

/// NumPy's sort in vector registers replaces zeros by those of the other sign and, before NumPy 2.5, NaN by other NaN.
/// Most arrays have neither zeros nor NaN, which one comparison per value finds.
bool has_one_order(const py::array& array) {
    bool has_one = true;
    with_values(read_only(types<double, float>{}), array, [&]<class T>(std::span<const T> values) {
        const gil_released_for_many others_may_run{values.size()};
        has_one = !has_any<zero_or_nan>(values) || !has_any<negative_zero_or_nan>(values);
    });
    return has_one;
}

/// The bits of -inf, as a signed integer of as many bytes.
template <class Bits>
constexpr Bits negative_infinity = [] {
    if constexpr (sizeof(Bits) == 2) {
        return Bits{-0x400};
    } else {
        using real = std::conditional_t<sizeof(Bits) == 4, float, double>;
        return std::bit_cast<Bits>(-std::numeric_limits<real>::infinity());
    }
}();

/// Orders bits of floats, which are sorted as integers, as `sort` orders the floats. Negative ones come first in the
/// order of their magnitudes, before those of NaN.
void order_as_floats(const py::array& sorted_bits) {
    const std::size_t length = length_of_lines(sorted_bits);
    with_values(types<std::int16_t, std::int32_t, std::int64_t>{}, sorted_bits,
                [&]<class Bits>(std::span<Bits> values) {
                    const gil_released_for_many others_may_run{values.size()};
                    on_lines(values, length, [](Bits* first, Bits* last) {
                        Bits* const positive = std::lower_bound(first, last, Bits{0});
                        std::reverse(first, positive);
                        Bits* const numbers = std::find_if(first, positive, [](Bits each) {
                            return each <= negative_infinity<Bits>;
                        });
                        std::rotate(first, numbers, last);
                    });
                });
}

/// Turns the order of sorted values around, with NaN still last. If it `keeps_equals`, they stay in their order.
template <class P, class T>
void turn_around(const P& policy, T* first, T* last, bool keeps_equals) {
    T* const nan = std::partition_point(first, last, [](const T& each) { return each == each; });
    pointsman::reverse(policy, first, nan);
    if (keeps_equals) {  // only zeros and NaN can be told apart from their equals
        const auto is_positive = [](const T& each) { return T{} < each; };
        const auto is_not_negative = [](const T& each) { return !(each < T{}); };
        T* const zeros = std::partition_point(first, nan, is_positive);
        std::reverse(zeros, std::partition_point(zeros, nan, is_not_negative));
    } else {
        pointsman::reverse(policy, nan, last);
    }
}

void turn_lines_around(const py::array& sorted, bool is_parallel, bool is_stable) {
    const std::size_t length = length_of_lines(sorted);
    with_values(numbers{}, sorted, [&](auto values) {
        under_policy(is_parallel, [&](const auto& policy) {
            on_lines(values, length,
                     [&](auto* first, auto* last) { turn_around(policy, first, last, is_stable); });
        });
    });
}

}  // namespace

void register_sort(py::module_& m) {
    m.def("sort", &sort, py::arg("array"), py::arg("is_parallel"), R"(sort(array, is_parallel)
--

Sort ``array`` in place along the last axis, -0.0 before 0.0 and NaN last.)");
    m.def("has_one_order", &has_one_order, py::arg("array"), R"(has_one_order(array)
--

Return True if ``array``, of float32 or float64, has neither negative zeros nor NaN: a sort by NumPy
leaves their order open and may change their bits.)");
    m.def("order_as_floats", &order_as_floats, py::arg("sorted_bits"),
          R"(order_as_floats(sorted_bits)
--

Order bits of floats, which are sorted as signed integers along the last axis, as ``sort`` orders the floats.)");
    m.def("turn_lines_around", &turn_lines_around, py::arg("sorted"), py::arg("is_parallel"),
          py::arg("is_stable"), R"(turn_lines_around(sorted, is_parallel, is_stable)
--

Turn the order of values that are sorted along the last axis around, with NaN still last. If it ``is_stable``,
values that are equal stay in their order.)");
}

}  // namespace pointsman::python
