// SPDX-License-Identifier: Apache-2.0
// Timings of one kind of task on one resource since they last changed, and the test that tells when.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

namespace pointsman {

/// What `evidence` has learnt, as plain data that can be stored: of `count` timings the mean in nanoseconds, the
/// mean of their logarithms, and the squared deviations from that, summed up.
struct evidence_summary {
    /// The most timings that count. Of more, the older ones lose weight.
    static constexpr std::uint32_t most_timings = 1'000'000;

    std::uint32_t count = 0;
    double mean = 0;
    double centre = 0;
    double squares = 0;
    /// How often a change was found that dropped all timings before it; not counted between processes.
    std::uint32_t changes = 0;

    /// True for numbers that timings can have.
    [[nodiscard]] bool is_possible() const noexcept {
        return count > 0 && count <= most_timings && std::isfinite(mean) && mean > 0 &&
               std::isfinite(centre) && std::isfinite(squares) && squares >= 0;
    }

    friend bool operator==(const evidence_summary&, const evidence_summary&) = default;
};

/// Returns a summary that counts as at most `most` timings, with the same means and variance.
[[nodiscard]] inline evidence_summary weighing_at_most(evidence_summary of,
                                                       std::uint32_t most) noexcept {
    if (of.count > most) {
        of.squares *= static_cast<double>(most) / of.count;
        of.count = most;
    }
    return of;
}

/// Returns the summary of the timings of both together (Chan, Golub and LeVeque, 1979), as at most
/// `evidence_summary::most_timings`.
[[nodiscard]] inline evidence_summary merged(const evidence_summary& a,
                                             const evidence_summary& b) noexcept {
    if (a.count == 0 || b.count == 0) {
        return a.count == 0 ? b : a;
    }
    const double count = static_cast<double>(a.count) + b.count;
    const double share = b.count / count;
    const double apart = b.centre - a.centre;
    return weighing_at_most(
        {a.count + b.count, a.mean + (b.mean - a.mean) * share, a.centre + apart * share,
         a.squares + b.squares + apart * apart * a.count * share, 0},
        evidence_summary::most_timings);
}

/// Returns what was added since `before`, a summary of the same evidence, so that `merged` of both is `now`;
/// all of `now` if the evidence was forgotten meanwhile and begun again, and empty if a change dropped the timings
/// of `before`.
[[nodiscard]] inline std::optional<evidence_summary> added_since(
    const evidence_summary& before, const evidence_summary& now) noexcept {
    if (now.changes != before.changes) {
        return std::nullopt;
    }
    if (now == before || now.count == evidence_summary::most_timings) {
        return evidence_summary{};
    }
    if (now.count <= before.count) {
        return now;
    }
    const auto count = static_cast<double>(now.count) - before.count;
    const double all = now.count;
    const double centre = now.centre + (now.centre - before.centre) * before.count / count;
    const double apart = centre - before.centre;
    const double squares =
        now.squares - before.squares - apart * apart * before.count * count / all;
    const evidence_summary added{now.count - before.count,
                                 now.mean + (now.mean - before.mean) * before.count / count, centre,
                                 std::max(squares, 0.0), 0};
    return added.is_possible() ? added : now;  // else it was begun again, and has grown since
}

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
    evidence() = default;
    /// Continues with timings that were summarised before; a change since then is found as any other.
    /// `usual_variance` is that of `add`.
    evidence(const evidence_summary& before, double usual_variance) noexcept
        : centre_{before.centre},
          mean_{before.mean},
          squares_{before.squares},
          usual_variance_{usual_variance},
          count_{std::min(before.count, evidence_summary::most_timings)} {}

    [[nodiscard]] evidence_summary summary() const noexcept {
        return {count_, mean_, centre_, squares_, changes_};
    }

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
            ++changes_;
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
        if (count_ == evidence_summary::most_timings) {
            squares_ -= squares_ / evidence_summary::most_timings;
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
    std::uint32_t changes_ = 0;
    one_sided_test up_;
    one_sided_test down_;
};

}  // namespace pointsman
