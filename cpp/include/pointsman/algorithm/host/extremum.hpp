// SPDX-License-Identifier: Apache-2.0
// Finds the least or greatest of many small values on the host, in vector registers and several threads.
#pragma once

#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <type_traits>

#include "pointsman/algorithm/host/policy.hpp"
#include "pointsman/base/tbb_threads.hpp"

namespace pointsman::detail {

/// Iterators of values that are side by side in memory, and as cheap to copy as a number.
template <class It>
concept iterator_of_small_values =
    std::contiguous_iterator<It> && std::is_trivially_copyable_v<std::iter_value_t<It>> &&
    std::is_trivially_default_constructible_v<std::iter_value_t<It>> &&
    std::is_copy_assignable_v<std::iter_value_t<It>> && sizeof(std::iter_value_t<It>) <= 16 &&
    requires(It it) {
        { std::to_address(it) } -> std::convertible_to<const std::iter_value_t<It>*>;
    };

/// Which one of several equal values is wanted.
enum class among_equals : std::uint8_t { first, last };

/// Finds the value before which `before` orders no other, in two steps: the least value of each block, which a
/// compiler computes in vector registers, and then the place of the least of all in its block. A NaN is left
/// out, but for one at the end from which the search begins.
template <among_equals Wanted, class T, class Before>
class extremum_search {
  public:
    explicit extremum_search(Before& before) noexcept : before_{before} {}

    /// The values are those of [`first`, `first + count`), at least one.
    [[nodiscard]] const T* find(const T* first, std::size_t count) const noexcept {
        const std::size_t blocks = (count + block - 1) / block;
        T best = Wanted == among_equals::first ? first[0] : first[count - 1];
        std::size_t best_block = Wanted == among_equals::first ? 0 : blocks - 1;
        for (std::size_t n = 0; n < blocks; ++n) {
            const std::size_t b = Wanted == among_equals::first ? n : blocks - 1 - n;
            const T least = least_of(best, first + b * block, std::min(block, count - b * block));
            if (before_(least, best)) {
                best = least;
                best_block = b;
            }
        }
        const T* const begin = first + best_block * block;
        const T* const end = first + std::min((best_block + 1) * block, count);
        const auto is_best = [&](const T& value) { return !before_(best, value); };
        if constexpr (Wanted == among_equals::first) {
            return std::find_if(begin, end, is_best);
        } else {
            return &*std::find_if(std::reverse_iterator{end}, std::reverse_iterator{begin},
                                  is_best);
        }
    }

    /// The wanted one of the results of `find` for two ranges in this order.
    [[nodiscard]] const T* better(const T* left, const T* right) const noexcept {
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
        std::array<T, lanes> least;
        least.fill(best);
        std::size_t i = 0;
        for (; i + lanes <= count; i += lanes) {
            for (std::size_t lane = 0; lane < lanes; ++lane) {
                const T value = values[i + lane];
                least[lane] = before_(value, least[lane]) ? value : least[lane];
            }
        }
        for (; i < count; ++i) {
            least[0] = before_(values[i], least[0]) ? values[i] : least[0];
        }
        for (std::size_t lane = 1; lane < lanes; ++lane) {
            least[0] = before_(least[lane], least[0]) ? least[lane] : least[0];
        }
        return least[0];
    }

    Before& before_;
};

/// The body of a `tbb::parallel_reduce` over the indices of the values.
template <class Search, class T>
class parallel_extremum {
  public:
    parallel_extremum(const Search& search, const T* values) noexcept
        : search_{search}, values_{values} {}
    parallel_extremum(const parallel_extremum& other, tbb::split) noexcept
        : parallel_extremum{other.search_, other.values_} {}

    void operator()(const tbb::blocked_range<std::size_t>& part) noexcept {
        const T* const found = search_.find(values_ + part.begin(), part.size());
        found_ = found_ == nullptr ? found : search_.better(found_, found);
    }
    void join(const parallel_extremum& right) noexcept {
        if (right.found_ != nullptr) {
            found_ = found_ == nullptr ? right.found_ : search_.better(found_, right.found_);
        }
    }
    [[nodiscard]] const T* found() const noexcept { return found_; }

  private:
    const Search& search_;
    const T* values_;
    const T* found_ = nullptr;
};

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
    const extremum_search<Wanted, value, Before> search{before};
    if constexpr (is_parallel_v<P>) {
        constexpr std::size_t worth_a_thread = 32'768;
        if (count >= 2 * worth_a_thread) {
            tbb_threads::note_use();
            parallel_extremum all{search, values};
            tbb::parallel_reduce(tbb::blocked_range<std::size_t>{0, count, worth_a_thread}, all);
            return first + (all.found() - values);
        }
    }
    return first + (search.find(values, count) - values);
}

}  // namespace pointsman::detail
