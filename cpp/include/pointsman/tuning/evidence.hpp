// SPDX-License-Identifier: Apache-2.0
// Timings of one kind of task on one resource since they last changed, and the test that tells when.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace pointsman {

/// The mean of timings that may have a heavy tail, and how uncertain it is. Evidence grows while nothing
/// changes; once a test finds a change, the timings since then count alone.
///
/// The test sums up the logarithms of the timings, upwards and downwards (Page, 1954). In units of their
/// standard deviation it ignores a drift of 0.5 and raises the alarm at 10: falsely once in 30,000 to
/// 80,000 unchanged timings with a lognormal distribution (measured). Outliers are clipped at 3 standard
/// deviations, or further out where more than two in a hundred are outliers, as they then are a part of
/// the cost.
///
/// **Thread safety**: none; the caller locks.
class evidence {
  public:
    /// Adds a timing, in nanoseconds, of more than zero. `usual_variance` is that of the logarithms of other
    /// timings, which counts as long as there are few of these.
    /// Returns true if the timing completed the proof of a change.
    bool add(double time, double usual_variance) noexcept {
        const double value = std::log(time);
        usual_variance_ = usual_variance;
        if (count_ == 0) {
            restart(value, time, 1);
            return false;
        }
        const double sigma = spread();
        const double deviation = (value - centre_) / sigma;
        if (count_ >= least_for_test &&
            test(std::clamp(deviation, -least_reach, least_reach), value, time)) {
            return true;
        }
        const bool is_outlier = std::abs(deviation) > reach_;
        const double clipped = centre_ + std::clamp(deviation, -reach_, reach_) * sigma;
        reach_ = std::max(reach_ * (is_outlier ? widened : narrowed), least_reach);
        absorb(clipped, std::min(time, std::exp(clipped)));
        return false;
    }

    /// How many timings count; a million at most.
    [[nodiscard]] std::uint32_t count() const noexcept { return count_; }
    [[nodiscard]] bool empty() const noexcept { return count_ == 0; }
    /// Mean of the timings, in nanoseconds. At least one was added.
    [[nodiscard]] double mean() const noexcept { return mean_; }
    /// Standard deviation of the logarithms.
    [[nodiscard]] double spread() const noexcept {
        return std::sqrt((usual_weight * usual_variance_ + squares_) / (usual_weight + count_ - 1) +
                         least_spread * least_spread);
    }
    /// Standard error of the logarithm of the mean.
    [[nodiscard]] double uncertainty() const noexcept {
        return spread() / std::sqrt(static_cast<double>(count_));
    }
    /// Squared deviations of the logarithms from their mean, summed up.
    [[nodiscard]] double squares() const noexcept { return squares_; }

    /// Returns true if the last timings suggest, without proof, that tasks take less time now.
    [[nodiscard]] bool may_have_fallen() const noexcept { return down_.sum > suspicion; }
    /// Mean of the timings that suggest it.
    [[nodiscard]] double mean_if_fallen() const noexcept { return down_.times / down_.count; }

  private:
    // In standard deviations: where outliers are clipped, ...
    static constexpr double least_reach = 3;
    static constexpr double widened = 1.5;  // by an outlier
    static constexpr double narrowed =
        0.992;  // by any other; with `widened`, two outliers in a hundred
    // ... and the test's allowance for each timing and limits of the sum.
    static constexpr double drift = 0.5;
    static constexpr double alarm = 10;
    static constexpr double suspicion = 1;
    static constexpr double usual_weight = 3;     // timings for which the usual variance counts
    static constexpr double least_spread = 0.02;  // as clocks and caches make no time certain
    static constexpr std::uint32_t least_for_test = 4;
    /// Older timings then lose weight: the count stays, whatever the length of the process.
    static constexpr std::uint32_t most_counted = 1'000'000;

    /// A cumulative sum, and the timings since it was zero.
    struct one_sided_test {
        double sum = 0;
        std::uint32_t count = 0;
        double values = 0;
        double times = 0;

        bool add(double excess, double value, double time) noexcept {
            if (sum + excess <= 0) {
                *this = {};
                return false;
            }
            sum += excess;
            ++count;
            values += value;
            times += time;
            return sum > alarm;
        }
    };

    bool test(double deviation, double value, double time) noexcept {
        const bool rose = up_.add(deviation - drift, value, time);
        const bool fell = down_.add(-deviation - drift, value, time);
        if (rose || fell) {
            const one_sided_test since = rose ? up_ : down_;
            restart(since.values / since.count, since.times / since.count, since.count);
        }
        return rose || fell;
    }
    void restart(double centre, double mean, std::uint32_t count) noexcept {
        centre_ = centre;
        mean_ = mean;
        count_ = count;
        squares_ = 0;
        up_ = {};
        down_ = {};
    }
    void absorb(double value, double time) noexcept {
        if (count_ == most_counted) {
            squares_ -= squares_ / most_counted;
        } else {
            ++count_;
        }
        const double before = value - centre_;
        centre_ += before / count_;
        squares_ += before * (value - centre_);
        mean_ += (time - mean_) / count_;
    }

    double centre_ = 0;  // mean of the logarithms
    double mean_ = 0;
    double squares_ = 0;
    double usual_variance_ = 0;
    double reach_ = least_reach;
    std::uint32_t count_ = 0;
    one_sided_test up_;
    one_sided_test down_;
};

}  // namespace pointsman
