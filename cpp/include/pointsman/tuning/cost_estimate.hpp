// SPDX-License-Identifier: Apache-2.0
// The estimated time of one kind of task on one resource: the median of recent timings.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <optional>

namespace pointsman {

/// How reliable a timing is.
struct sample_quality {
    bool exact = true;       ///< false when it is an upper bound
    bool contended = false;  ///< true when other work was outstanding on the resource
};

/// Median of the last timings: an outlier, however large, moves it by one rank, and a lasting change is
/// followed within one window length. Exact timings of an otherwise idle resource are preferred; other
/// timings count while there are none of these, and again after a window length of them in a row.
class cost_estimate {
  public:
    using duration = std::chrono::nanoseconds;

    void add(duration time, sample_quality quality) noexcept {
        if (quality.exact && !quality.contended) {
            clean_.add(time);
            rough_in_a_row_ = 0;
            return;
        }
        rough_.add(time);
        if (++rough_in_a_row_ == window::length) {
            clean_ = {};  // the undisturbed timings are out of date
        }
    }

    /// The estimate; empty before the first timing.
    [[nodiscard]] std::optional<duration> value() const noexcept {
        return clean_.empty() ? rough_.median() : clean_.median();
    }
    /// The noise: at most half of the timings lie further than this from the estimate.
    [[nodiscard]] duration spread() const noexcept {
        return clean_.empty() ? rough_.spread() : clean_.spread();
    }
    [[nodiscard]] bool empty() const noexcept { return clean_.empty() && rough_.empty(); }
    void clear() noexcept { *this = {}; }

  private:
    class window {
      public:
        void add(duration time) noexcept {
            times_[count_ % length] = time;
            ++count_;
            median_ = median_of(times_);
        }
        [[nodiscard]] duration spread() const noexcept {
            auto distances = times_;
            for (duration& d : distances) {
                d = std::chrono::abs(d - median_);
            }
            return median_of(distances);
        }
        [[nodiscard]] bool empty() const noexcept { return count_ == 0; }
        [[nodiscard]] std::optional<duration> median() const noexcept {
            return empty() ? std::nullopt : std::optional{median_};
        }

        static constexpr std::size_t length = 9;

      private:
        /// The median of the values so far; the lower of the two middle values.
        [[nodiscard]] duration median_of(std::array<duration, length> values) const noexcept {
            const auto size = static_cast<std::ptrdiff_t>(std::min(count_, length));
            const auto middle = values.begin() + std::max<std::ptrdiff_t>(size - 1, 0) / 2;
            std::nth_element(values.begin(), middle, values.begin() + size);
            return *middle;
        }

        std::array<duration, length> times_{};
        std::size_t count_ = 0;
        duration median_{};
    };

    window clean_;
    window rough_;
    std::size_t rough_in_a_row_ = 0;
};

}  // namespace pointsman
