// SPDX-License-Identifier: Apache-2.0
// Finds the bin of a value, for bins of equal width or between given edges.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <string>
#include <type_traits>

#include "pointsman/algorithm/half.hpp"
#include "pointsman/error.hpp"

namespace pointsman::detail {

/// The type in which the bin of a `Value` is computed from bounds of type `Bound`, for bins of equal
/// width. Half precision could not distinguish thousands of bins.
template <class Value, class Bound>
using even_bins_type = std::conditional_t<is_half_v<std::common_type_t<Value, Bound>>, float,
                                          std::common_type_t<Value, Bound>>;

/// `count` bins of equal width that divide [`low`, `high`).
template <class T>
class even_bins {
  public:
    using value_type = T;

    /// **Throws**: `invalid_option`.
    even_bins(std::size_t count, T low, T high) : count_{count}, low_{low}, high_{high} {
        if (count == 0 || !(low < high)) {
            throw invalid_option{"a histogram of " + std::to_string(count) + " bins from " +
                                 std::to_string(low) + " to " + std::to_string(high) +
                                 ": pass at least one bin, and a lower end below the upper"};
        }
        if constexpr (std::is_floating_point_v<T>) {
            scale_ = static_cast<T>(count) / (high - low);
            check_width(std::isfinite(high - low));
        } else {
            scale_ = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
            check_width(scale_ <= std::numeric_limits<std::uint64_t>::max() / count);
        }
    }

    [[nodiscard]] std::size_t count() const noexcept { return count_; }
    [[nodiscard]] const T& low() const noexcept { return low_; }
    [[nodiscard]] const T& high() const noexcept { return high_; }
    /// The number of bins per unit for floating values, the width of all bins together for integers.
    [[nodiscard]] const auto& scale() const noexcept { return scale_; }

    /// Returns the index of the bin of `value`, or `count()` if it is in no bin.
    [[nodiscard]] std::size_t of(T value) const noexcept {
        if (!(value >= low_ && value < high_)) {
            return count_;
        }
        if constexpr (std::is_floating_point_v<T>) {
            return std::min(static_cast<std::size_t>((value - low_) * scale_), count_ - 1);
        } else {
            const auto above = static_cast<std::uint64_t>(value) - static_cast<std::uint64_t>(low_);
            return static_cast<std::size_t>(above * count_ / scale_);
        }
    }

  private:
    void check_width(bool fits) const {
        if (!fits) {
            throw invalid_option{"a histogram of " + std::to_string(count_) + " bins from " +
                                 std::to_string(low_) + " to " + std::to_string(high_) +
                                 " is too wide for its type: narrow it, or pass the edges"};
        }
    }

    std::size_t count_;
    T low_;
    T high_;
    std::conditional_t<std::is_floating_point_v<T>, T, std::uint64_t> scale_;
};

/// The bins between consecutive sorted edges.
template <std::random_access_iterator Edges>
class edged_bins {
  public:
    edged_bins(Edges first, Edges last) : first_{first}, last_{last} {}

    [[nodiscard]] std::size_t count() const noexcept {
        return last_ - first_ > 1 ? static_cast<std::size_t>(last_ - first_ - 1) : 0;
    }
    /// Returns the index of the bin of `value`, or `count()` if it is in no bin.
    template <class T>
    [[nodiscard]] std::size_t of(const T& value) const {
        const auto past = std::upper_bound(first_, last_, value);
        return past == first_ || past == last_ ? count()
                                               : static_cast<std::size_t>(past - first_ - 1);
    }

  private:
    Edges first_;
    Edges last_;
};

}  // namespace pointsman::detail
