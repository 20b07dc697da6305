// SPDX-License-Identifier: Apache-2.0
// Finds or counts on a device the indices at which a condition on one array or two holds.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>

#include "pointsman/algorithm/opencl/engine/reduction.hpp"
#include "pointsman/algorithm/opencl/fused_values.hpp"
#include "pointsman/algorithm/opencl/typed.hpp"

namespace pointsman::detail {

/// Returns the first index below `n` at which the expression returned by `make` is true, or `n` if there is
/// none. `constant` is the value of its `constant_value`, if it has one. Each type `Make` stands for one
/// expression, so it must be a class.
/// **Throws**: `build_error`, `cl::Error`, `opencl::error`.
template <class Make>
    requires std::is_class_v<Make>
std::size_t find_index(const opencl::queue& where, std::size_t n,
                       std::span<const engine::array> arrays, const Make& make,
                       std::span<const opencl::kernel_argument> constant = {}) {
    static const engine::finding kernel{make()};
    return n == 0 ? 0 : static_cast<std::size_t>(kernel.find(where, arrays, n, constant));
}

/// Returns the first index of the `count` values beginning at `first`, at least one, at which the expression
/// returned by `make` is true, or `count` if there is none. `make` and `constant` as for `find_index`.
template <device_iterator It, class Make>
std::size_t find_on_device(const opencl::queue& where, It first, std::size_t count,
                           const Make& make,
                           std::span<const opencl::kernel_argument> constant = {}) {
    return opencl::detail::translated([&] {
        const std::tuple<fused_values<It>> values{fused_values<It>{where, first, count}};
        return find_index(
            where, count, arrays_of(values), [&] { return fused<fused_values<It>>(make()); },
            constant);
    });
}

/// Returns at how many indices of the `count` values beginning at `first`, at least one, the expression returned
/// by `make` is true. `make` and `constant` as for `find_index`.
template <device_iterator It, class Make>
    requires std::is_class_v<Make>
std::size_t count_on_device(const opencl::queue& where, It first, std::size_t count,
                            const Make& make,
                            std::span<const opencl::kernel_argument> constant = {}) {
    return opencl::detail::translated([&] {
        const std::tuple<fused_values<It>> values{fused_values<It>{where, first, count}};
        static const engine::counting kernel{fused<fused_values<It>>(make())};
        return static_cast<std::size_t>(kernel.count(where, arrays_of(values), count, constant));
    });
}

/// Returns the first index of the `count` values beginning at `first` at which the condition whose text is
/// `text()` holds for the value `v0` and the next value `v1`, or `count` - 1 if there is none.
template <device_function F, device_iterator It, class Text>
std::size_t find_neighbours(const opencl::queue& where, It first, std::size_t count,
                            const Text& text) {
    return opencl::detail::translated([&] {
        const auto values = input_values(where, first, count);
        const engine::array arrays[] = {array_from(values), array_from(values, 1)};
        return find_index(where, count - 1, arrays, [&] {
            const engine::element type = engine::element_of<iterated_t<It>>();
            return engine::expression{F::opencl_source(), {type, type}, "", text()};
        });
    });
}

/// Returns the first of `count` indices at which the condition whose text is `text()` holds for the value
/// `v0` of the range beginning at `first` and the value `v1` of the one beginning at `second`, or `count`
/// if there is none.
template <device_function F, device_iterator It, device_iterator It2, class Text>
std::size_t find_pair(const opencl::queue& where, std::size_t count, It first, It2 second,
                      const Text& text) {
    if (count == 0) {
        return 0;
    }
    return opencl::detail::translated([&] {
        const std::tuple<fused_values<It>, fused_values<It2>> values{
            fused_values<It>{where, first, count}, fused_values<It2>{where, second, count}};
        return find_index(where, count, arrays_of(values), [&] {
            return fused<fused_values<It>, fused_values<It2>>(
                {F::opencl_source(),
                 {engine::element_of<iterated_t<It>>(), engine::element_of<iterated_t<It2>>()},
                 "",
                 text()});
        });
    });
}

/// The expression that takes the arrays `v0`, of `A`, and `v1`, of `B`, and is true if `F` holds for the
/// values at the indices `at` and `sought` for each `k` below its constant, or for some.
template <device_function F, device_value A, device_value B>
[[nodiscard]] engine::expression matches_from(const std::string& at, const std::string& sought,
                                              bool of_all) {
    using function = called_t<F, A, B>;
    return {function::opencl_source(),
            {engine::element_of<A>(), engine::element_of<B>()},
            std::string{"    int is_found = "} + (of_all ? "1" : "0") +
                ";\n    for (ulong k = 0; " + (of_all ? "" : "!") +
                "is_found && k < constant_value; ++k) {\n        is_found = " +
                call_of<function>(value_at<A>("v0", at), value_at<B>("v1", sought)) +
                " ? 1 : 0;\n    }\n",
            "is_found",
            engine::element_of<cl_ulong>(),
            true};
}

/// Where a device looks for a sequence: at each index, or at each index from the last to the first.
enum class search_order : bool { forward, backward };

/// Returns the first index in `Order` from which on `F` holds for each value of the range beginning at
/// `first` and the value of the sequence beginning at `sought`, or `count` if there is none. Both are not
/// empty.
template <device_function F, search_order Order, device_iterator It, device_iterator It2>
std::size_t find_sequence(const opencl::queue& where, It first, std::size_t count, It2 sought,
                          std::size_t sought_count) {
    if (sought_count > count) {
        return count;
    }
    return opencl::detail::translated([&] {
        const auto values = input_values(where, first, count);
        const auto sequence = input_values(where, sought, sought_count);
        const engine::array arrays[] = {array_from(values), array_from(sequence)};
        const cl_ulong length = sought_count;
        const opencl::kernel_argument constant{length};
        const std::size_t places = count - sought_count + 1;
        const std::size_t found =
            find_index(where, places, arrays,
                       [] {
                           const bool is_forward = Order == search_order::forward;
                           return matches_from<F, iterated_t<It>, iterated_t<It2>>(
                               is_forward ? "i + k" : "n - 1 - i + k", "k", true);
                       },
                       {&constant, 1});
        if (found == places) {
            return count;
        }
        return Order == search_order::forward ? found : places - 1 - found;
    });
}

/// Returns the first index of `length` consecutive values, among the `count` beginning at `first`, at which
/// `F` holds for the value and `value`, or `count` if there are none. `length` is in [1, `count`].
template <device_function F, device_iterator It, device_value T>
std::size_t find_run(const opencl::queue& where, It first, std::size_t count, std::size_t length,
                     const T& value) {
    return opencl::detail::translated([&] {
        const auto values = input_values(where, first, count);
        const in_memory_t<T> one{value};
        const auto sought = input_values(where, &one, 1);
        const engine::array arrays[] = {array_from(values), array_from(sought)};
        const cl_ulong wanted = length;
        const opencl::kernel_argument constant{wanted};
        const std::size_t places = count - length + 1;
        const std::size_t found = find_index(
            where, places, arrays,
            [] { return matches_from<F, iterated_t<It>, T>("i + k", "0", true); }, {&constant, 1});
        return found == places ? count : found;
    });
}

/// Returns the first of `count` indices at which `F` holds for the value of the range beginning at `first`
/// and one of the values beginning at `sought`, or `count` if there is none. Both are not empty.
template <device_function F, device_iterator It, device_iterator It2>
std::size_t find_any_of(const opencl::queue& where, It first, std::size_t count, It2 sought,
                        std::size_t sought_count) {
    return opencl::detail::translated([&] {
        const auto values = input_values(where, first, count);
        const auto any = input_values(where, sought, sought_count);
        const engine::array arrays[] = {array_from(values), array_from(any)};
        const cl_ulong length = sought_count;
        const opencl::kernel_argument constant{length};
        return find_index(
            where, count, arrays,
            [] { return matches_from<F, iterated_t<It>, iterated_t<It2>>("i", "k", false); },
            {&constant, 1});
    });
}

}  // namespace pointsman::detail
