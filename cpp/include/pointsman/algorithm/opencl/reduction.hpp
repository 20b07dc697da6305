// SPDX-License-Identifier: Apache-2.0
// Folds values on a device: a typed interface to the engine's reduction.
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
            {F::opencl_source(), name_of<F>(), std::string{opencl_type<T>()},
             std::string{opencl_type<folded>()}}};
        const folded all = kernel.fold<folded>(where, arrays_of(from), count, F{});
        return static_cast<T>(F{}(static_cast<folded>(initial), all));
    });
}

}  // namespace pointsman::detail
