// SPDX-License-Identifier: Apache-2.0
// Calls an algorithm that takes iterators with those of ranges.
#pragma once

#include <concepts>
#include <cstddef>
#include <iterator>
#include <ranges>
#include <string>
#include <type_traits>
#include <utility>

#include "pointsman/error.hpp"
#include "pointsman/execution/is_execution_policy.hpp"
#ifndef POINTSMAN_WITHOUT_OPENCL
#include "pointsman/resource/opencl/buffer.hpp"
#endif

namespace pointsman::detail {

/// A range with iterators that algorithms on the host accept: its end has the same type as its beginning.
template <class R>
concept host_range = std::ranges::forward_range<R> && std::ranges::common_range<R>;

template <host_range R>
[[nodiscard]] auto begin_of(R& range) {
    return std::ranges::begin(range);
}
template <host_range R>
[[nodiscard]] auto end_of(R& range) {
    return std::ranges::end(range);
}
#ifndef POINTSMAN_WITHOUT_OPENCL
template <class T>
[[nodiscard]] auto begin_of(const opencl::buffer<T>& range) {
    return pointsman::begin(range);
}
template <class T>
[[nodiscard]] auto end_of(const opencl::buffer<T>& range) {
    return pointsman::end(range);
}
#endif

/// A range of the host or a buffer.
template <class R>
concept algorithm_range = requires(R& range) {
    begin_of(range);
    end_of(range);
};

template <algorithm_range R>
using iterator_of = decltype(begin_of(std::declval<R&>()));

/// True if iterators of an `R` outlive it: it is an lvalue, a view such as a span, or a handle of a buffer.
template <class R>
inline constexpr bool is_borrowed = !host_range<R> || std::ranges::borrowed_range<R>;

template <class Result, class It>
inline constexpr bool has_iterator = std::same_as<Result, It>;
template <class A, class B, class It>
inline constexpr bool has_iterator<std::pair<A, B>, It> =
    std::same_as<A, It> || std::same_as<B, It>;

/// What an algorithm takes besides the iterators of its first range.
enum class range_shape : unsigned char {
    one,           ///< no other range
    two,           ///< the iterators of a second range
    two_returned,  ///< like `two`, and it returns an iterator of that range
    pairwise,      ///< perhaps an iterator over as many values, for which a range may be passed
    pairwise_returned,  ///< like `pairwise`, and it returns an iterator of that range
    pairwise_reduced,   ///< like `pairwise`, or an initial value and two functions
    around_middle,      ///< an iterator between those of the range
};

/// The algorithm `Algorithm` for ranges.
template <class Algorithm, range_shape Shape>
class range_algorithm {
  public:
    template <class P, algorithm_range R, class... Args>
        requires execution::is_execution_policy_v<P>
    auto operator()(const P& policy, R&& values, Args&&... args) const {
        const auto call = [&](const auto&... all) {
            static_assert(
                std::invocable<const Algorithm&, const P&, decltype(all)...>,
                "the algorithm does not take these arguments: after the policy, pass a range, "
                "and then what the algorithm for iterators takes; functions must be copyable");
            using result = std::invoke_result_t<const Algorithm&, const P&, decltype(all)...>;
            static_assert(is_borrowed<R> || !has_iterator<result, iterator_of<R>> ||
                              (std::same_as<std::decay_t<Args>, iterator_of<R>> || ...),
                          "the result would be an iterator of a temporary range: give it a name");
            return Algorithm{}(policy, all...);
        };
        if constexpr (Shape == range_shape::one) {
            return call(begin_of(values), end_of(values), std::decay_t<Args>(args)...);
        } else {
            return with_second(call, values, std::forward<Args>(args)...);
        }
    }

  private:
    template <class Call, class R, class Second, class... Others>
    static auto with_second(const Call& call, R& values, Second&& second, Others&&... others) {
        constexpr bool is_initial =
            Shape == range_shape::pairwise_reduced && sizeof...(Others) == 2;
        const auto first = begin_of(values);
        const auto last = end_of(values);
        if constexpr (Shape == range_shape::around_middle) {
            return call(first, second, last, std::decay_t<Others>(others)...);
        } else if constexpr (is_initial || !algorithm_range<Second>) {
            return call(first, last, std::decay_t<Second>(second), std::decay_t<Others>(others)...);
        } else {
            static_assert(is_borrowed<Second> || (Shape != range_shape::two_returned &&
                                                  Shape != range_shape::pairwise_returned),
                          "the result would be an iterator of a temporary range: give it a name");
            const auto second_first = begin_of(second);
            const auto second_last = end_of(second);
            if constexpr (Shape == range_shape::two || Shape == range_shape::two_returned) {
                return call(first, last, second_first, second_last,
                            std::decay_t<Others>(others)...);
            } else {
                check_length(length(second_first, second_last), length(first, last));
                return call(first, last, second_first, std::decay_t<Others>(others)...);
            }
        }
    }

    template <class It>
    static std::ptrdiff_t length(const It& first, const It& last) {
        if constexpr (std::input_iterator<It>) {
            return std::ranges::distance(first, last);
        } else {
            return last - first;
        }
    }
    static void check_length(std::ptrdiff_t second, std::ptrdiff_t first) {
        if (second < first) {
            throw invalid_option{"the second range has " + std::to_string(second) +
                                 " values, the first " + std::to_string(first) +
                                 ": pass at least as many"};
        }
    }
};

}  // namespace pointsman::detail
