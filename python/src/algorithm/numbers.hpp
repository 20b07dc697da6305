// SPDX-License-Identifier: Apache-2.0
// Dispatches a NumPy array to code for its C++ type and for the execution policy.
#pragma once

#include <pybind11/numpy.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <type_traits>

#include "gil.hpp"
#include "half_bits.hpp"
#include "pointsman/binding/base.hpp"
#include "pointsman/execution/host_policies.hpp"

namespace pointsman::python {

template <class... Ts>
struct types {};
template <class... Ts>
constexpr types<const Ts...> read_only(types<Ts...>) noexcept {
    return {};
}

/// The NumPy number types except complex ones. Arrays of bool are passed as bytes.
using numbers = types<std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t,
                      std::uint16_t, std::uint32_t, std::uint64_t, float, double, half_bits>;
using numbers_but_half = types<std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t,
                               std::uint16_t, std::uint32_t, std::uint64_t, float, double>;

/// Returns true if the values of `array` have type `T`. Asking NumPy takes as long as the sort of a few values.
template <class T>
[[nodiscard]] bool has_type(const py::array& array) {
    constexpr bool is_floating = std::is_floating_point_v<T> || is_half_v<T>;
    constexpr char kind = is_floating ? 'f' : std::is_signed_v<T> ? 'i' : 'u';
    const py::dtype type = array.dtype();
    return type.kind() == kind && type.itemsize() == sizeof(T) &&
           (type.byteorder() == '=' || type.byteorder() == '|');
}

/// Returns true if the values of `array` are neighbours in memory and aligned.
[[nodiscard]] inline bool is_contiguous_and_aligned(const py::array& array) {
    constexpr int flags = static_cast<int>(py::array::c_style) |
                          static_cast<int>(py::detail::npy_api::NPY_ARRAY_ALIGNED_);
    return (array.flags() & flags) == flags;
}

/// The memory of `array`. **Throws**: `TypeError` if `array` has another type, is not contiguous and aligned or, unless
/// `T` is const, is read-only.
template <class T>
[[nodiscard]] std::span<T> values_of(const py::array& array) {
    if (!has_type<std::remove_const_t<T>>(array) || !is_contiguous_and_aligned(array) ||
        (!std::is_const_v<T> && !array.writeable())) {
        throw py::type_error{
            "an array of dtype " + py::str(array.dtype()).cast<std::string>() +
            " must be contiguous, aligned, writable and of the same type as the others"};
    }
    return {static_cast<T*>(const_cast<void*>(array.data())),
            static_cast<std::size_t>(array.size())};
}

/// Calls `call(values)` with the values of `array`, which have one of the types `Ts`.
/// **Throws**: `TypeError` if they do not.
template <class... Ts, class Call>
void with_values(types<Ts...>, const py::array& array, const Call& call) {
    const auto called = [&]<class T>(types<T>) {
        if (!has_type<T>(array)) {
            return false;
        }
        call(values_of<T>(array));
        return true;
    };
    if (!(called(types<Ts>{}) || ...)) {
        throw py::type_error{"values of dtype " + py::str(array.dtype()).cast<std::string>() +
                             " are not supported here: convert them with .astype()"};
    }
}

/// The length of the lines along the last axis of `array`. Without the GIL, another thread may change its shape.
[[nodiscard]] inline std::size_t length_of_lines(const py::array& array) {
    return array.ndim() == 0 ? 1 : static_cast<std::size_t>(array.shape(array.ndim() - 1));
}

/// Calls `call(first, last)` for each line of `values`, which are `length` values each.
template <class T, class Call>
void on_lines(std::span<T> values, std::size_t length, const Call& call) {
    for (; 0 < length && length <= values.size(); values = values.subspan(length)) {
        call(values.data(), values.data() + length);
    }
}

/// Releases the GIL for a pass over `size` values, unless the pass takes less time than to hand the GIL over.
class gil_released_for_many {
  public:
    explicit gil_released_for_many(std::size_t size) {
        if (size > 8'192) {
            released_.emplace();
        }
    }

  private:
    std::optional<gil_released> released_;
};

/// Calls `call()` without the GIL.
/// **Throws**: `forked_process` if `is_parallel` in a forked child that lacks the TBB threads.
template <class Call>
void without_gil(bool is_parallel, const Call& call) {
    if (is_parallel) {
        binding::tbb_threads::use();
    }
    const gil_released others_may_run;
    call();
}

/// Calls `call(policy)` without the GIL, with `par_unseq` or `unseq`, for which `call` is compiled
/// separately. **Throws**: like `without_gil`.
template <class Call>
void under_policy(bool is_parallel, const Call& call) {
    without_gil(is_parallel, [&] {
        if (is_parallel) {
            call(execution::par_unseq);
        } else {
            call(execution::unseq);
        }
    });
}

}  // namespace pointsman::python
