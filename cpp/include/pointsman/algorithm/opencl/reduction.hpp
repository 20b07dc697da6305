// SPDX-License-Identifier: Apache-2.0
// Folds values on a device: a typed interface to the engine's reduction.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "pointsman/algorithm/opencl/engine/reduction.hpp"
#include "pointsman/algorithm/opencl/fused_values.hpp"
#include "pointsman/algorithm/opencl/typed.hpp"
#include "pointsman/error.hpp"
#include "pointsman/resource/opencl/event.hpp"

namespace pointsman::detail {

/// The kernel that folds `G` of the values of `Ins` by `F` to partial results for a `T`.
template <device_function F, device_function G, class T, device_iterator... Ins>
[[nodiscard]] const engine::reduction& reduction_of() {
    using combine = fold_t<F, computed_t<T>>;
    const std::string type{opencl_type<T>()};
    const auto folded_values = [] {
        engine::expression values = expression_as<T, G, iterated_t<Ins>...>();
        values.more_functions.push_back(combine::opencl_source());
        return fused<fused_values<Ins>...>(std::move(values));
    };
    static const engine::reduction kernel{
        folded_values(),
        {combine::opencl_source(), name_of<combine>(), type, type, device_number<T>}};
    return kernel;
}

/// Returns the fold by `F` of `initial` and `G` of the values at each of `count` indices, at least one.
/// Values of half precision are folded as `float`, and the result is rounded once.
template <device_function F, device_function G, class T, device_iterator... Ins>
T reduce_on_device(const opencl::queue& where, std::size_t count, const T& initial, Ins... inputs) {
    using folded = computed_t<T>;
    return opencl::detail::translated([&] {
        const std::tuple<fused_values<Ins>...> from{fused_values<Ins>{where, inputs, count}...};
        const folded all = reduction_of<F, G, T, Ins...>().template fold<folded>(
            where, arrays_of(from), count, F{});
        return static_cast<T>(F{}(static_cast<folded>(initial), all));
    });
}

/// A fold that a device has started.
template <class F, class T>
struct started_reduction {
    T initial;
    std::vector<computed_t<T>> partials;
    opencl::event done;

    explicit started_reduction(const T& first) : initial{first} {}
    started_reduction(const started_reduction&) = delete;
    started_reduction& operator=(const started_reduction&) = delete;
    /// The device may still write to `partials`.
    ~started_reduction() {
        if (!done.is_ready()) {  // a callback of the driver must not even ask it to wait
            try {
                done.wait();
            } catch (const error&) {  // `wait` and `get` of the value throw it
            }
        }
    }

    [[nodiscard]] T result() const {
        using folded = computed_t<T>;
        if (partials.empty()) {
            return initial;
        }
        const folded all = engine::reduction::fold_partials<folded>(partials, F{});
        return static_cast<T>(F{}(static_cast<folded>(initial), all));
    }
};

/// Starts what `reduce_on_device` does.
template <device_function F, device_function G, class T, device_iterator... Ins>
[[nodiscard]] std::shared_ptr<const started_reduction<F, T>> start_reduction(
    const opencl::queue& where, std::size_t count, const T& initial, Ins... inputs) {
    const auto started = std::make_shared<started_reduction<F, T>>(initial);
    if (count == 0) {
        started->done = where.mark();
    } else {
        opencl::detail::translated([&] {
            const std::tuple<fused_values<Ins>...> from{fused_values<Ins>{where, inputs, count}...};
            started->done = reduction_of<F, G, T, Ins...>().start(where, arrays_of(from), count,
                                                                  started->partials);
        });
    }
    return started;
}

}  // namespace pointsman::detail
