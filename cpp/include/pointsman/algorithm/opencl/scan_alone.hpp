// SPDX-License-Identifier: Apache-2.0
// A scan for devices whose work items work alone, as on CPUs: each scans its own part.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <tuple>

#include "pointsman/algorithm/detail/scan_kind.hpp"
#include "pointsman/algorithm/opencl/computed_values.hpp"
#include "pointsman/algorithm/opencl/kernels.hpp"
#include "pointsman/algorithm/opencl/launch.hpp"
#include "pointsman/algorithm/opencl/parts.hpp"

namespace pointsman::detail {

/// The macros that both kinds of scan kernels need.
template <class T, device_function F, device_function G, class In, class Out>
[[nodiscard]] std::string scan_types_and_functions() {
    static_assert(
        alike<T, Out>,
        "a scan of tuples writes tuples of the type that it folds: zip iterators over the "
        "types of the fields");
    const std::string value = call_of<called_t<G, In>>("pointsman_x");
    return definitions({{"in_t", opencl_type<In>()},
                        {"sum_t", opencl_type<T>()},
                        {"out_t", opencl_type<Out>()},
                        {"COMBINE", name_of<fold_t<F, T>>()},
                        {"TRANSFORM(pointsman_x)", device_row<T> ? returned_as_text<T, G, In>(value)
                                                                 : "((sum_t)" + value + ")"}});
}

/// The text of a scan whose macros are those above and `others`.
template <class T, device_function F, device_function G, class In, class Out>
[[nodiscard]] std::string scan_program(const std::string& others, const char* kernel) {
    return program_text({fold_t<F, T>::opencl_source(), called_t<G, In>::opencl_source()},
                        scan_types_and_functions<T, F, G, In, Out>() + others + kernel);
}

template <class T, device_function F, device_function G, class In, class Out>
[[nodiscard]] std::string scan_text_alone(scan_kind kind) {
    return scan_program<T, F, G, In, Out>(
        definitions({{"IS_EXCLUSIVE", kind == scan_kind::exclusive ? "1" : "0"}}),
        kernels::scan_alone);
}

/// Enqueues the scan of `G` of the `count` values at `from`, at least one, to `to`: see `scan_on_device`.
template <class T, device_function F, device_function G, device_iterator In, device_iterator Out>
void scan_alone(const opencl::queue& where, const std::tuple<computed_values<In>>& from,
                std::size_t count, const computed_values<Out>& to, const std::optional<T>& initial,
                scan_kind kind) {
    static text_cache<scan_kind> texts;
    const std::string& text = texts.get(
        kind, [&] { return scan_text_alone<T, F, G, iterated_t<In>, iterated_t<Out>>(kind); });
    const item_parts parts = parts_of(where, count, 1);
    constexpr std::size_t runs = 2;
    const opencl::pooled_buffer scratch = where.take_buffer(parts.count * runs * sizeof(T));
    const cl::Buffer& folds = scratch.handle();
    const cl_ulong n = count;
    launch_items(where, text, "fold_parts", parts.count,
                 arguments_of(from, {n, parts.size, folds}));
    const T begin = initial.value_or(T{});
    const cl_int has_initial = initial ? 1 : 0;
    launch_items(
        where, text, "scan_parts", parts.count,
        arguments_of(from, {n, parts.size, folds, begin, has_initial, to.memory(), to.offset()}));
}

}  // namespace pointsman::detail
