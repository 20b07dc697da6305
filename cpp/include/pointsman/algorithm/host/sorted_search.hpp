// SPDX-License-Identifier: Apache-2.0
// Searches for many values in a sorted range, several at once, so that their reads of memory overlap.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <iterator>

#include "pointsman/algorithm/detail/order.hpp"
#include "pointsman/algorithm/detail/sorted_search.hpp"
#include "pointsman/algorithm/host/in_parts.hpp"
#include "pointsman/algorithm/host/policy.hpp"

namespace pointsman::detail {

template <class Order, class A, class B>
[[nodiscard]] constexpr bool goes_before(Order& order, const A& a, const B& b) {
    return static_cast<bool>(order(a, b));
}
/// Without a branch, because no CPU could predict it in a search.
template <class Compare, class A, class B>
[[nodiscard]] constexpr bool goes_before(nan_last<Compare>&, const A& a, const B& b) {
    const int is_nan_after_number = static_cast<int>(b != b) & static_cast<int>(a == a);
    return (static_cast<int>(Compare{}(a, b)) | is_nan_after_number) != 0;
}

/// `Order` is a strict weak order of all values of `T`, NaN included.
template <class Order, class T>
inline constexpr bool orders_all_numbers = std::integral<T> && number_order<Order, T>;
template <class Compare, class T>
inline constexpr bool orders_all_numbers<nan_last<Compare>, T> = number_order<Compare, T>;

/// The search `Which` for values in a range sorted by `Order`.
///
/// A search halves the part that is left in each step. It is slow where the CPU cannot predict the halves, or
/// waits for memory in each step; so `searches` of them run in lockstep, without a branch that depends on a
/// value. If `block` consecutive values are sorted, as those of a sorted array are, the positions of the
/// first and the last bound the part in which the others are sought.
template <sorted_search Which, class It, class Order>
class sorted_range {
  public:
    sorted_range(It first, It last, const Order& order)
        : first_{first}, count_{last - first}, order_{order} {}

    /// Writes the result for each value of [`values`, `last`) to the range beginning at `out`.
    template <class Values, class Out>
    void search(Values values, Values last, Out out) {
        for (; last - values >= block; values += block, out += block) {
            const part whole = part_of(values);
            for (std::ptrdiff_t i = 0; i < block; i += searches) {
                search_at_once<searches>(values + i, out + i, whole);
            }
        }
        for (; last - values >= searches; values += searches, out += searches) {
            search_at_once<searches>(values, out, {0, count_});
        }
        for (; values != last; ++values, ++out) {
            search_at_once<1>(values, out, {0, count_});
        }
    }

  private:
    static constexpr std::ptrdiff_t searches = 16;
    static constexpr std::ptrdiff_t block = 64;  // values

    struct part {
        std::ptrdiff_t begin;
        std::ptrdiff_t size;
    };
    template <std::ptrdiff_t Count>
    using positions = std::array<std::ptrdiff_t, static_cast<std::size_t>(Count)>;

    /// The part that has the positions of the `block` values beginning at `values`.
    template <class Values>
    part part_of(Values values) {
        using value = std::iter_value_t<Values>;
        if constexpr (std::same_as<value, std::iter_value_t<It>> &&
                      orders_all_numbers<Order, value>) {
            if (std::is_sorted(values, values + block, order_)) {
                const std::ptrdiff_t begin = positions_of<1>(values, {0, count_})[0];
                return {begin, positions_of<1>(values + (block - 1), {0, count_})[0] - begin};
            }
        }
        return {0, count_};
    }

    /// Returns true if the position of `value` is after that of `element`.
    template <class T, class U>
    bool is_passed(const T& element, const U& value) {
        if constexpr (Which == sorted_search::upper_bound) {
            return !goes_before(order_, value, element);
        } else {
            return goes_before(order_, element, value);
        }
    }

    template <std::ptrdiff_t Count, class Values>
    positions<Count> positions_of(Values values, part among) {
        positions<Count> at;
        at.fill(among.begin);
        if (among.size == 0) {
            return at;
        }
        while (among.size > 1) {
            const std::ptrdiff_t half = among.size / 2;
            for (std::ptrdiff_t i = 0; i < Count; ++i) {
                auto& begin = at[static_cast<std::size_t>(i)];
                // A product, as compilers make a branch of a conditional expression.
                begin += half * std::ptrdiff_t{is_passed(first_[begin + (half - 1)], values[i])};
            }
            among.size -= half;
        }
        for (std::ptrdiff_t i = 0; i < Count; ++i) {
            auto& begin = at[static_cast<std::size_t>(i)];
            begin += std::ptrdiff_t{is_passed(first_[begin], values[i])};
        }
        return at;
    }

    template <std::ptrdiff_t Count, class Values, class Out>
    void search_at_once(Values values, Out out, part among) {
        using result = std::iter_value_t<Out>;
        const positions<Count> at = positions_of<Count>(values, among);
        for (std::ptrdiff_t i = 0; i < Count; ++i) {
            const std::ptrdiff_t position = at[static_cast<std::size_t>(i)];
            if constexpr (Which == sorted_search::binary_search) {
                out[i] = static_cast<result>(position != count_ &&
                                             !goes_before(order_, values[i], first_[position]));
            } else {
                out[i] = static_cast<result>(position);
            }
        }
    }

    It first_;
    std::ptrdiff_t count_;
    Order order_;
};

/// The result of the search `Which` for `value` in [`first`, `last`), which need not have random access.
template <sorted_search Which, class It, class T, class Order>
[[nodiscard]] auto searched_alone(It first, It last, const T& value, Order& order) {
    if constexpr (Which == sorted_search::binary_search) {
        return std::binary_search(first, last, value, order);
    } else if constexpr (Which == sorted_search::lower_bound) {
        return std::distance(first, std::lower_bound(first, last, value, order));
    } else {
        return std::distance(first, std::upper_bound(first, last, value, order));
    }
}

/// Writes the result of the search `Which` in [`first`, `last`), sorted by `order`, for each value of
/// [`values`, `values_last`) to the range beginning at `out`; returns the end of the output. An exception
/// ends the program, as the standard requires of algorithms with a policy.
template <sorted_search Which, execution::host_policy P, class It, class Values, class Out,
          class Order>
Out search_sorted(const P& policy, It first, It last, Values values, Values values_last, Out out,
                  Order order) noexcept {
    if constexpr (std::random_access_iterator<It> && std::random_access_iterator<Values> &&
                  std::random_access_iterator<Out>) {
        const auto run = [&](Values begin, Values end) {
            sorted_range<Which, It, Order>{first, last, order}.search(begin, end,
                                                                      out + (begin - values));
        };
        if constexpr (shared_output<Out>) {
            in_parts(policy, values, values_last, run);
        } else {
            run(values, values_last);
        }
        return out + (values_last - values);
    } else {
        for (; values != values_last; ++values, ++out) {
            const auto result = searched_alone<Which>(first, last, *values, order);
            if constexpr (std::indirectly_readable<Out>) {
                *out = static_cast<std::iter_value_t<Out>>(result);
            } else {  // such as std::back_inserter
                *out = result;
            }
        }
        return out;
    }
}

}  // namespace pointsman::detail
