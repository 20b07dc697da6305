// SPDX-License-Identifier: Apache-2.0
// Calls an algorithm that takes iterators with those of ranges.
#pragma once

#include <concepts>
#include <cstddef>
#include <iterator>
#include <ranges>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include "pointsman/error.hpp"
#include "pointsman/execution/is_execution_policy.hpp"
#ifndef POINTSMAN_WITHOUT_OPENCL
#include "pointsman/resource/opencl/buffer.hpp"
#endif

namespace pointsman::detail {

template <class R>
inline constexpr bool is_buffer = false;
#ifndef POINTSMAN_WITHOUT_OPENCL
template <class T>
inline constexpr bool is_buffer<opencl::buffer<T>> = true;
#endif

/// A range with iterators that algorithms accept.
template <class R>
concept algorithm_range = is_buffer<std::remove_cvref_t<R>> ||
                          (std::ranges::forward_range<R> && std::ranges::common_range<R>);

template <algorithm_range R>
[[nodiscard]] auto begin_of(R& range) {
    if constexpr (is_buffer<std::remove_cvref_t<R>>) {
        return pointsman::begin(range);
    } else {
        return std::ranges::begin(range);
    }
}
template <algorithm_range R>
[[nodiscard]] auto end_of(R& range) {
    if constexpr (is_buffer<std::remove_cvref_t<R>>) {
        return pointsman::end(range);
    } else {
        return std::ranges::end(range);
    }
}
template <algorithm_range R>
using iterator_of = decltype(begin_of(std::declval<R&>()));

/// True if iterators of an `R` outlive it: it is an lvalue, a view such as a span, or a handle of a buffer.
template <class R>
inline constexpr bool is_borrowed =
    is_buffer<std::remove_cvref_t<R>> || std::ranges::borrowed_range<R>;

template <class Result, class It>
inline constexpr bool has_iterator = std::same_as<Result, It>;
template <class A, class B, class It>
inline constexpr bool has_iterator<std::pair<A, B>, It> =
    std::same_as<A, It> || std::same_as<B, It>;

/// What an algorithm takes besides the iterators of its first range.
enum class range_shape : unsigned char {
    one,            ///< no other range
    two,            ///< the iterators of a second range
    pairwise,       ///< perhaps an iterator over as many values, for which a range may be passed
    around_middle,  ///< an iterator between those of the range
};

/// The algorithm `Algorithm` for ranges.
template <class Algorithm, range_shape shape>
class range_algorithm {
  public:
    template <class P, algorithm_range R, class... Args>
        requires execution::is_execution_policy_v<P>
    auto operator()(const P& policy, R&& values, Args&&... args) const {
        const auto call = [&](const auto&... all) {
            static_assert(
                std::invocable<const Algorithm&, const P&, decltype(all)...>,
                "the algorithm does not take these arguments: after the policy, pass a range, "
                "and then what the algorithm for iterators takes");
            using result = std::invoke_result_t<const Algorithm&, const P&, decltype(all)...>;
            static_assert(is_borrowed<R> || !has_iterator<result, iterator_of<R>>,
                          "the result would be an iterator of a temporary range: give it a name");
            return Algorithm{}(policy, all...);
        };
        if constexpr (shape == range_shape::one) {
            return call(begin_of(values), end_of(values), args...);
        } else {
            return with_second(call, values, args...);
        }
    }

  private:
    template <class Call, class R, class Second, class... Others>
    static auto with_second(const Call& call, R& values, Second& second, const Others&... others) {
        const auto first = begin_of(values);
        const auto last = end_of(values);
        if constexpr (shape == range_shape::around_middle) {
            return call(first, second, last, others...);
        } else if constexpr (!algorithm_range<Second&>) {
            return call(first, last, second, others...);
        } else if constexpr (shape == range_shape::two) {
            return call(first, last, begin_of(second), end_of(second), others...);
        } else {
            check_length(size_of(second), size_of(values));
            return call(first, last, begin_of(second), others...);
        }
    }

    template <class R>
    static std::size_t size_of(R& range) {
        if constexpr (is_buffer<std::remove_cvref_t<R>>) {
            return range.size();
        } else {
            return static_cast<std::size_t>(std::ranges::distance(range));
        }
    }
    static void check_length(std::size_t second, std::size_t first) {
        if (second < first) {
            throw invalid_option{"the second range has " + std::to_string(second) +
                                 " values, the first " + std::to_string(first) +
                                 ": pass at least as many"};
        }
    }
};

}  // namespace pointsman::detail
