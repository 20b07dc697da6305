// SPDX-License-Identifier: Apache-2.0
// Folds, counts and finds values on a device: a typed interface to the engine's reduction.
#pragma once

#include <cstddef>
#include <string>
#include <tuple>

#include "pointsman/algorithm/opencl/engine/reduction.hpp"
#include "pointsman/algorithm/opencl/typed.hpp"

namespace pointsman::detail {

/// Returns the fold by `F` of `initial` and `G` of the values at each of `count` indices, at least one.
/// Values of half precision are folded as `float`, and the result is rounded once.
template <device_function F, device_function G, class T, device_iterator... Ins>
T reduce_on_device(const opencl::queue& where, std::size_t count, const T& initial, Ins... inputs) {
    using folded = computed_t<T>;
    return opencl::detail::translated([&] {
        const std::tuple<device_values<Ins>...> from{
            device_values<Ins>{where, inputs, count, device_values<Ins>::use::input}...};
        static const engine::reduction kernel{
            expression_of<G, iterated_t<Ins>...>(),
            {F::opencl_source(), name_of<F>(), opencl_type<T>(), opencl_type<folded>()}};
        const folded all = kernel.fold<folded>(where, arrays_of(from), count, F{});
        return static_cast<T>(F{}(static_cast<folded>(initial), all));
    });
}

/// Returns `ask(kernel, arrays)` for the engine's `Kernel` of `Predicate` and the `count` values beginning at
/// `first`, at least one.
template <class Kernel, device_function Predicate, device_iterator It, class Ask>
std::size_t search_on_device(const opencl::queue& where, std::size_t count, It first,
                             const Ask& ask) {
    return opencl::detail::translated([&] {
        const std::tuple<device_values<It>> from{
            device_values<It>{where, first, count, device_values<It>::use::input}};
        static const Kernel kernel{expression_of<Predicate, iterated_t<It>>()};
        return static_cast<std::size_t>(ask(kernel, arrays_of(from)));
    });
}

/// Returns the number of values for which `Predicate` holds.
template <device_function Predicate, device_iterator It>
std::size_t count_on_device(const opencl::queue& where, std::size_t count, It first) {
    return search_on_device<engine::counting, Predicate>(
        where, count, first,
        [&](const auto& kernel, const auto& from) { return kernel.count(where, from, count); });
}

/// Returns the first index at which `Predicate` holds, or `count` if there is none.
template <device_function Predicate, device_iterator It>
std::size_t find_on_device(const opencl::queue& where, std::size_t count, It first) {
    return search_on_device<engine::finding, Predicate>(
        where, count, first,
        [&](const auto& kernel, const auto& from) { return kernel.find(where, from, count); });
}

}  // namespace pointsman::detail
