// SPDX-License-Identifier: Apache-2.0
// Folds and searches values on a device: has the engine do it for types and functions of C++.
#pragma once

#include <cstddef>
#include <string>
#include <tuple>

#include "pointsman/algorithm/opencl/engine/reduction.hpp"
#include "pointsman/algorithm/opencl/typed.hpp"

namespace pointsman::detail {

/// `F` of `initial` and of `G` of the values at each of `count` indices, at least one. Values of half precision are
/// folded as `float`, and the result is rounded once.
template <device_function F, device_function G, class T, device_iterator... Ins>
T reduce_on_device(const opencl::queue& where, std::size_t count, const T& initial, Ins... inputs) {
    using folded = computed_t<T>;
    return opencl::detail::translated([&] {
        const std::tuple<device_values<Ins>...> from{
            device_values<Ins>{where, inputs, count, device_values<Ins>::use::input}...};
        static const engine::reduction kernel{expression_of<G, iterated_t<Ins>...>(),
                                              {F::opencl_source(), std::string{F::opencl_name()},
                                               opencl_type<T>(), opencl_type<folded>()}};
        const folded all = kernel.fold<folded>(where, arrays_of(from), count, F{});
        return static_cast<T>(F{}(static_cast<folded>(initial), all));
    });
}

/// What a kernel of the engine finds out about `Predicate` of each of `count` values, at least one, from `first` on,
/// by `ask(kernel, arrays)`.
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

/// The number of values for which `Predicate` holds.
template <device_function Predicate, device_iterator It>
std::size_t count_on_device(const opencl::queue& where, std::size_t count, It first) {
    return search_on_device<engine::counting, Predicate>(
        where, count, first,
        [&](const auto& kernel, const auto& from) { return kernel.count(where, from, count); });
}

/// The first index at which `Predicate` holds, else `count`.
template <device_function Predicate, device_iterator It>
std::size_t find_on_device(const opencl::queue& where, std::size_t count, It first) {
    return search_on_device<engine::finding, Predicate>(
        where, count, first,
        [&](const auto& kernel, const auto& from) { return kernel.find(where, from, count); });
}

}  // namespace pointsman::detail
