// SPDX-License-Identifier: Apache-2.0
// Finds the least or greatest of many small values on the host, in vector registers and several threads.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "pointsman/algorithm/half.hpp"
#include "pointsman/algorithm/host/blocks.hpp"
#include "pointsman/algorithm/host/policy.hpp"
#include "pointsman/base/in_threads.hpp"
#include "pointsman/clock.hpp"

namespace pointsman::detail {

/// Which one of several equal values is wanted.
enum class among_equals : std::uint8_t { first, last };

/// Finds the value before which `before` orders no other, in two steps: the least value of each block, which a
/// compiler computes in vector registers, and then the place of the least of all in its block. A NaN is found only
/// if it is the value from which the search begins.
template <among_equals Wanted, class T, class Before>
class extremum_search {
  public:
    explicit extremum_search(Before& before) noexcept : before_{before} {}

    /// The place among `count` values at `first` of the one that is before `best` and all others; null if none is
    /// before `best`.
    [[nodiscard]] const T* find_before(T best, const T* first, std::size_t count) const noexcept {
        const T* found = nullptr;
        const std::size_t blocks = (count + block - 1) / block;
        for (std::size_t n = 0; n < blocks; ++n) {
            const std::size_t b = Wanted == among_equals::first ? n : blocks - 1 - n;
            const T* const begin = first + b * block;
            const T least = least_of(best, begin, std::min(block, count - b * block));
            if (before_(least, best)) {
                best = least;
                found = begin;
            }
        }
        return found == nullptr
                   ? nullptr
                   : place_of(best, found,
                              std::min(block, count - static_cast<std::size_t>(found - first)));
    }

    /// The wanted one of the results of `find_before` for two ranges in this order.
    [[nodiscard]] const T* better(const T* left, const T* right) const noexcept {
        if (left == nullptr || right == nullptr) {
            return left == nullptr ? right : left;
        }
        if constexpr (Wanted == among_equals::first) {
            return before_(*right, *left) ? right : left;
        } else {
            return before_(*left, *right) ? left : right;
        }
    }

  private:
    static constexpr std::size_t lanes = std::max<std::size_t>(16, 64 / sizeof(T));
    static constexpr std::size_t block = 64 * lanes;

    /// The least of `best` and `count` values.
    [[nodiscard]] T least_of(const T& best, const T* values, std::size_t count) const noexcept {
        T all = best;
        const T* const end = values + count;
        if (count >= lanes) {
            std::array<T, lanes> least;
            least.fill(best);
            for (const T* const whole = end - count % lanes; values != whole; values += lanes) {
                for (std::size_t lane = 0; lane < lanes; ++lane) {
                    const T value = values[lane];
                    least[lane] = before_(value, least[lane]) ? value : least[lane];
                }
            }
            for (const T& each : least) {
                all = before_(each, all) ? each : all;
            }
        }
        for (; values != end; ++values) {
            all = before_(*values, all) ? *values : all;
        }
        return all;
    }

    /// The first or last of `count` values that is as little as `best`, which is one of them.
    [[nodiscard]] const T* place_of(const T& best, const T* first,
                                    std::size_t count) const noexcept {
        const std::size_t groups = (count + lanes - 1) / lanes;
        for (std::size_t n = 0; n < groups; ++n) {
            const std::size_t g = Wanted == among_equals::first ? n : groups - 1 - n;
            const T* const begin = first + g * lanes;
            const T* const end = first + std::min((g + 1) * lanes, count);
            unsigned candidates = 0;
            for (const T* each = begin; each != end; ++each) {
                candidates += before_(best, *each) ? 0U : 1U;
            }
            if (candidates != 0) {
                if (const T* const found = place_in_group(best, begin, end); found != end) {
                    return found;
                }
            }
        }
        return first;  // only if `before` is no strict weak order
    }
    /// `end` if the only candidates are NaN, which is before nothing, as nothing is before it.
    [[nodiscard]] const T* place_in_group(const T& best, const T* begin,
                                          const T* end) const noexcept {
        const auto is_best = [&](const T& value) {
            if constexpr (floating_number<T>) {
                return !before_(best, value) && (value == value || best != best);
            } else {
                return !before_(best, value);
            }
        };
        if constexpr (Wanted == among_equals::first) {
            return std::find_if(begin, end, is_best);
        } else {
            const auto last =
                std::find_if(std::reverse_iterator{end}, std::reverse_iterator{begin}, is_best);
            return last.base() == begin ? end : last.base() - 1;
        }
    }

    Before& before_;
};

/// How many values a part should have, so that a thread takes as long for it as to wake up, or longer, after a thread
/// has processed `done` values in `taken`; 0 if threads are not worth it for the `left` remaining ones.
[[nodiscard]] inline std::size_t size_of_parts(std::chrono::nanoseconds taken, std::size_t done,
                                               std::size_t left) noexcept {
    using namespace std::chrono_literals;
    constexpr std::size_t most_parts = 1'024;
    if (taken * left <= waking_time * done) {
        return 0;
    }
    const auto worth_a_thread = static_cast<std::size_t>(waking_time * done / std::max(taken, 1ns));
    return std::max({worth_a_thread, (left + most_parts - 1) / most_parts, std::size_t{1}});
}

/// The results of `find(begin, size)` for parts of `size` values, the last may have fewer, of `count` values, in TBB's
/// threads.
template <class Find>
[[nodiscard]] auto results_of_parts(std::size_t count, std::size_t size, const Find& find) {
    std::vector<std::invoke_result_t<const Find&, std::size_t, std::size_t>> results(
        (count + size - 1) / size);
    in_threads_isolated(results.size(), 1, [&](std::size_t i, std::size_t end) {
        for (; i != end; ++i) {
            results[i] = find(i * size, std::min(size, count - i * size));
        }
    });
    return results;
}

/// As `extremum_search::find_before`, in TBB's threads if a first part, in the calling thread, shows that they pay.
template <among_equals Wanted, class T, class Before>
const T* find_before_in_threads(const extremum_search<Wanted, T, Before>& search, const T& best,
                                const T* first, std::size_t count) noexcept {
    constexpr std::size_t part = 4'096;
    if (count < 2 * part) {
        return search.find_before(best, first, count);
    }
    const bool is_at_end = Wanted == among_equals::last;
    const T* const others = is_at_end ? first : first + part;
    const auto start = clock::now();
    const T* const found =
        search.find_before(best, is_at_end ? first + (count - part) : first, part);
    const std::size_t left = count - part;
    const std::size_t size = size_of_parts(clock::now() - start, part, left);
    const T& best_so_far = found == nullptr ? best : *found;
    const T* before = nullptr;
    if (size == 0) {
        before = search.find_before(best_so_far, others, left);
    } else {
        const auto find = [&](std::size_t begin, std::size_t of_part) {
            return search.find_before(best_so_far, others + begin, of_part);
        };
        for (const T* const each : results_of_parts(left, size, find)) {
            before = search.better(before, each);
        }
    }
    return before == nullptr ? found : before;
}

/// Returns an iterator to the first or last value of [`first`, `last`) before which `before` orders no other;
/// `last` if there are none.
template <among_equals Wanted, execution::host_policy P, iterator_of_small_values It, class Before>
It extremum_on_host(const P&, It first, It last, Before& before) noexcept {
    using value = std::iter_value_t<It>;
    if (first == last) {
        return last;
    }
    const value* const values = std::to_address(first);
    const auto count = static_cast<std::size_t>(last - first);
    const value* const best = Wanted == among_equals::first ? values : values + (count - 1);
    const extremum_search<Wanted, value, Before> search{before};
    const value* found = nullptr;
    if constexpr (is_parallel_v<P>) {
        found = find_before_in_threads(search, *best, values, count);
    } else {
        found = search.find_before(*best, values, count);
    }
    return first + ((found == nullptr ? best : found) - values);
}

/// Finds the first of the least and the last of the greatest values of an array, which is read once.
template <class T, class Before, class After>
class extrema_search {
  public:
    /// What is before the first value and after the last value of the array; null for none.
    struct places {
        const T* least = nullptr;
        const T* greatest = nullptr;
    };

    extrema_search(const T* first, std::size_t count, Before& before, After& after) noexcept
        : first_{first}, count_{count}, least_{before}, greatest_{after} {}

    /// In the calling thread, among `count` values from index `begin` on.
    [[nodiscard]] places find(std::size_t begin, std::size_t count) const noexcept {
        constexpr std::size_t cached =
            8'192;  // values that stay in the cache until the second search
        places found;
        for (std::size_t done = 0; done < count; done += cached) {
            const T* const from = first_ + begin + done;
            const std::size_t size = std::min(cached, count - done);
            found = better(found, {least_.find_before(*first_, from, size),
                                   greatest_.find_before(first_[count_ - 1], from, size)});
        }
        return found;
    }
    /// In all the array, in TBB's threads if a first part, in the calling thread, shows that they pay.
    [[nodiscard]] places find_in_threads() const noexcept {
        constexpr std::size_t part = 4'096;
        if (count_ < 2 * part) {
            return find(0, count_);
        }
        const auto start = clock::now();
        places found = find(0, part);
        const std::size_t left = count_ - part;
        const std::size_t size = size_of_parts(clock::now() - start, part, left);
        if (size == 0) {
            return better(found, find(part, left));
        }
        const auto find_part = [&](std::size_t begin, std::size_t of_part) {
            return find(part + begin, of_part);
        };
        for (const places& each : results_of_parts(left, size, find_part)) {
            found = better(found, each);
        }
        return found;
    }

  private:
    [[nodiscard]] places better(const places& left, const places& right) const noexcept {
        return {least_.better(left.least, right.least),
                greatest_.better(left.greatest, right.greatest)};
    }

    const T* first_;
    std::size_t count_;
    extremum_search<among_equals::first, T, Before> least_;
    extremum_search<among_equals::last, T, After> greatest_;
};

/// Returns iterators to the first value of [`first`, `last`) before which `before` orders no other, and to the last
/// before which `after` does not.
template <execution::host_policy P, iterator_of_small_values It, class Before, class After>
std::pair<It, It> extrema_on_host(const P&, It first, It last, Before& before,
                                  After& after) noexcept {
    using value = std::iter_value_t<It>;
    if (first == last) {
        return {last, last};
    }
    const value* const values = std::to_address(first);
    const auto count = static_cast<std::size_t>(last - first);
    const extrema_search<value, Before, After> search{values, count, before, after};
    const auto found = is_parallel_v<P> ? search.find_in_threads() : search.find(0, count);
    return {found.least == nullptr ? first : first + (found.least - values),
            found.greatest == nullptr ? last - 1 : first + (found.greatest - values)};
}

}  // namespace pointsman::detail
