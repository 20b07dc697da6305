// SPDX-License-Identifier: Apache-2.0
// What kinds of tasks cost on each resource, learnt across sizes, and which resource to try next.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <list>
#include <map>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "pointsman/tuning/evidence.hpp"
#include "pointsman/tuning/task_key.hpp"

namespace pointsman {

/// Predicts the cost of each kind of task (a callable with arguments of certain size classes) on each of
/// `size` resources, and says where the next one should run: as a rule where it is predicted to end first, now
/// and then where something can be learnt. A pure object: it owns no thread and no clock.
///
/// - The first run of a callable on a resource is warm-up and enters no statistic.
/// - A size class without timings is predicted from its neighbours: by the ratio of two resources there, or
///   along a line through the logarithms. A larger size is expected to take no less.
/// - A resource about which nothing is known is tried while the work lost by trying stays below all work of
///   the callable so far; one that is known where it might be best within its uncertainty, for 10 % of the work
///   of the kind.
/// - Each other resource is looked at again for a share of 0.4 % of the work, the closer it is, the sooner;
///   at once after a timing that suggests that it has become the better one.
/// - A first timing that is four times what was expected is taken once more.
///
/// **Thread safety**: none; the caller locks.
class cost_model {
  public:
    using duration = std::chrono::nanoseconds;

    static constexpr std::size_t default_capacity = 1024;

    explicit cost_model(std::size_t size, std::size_t capacity = default_capacity)
        : size_{size}, capacity_{capacity} {}

    /// What is known of one kind of task. Its address stays while tasks of it are outstanding, and until
    /// another kind is looked for.
    class kind;

    /// The kind of task that `key` identifies, a new one where there is none. Beyond the capacity it takes
    /// the place of the one that was used least recently and has nothing outstanding.
    [[nodiscard]] kind& find(const task_key& key);

    struct decision {
        std::size_t index;
        duration predicted;   ///< zero while nothing is known
        bool is_measurement;  ///< chosen to learn the cost there
    };
    /// The resource for the next task of a kind. `waits` has for each resource the time until the task could
    /// start, in nanoseconds. To be followed by `reserve`.
    [[nodiscard]] decision choose(kind& of, std::span<const double> waits);

    /// One more task of the kind goes to `index`.
    static void reserve(kind& of, std::size_t index) noexcept;
    /// A task on `index` ended well; it cost `cost`, or at most that. Upper bounds count while nothing better
    /// is known of the resource.
    void learn(kind& of, std::size_t index, duration cost, bool is_exact = true);
    /// A task on `index` failed. After failures in a row the resource is tried ever less often.
    static void fail(kind& of, std::size_t index) noexcept;
    /// A task on `index` is complete; after `learn` or `fail`.
    static void release(kind& of, std::size_t index) noexcept;

    /// Expected cost on `index`; empty while nothing is known.
    [[nodiscard]] std::optional<duration> estimate(const kind& of, std::size_t index) const;
    /// Forgets the timings of a kind once `age` has passed since it was made or they were forgotten last.
    static void forget_after(kind& of, duration age, duration now);

    [[nodiscard]] std::size_t size() const noexcept { return size_; }

  private:
    struct callable;
    struct prediction;
    struct cell;
    class decider;

    static constexpr double invested_share =
        1.0;                                    // of a callable's work, on resources not yet known
    static constexpr double tried_share = 0.1;  // of a kind's work, on those that might be best
    static constexpr double looked_share = 0.004;  // of a kind's work, on those that are not
    static constexpr double least_look = 0.02;     // that a look costs, of the best
    static constexpr double optimism_of_guesses = 1;
    static constexpr double confidence = 0.3;       // the bandit's exploration constant
    static constexpr double unknown_ratio = 1.65;   // mean of a lognormal ratio with sigma 1
    static constexpr double highest_ratio = 10;     // which a warm-up is believed
    static constexpr double doubtful = 4;           // a first timing, over what was expected
    static constexpr double usual_variance = 0.06;  // of logarithms
    static constexpr double usual_weight = 2;
    static constexpr std::uint32_t most_failures = 16;

    void drop_least_recent();
    [[nodiscard]] static bool admits(cell& at, bool is_exact) noexcept;
    [[nodiscard]] prediction predict(const kind& of, std::size_t index) const;
    [[nodiscard]] static prediction own(const kind& of, std::size_t index) noexcept;
    [[nodiscard]] static prediction from_neighbour(const kind& of, const kind& neighbour,
                                                   std::size_t index, const prediction& reference,
                                                   std::size_t reference_index) noexcept;

    std::size_t size_;
    std::size_t capacity_;
    std::unordered_map<std::uint64_t, callable> callables_;
    std::list<kind> by_use_;  // the most recently used first
    std::unordered_map<task_key, std::list<kind>::iterator, task_key_hash> kinds_;
};

/// The logarithm of a cost, and its standard error.
struct cost_model::prediction {
    double value = 0;
    double error = std::numeric_limits<double>::infinity();

    [[nodiscard]] bool is_known() const noexcept { return std::isfinite(error); }
    [[nodiscard]] double cost() const noexcept { return std::exp(value); }
};

/// A callable: which resources it has warmed up, and its kinds by size.
struct cost_model::callable {
    struct warm_up {
        std::uint32_t begun = 0;
        std::uint32_t finished = 0;
        double time = 0;
        double size = 0;  // of its kind
    };
    std::vector<warm_up> resources;
    std::multimap<double, kind*> by_size;
    double worked = 0;
    double invested = 0;
    double squares = 0;  // of logarithms, of all its timings
    double freedom = 0;

    [[nodiscard]] double variance() const noexcept {
        return (usual_weight * usual_variance + squares) / (usual_weight + freedom);
    }
    void pool(double added) noexcept {
        constexpr double memory = 200;
        squares += added;
        freedom += 1;
        if (freedom > memory) {
            squares /= 2;
            freedom /= 2;
        }
    }
};

/// A kind of task on one resource.
struct cost_model::cell {
    evidence known;
    std::uint32_t outstanding = 0;
    std::uint32_t failures = 0;
    std::uint64_t retry_at = 0;   // by the runs of the kind
    std::uint64_t looked_at = 0;  // likewise
    std::uint32_t bounds = 0;     // in a row, since the last exact timing
    bool is_doubted = false;
    bool is_exact = false;  // what is known
};

class cost_model::kind {
  public:
    kind(const task_key& key, callable& of, std::size_t size)
        : key_{key}, of_{&of}, cells_(size), size_{size_of(key)} {
        of.by_size.emplace(size_, this);
    }
    kind(const kind&) = delete;
    kind& operator=(const kind&) = delete;
    ~kind() {
        const auto [first, last] = of_->by_size.equal_range(size_);
        of_->by_size.erase(
            std::find_if(first, last, [&](auto& each) { return each.second == this; }));
    }

  private:
    friend cost_model;

    /// The sum of the size classes: the binary logarithm of the product of the sizes.
    [[nodiscard]] static double size_of(const task_key& key) noexcept {
        double sum = 0;
        for (auto left = key.sizes; left != 0; left /= detail::size_classes) {
            sum += static_cast<double>(left % detail::size_classes);
        }
        return sum;
    }

    task_key key_;
    callable* of_;
    std::vector<cell> cells_;
    double size_;
    double worked_ = 0;
    double tried_ = 0;
    std::uint64_t runs_ = 0;
    std::uint64_t outstanding_ = 0;
    duration learnt_since_{};
};

/// One decision: the predictions for a task, and the rules by which one of them is taken.
class cost_model::decider {
  public:
    decider(const cost_model& model, kind& of, std::span<const double> waits)
        : of_{of}, waits_{waits}, predictions_(model.size_) {
        for (std::size_t i = 0; i < model.size_; ++i) {
            predictions_[i] = model.predict(of, i);
            if (predictions_[i].is_known() && may_run(i) && (!best_ || end(i) < end(*best_))) {
                best_ = i;
            }
        }
    }

    [[nodiscard]] decision decide() {
        if (!best_) {
            return {first_to_try(), {}, true};
        }
        if (const auto unknown = worth_trying()) {
            return {*unknown, {}, true};
        }
        if (const auto likely = might_be_best()) {
            of_.tried_ += lost(*likely);
            return {*likely, predicted(*likely), true};
        }
        if (const auto other = due_for_a_look()) {
            return {*other, predicted(*other), true};
        }
        return {*best_, predicted(*best_), false};
    }

  private:
    [[nodiscard]] duration predicted(std::size_t i) const noexcept {
        return duration{static_cast<duration::rep>(predictions_[i].cost())};
    }
    [[nodiscard]] double end(std::size_t i) const noexcept {
        return waits_[i] + predictions_[i].cost();
    }
    [[nodiscard]] double lost(std::size_t i) const noexcept { return end(i) - end(*best_); }
    [[nodiscard]] bool may_run(std::size_t i) const noexcept {
        const cell& at = of_.cells_[i];
        return at.failures == 0 || (at.outstanding == 0 && of_.runs_ >= at.retry_at);
    }
    [[nodiscard]] bool may_be_tried(std::size_t i) const noexcept {
        return i != *best_ && of_.cells_[i].outstanding == 0 && may_run(i);
    }

    /// While no cost is known: the resource that has warmed up, or else the one with the fewest runs.
    [[nodiscard]] std::size_t first_to_try() const {
        const auto& resources = of_.of_->resources;
        std::size_t found = 0;
        double least = std::numeric_limits<double>::infinity();
        for (std::size_t i = 0; i < resources.size(); ++i) {
            const cell& at = of_.cells_[i];
            const bool is_warm = resources[i].finished > 0 && at.outstanding == 0;
            const double rank = (may_run(i) ? 0 : 1e9 * at.failures) + (is_warm ? 0 : 1) +
                                resources[i].begun * (is_warm ? 0 : 4) + at.outstanding;
            if (rank < least) {
                least = rank;
                found = i;
            }
        }
        return found;
    }

    /// A resource of which nothing is known, if the work that may be lost there can be afforded.
    [[nodiscard]] std::optional<std::size_t> worth_trying() const {
        const callable& all = *of_.of_;
        const double best = predictions_[*best_].cost();
        for (std::size_t i = 0; i < predictions_.size(); ++i) {
            const auto& warm = all.resources[i];
            if (predictions_[i].is_known() || warm.begun > warm.finished || !may_run(i)) {
                continue;
            }
            const double expected =
                warm.finished == 0
                    ? unknown_ratio * best
                    : std::clamp(warm.time * std::exp(slope * (of_.size_ - warm.size)), best,
                                 highest_ratio * best);
            const double lost = waits_[i] + expected - end(*best_);
            if (all.invested + lost <= invested_share * (all.worked + best)) {
                return i;
            }
        }
        return std::nullopt;
    }

    /// The resource that is best if its cost is as low as its uncertainty allows.
    [[nodiscard]] std::optional<std::size_t> might_be_best() const {
        const double z = std::sqrt(2 * confidence * std::log(2.0 + static_cast<double>(of_.runs_)));
        std::optional<std::size_t> found;
        double least = end(*best_);
        for (std::size_t i = 0; i < predictions_.size(); ++i) {
            if (!predictions_[i].is_known() || !may_be_tried(i)) {
                continue;
            }
            const evidence& known = of_.cells_[i].known;
            const bool is_guess = known.empty();
            const bool is_affordable =
                of_.tried_ + lost(i) <= tried_share * of_.worked_ ||
                (is_guess && of_.of_->invested + lost(i) <= invested_share * of_.of_->worked);
            double lowest = std::exp(predictions_[i].value -
                                     (is_guess ? optimism_of_guesses : z) * predictions_[i].error);
            if (!is_guess && known.may_have_fallen()) {
                lowest = std::min(lowest, known.mean_if_fallen());
            }
            if (is_affordable && waits_[i] + lowest < least) {
                least = waits_[i] + lowest;
                found = i;
            }
        }
        return found;
    }

    /// A resource whose share of looks has been saved up since it was last looked at.
    [[nodiscard]] std::optional<std::size_t> due_for_a_look() const {
        if (predictions_.size() < 2) {
            return std::nullopt;
        }
        const double best = predictions_[*best_].cost();
        const double saved_a_run =
            best * looked_share / static_cast<double>(predictions_.size() - 1);
        for (std::size_t i = 0; i < predictions_.size(); ++i) {
            if (!predictions_[i].is_known() || !may_be_tried(i)) {
                continue;
            }
            const auto runs = static_cast<double>(of_.runs_ - of_.cells_[i].looked_at);
            if (runs * saved_a_run > std::max(lost(i), least_look * best)) {
                return i;
            }
        }
        return std::nullopt;
    }

    static constexpr double slope = 0.4;

    kind& of_;
    std::span<const double> waits_;
    std::vector<prediction> predictions_;
    std::optional<std::size_t> best_;
};

inline cost_model::kind& cost_model::find(const task_key& key) {
    if (const auto known = kinds_.find(key); known != kinds_.end()) {
        by_use_.splice(by_use_.begin(), by_use_, known->second);
        return by_use_.front();
    }
    if (kinds_.size() >= capacity_) {
        drop_least_recent();
    }
    callable& of = callables_[key.callable];
    of.resources.resize(size_);
    by_use_.emplace_front(key, of, size_);
    kinds_.emplace(key, by_use_.begin());
    return by_use_.front();
}

inline void cost_model::drop_least_recent() {
    const auto idle =
        std::ranges::find(by_use_.rbegin(), by_use_.rend(), std::uint64_t{0}, &kind::outstanding_);
    if (idle == by_use_.rend()) {
        return;
    }
    const task_key key = idle->key_;
    kinds_.erase(key);
    by_use_.erase(std::prev(idle.base()));
    if (const auto of = callables_.find(key.callable); of->second.by_size.empty()) {
        callables_.erase(of);
    }
}

inline cost_model::decision cost_model::choose(kind& of, std::span<const double> waits) {
    ++of.runs_;
    return decider{*this, of, waits}.decide();
}

inline void cost_model::reserve(kind& of, std::size_t index) noexcept {
    ++of.cells_[index].outstanding;
    ++of.outstanding_;
    ++of.of_->resources[index].begun;
}

inline void cost_model::release(kind& of, std::size_t index) noexcept {
    --of.cells_[index].outstanding;
    --of.outstanding_;
}

inline void cost_model::fail(kind& of, std::size_t index) noexcept {
    cell& at = of.cells_[index];
    ++of.of_->resources[index].finished;
    at.failures = std::min(at.failures + 1, most_failures);
    at.retry_at = of.runs_ + (std::uint64_t{1} << at.failures);
}

inline void cost_model::learn(kind& of, std::size_t index, duration cost, bool is_exact) {
    callable& all = *of.of_;
    cell& at = of.cells_[index];
    const double time = std::max(static_cast<double>(cost.count()), 1.0);
    const prediction expected = predict(of, index);
    double best = expected.is_known() ? std::min(expected.cost(), time) : time;
    for (std::size_t i = 0; i < size_; ++i) {
        if (const auto other = predict(of, i); other.is_known()) {
            best = std::min(best, other.cost());
        }
    }
    all.worked += best;
    of.worked_ += best;
    if (at.known.empty()) {
        all.invested += time - best;
    }
    at.looked_at = of.runs_;
    at.failures = 0;
    auto& warm = all.resources[index];
    if (++warm.finished == 1) {
        warm.time = time;
        warm.size = of.size_;
        return;
    }
    if (at.known.empty() && !at.is_doubted) {
        const double most = expected.is_known()     ? std::exp(expected.value + 2 * expected.error)
                            : warm.size == of.size_ ? warm.time
                                                    : std::numeric_limits<double>::infinity();
        at.is_doubted = time > doubtful * most;
        if (at.is_doubted) {
            return;
        }
    }
    if (!admits(at, is_exact)) {
        return;
    }
    const double squares = at.known.squares();
    const bool has_changed = at.known.add(time, all.variance());
    if (at.known.count() > 1 && !has_changed) {
        all.pool(at.known.squares() - squares);
    }
}

/// Returns true if a timing counts. An exact one drops upper bounds; many of these in a row drop what is known.
inline bool cost_model::admits(cell& at, bool is_exact) noexcept {
    constexpr std::uint32_t many = 9;
    at.bounds = is_exact ? 0 : at.bounds + 1;
    if (is_exact != at.is_exact && !at.known.empty()) {
        if (!is_exact && at.bounds < many) {
            return false;
        }
        at.known = {};
    }
    at.is_exact = is_exact;
    return true;
}

inline cost_model::prediction cost_model::own(const kind& of, std::size_t index) noexcept {
    const evidence& known = of.cells_[index].known;
    return known.empty() ? prediction{} : prediction{std::log(known.mean()), known.uncertainty()};
}

/// From what `neighbour`, a kind of the same callable, has on `index`: by the ratio to the reference, a
/// resource that both have, or along the line of a usual slope, whichever is more certain.
inline cost_model::prediction cost_model::from_neighbour(const kind& of, const kind& neighbour,
                                                         std::size_t index,
                                                         const prediction& reference,
                                                         std::size_t reference_index) noexcept {
    constexpr double slope = 0.4;
    const auto variance = [](double error, double distance, double each) {
        const double extra = error + each * distance;
        return extra * extra;
    };
    const prediction there = own(neighbour, index);
    const double distance = of.size_ - neighbour.size_;
    prediction found{there.value + slope * distance,
                     std::sqrt(there.error * there.error + variance(0.2, std::abs(distance), 0.4))};
    const prediction reference_there =
        reference.is_known() ? own(neighbour, reference_index) : prediction{};
    if (reference_there.is_known()) {
        const double error =
            std::sqrt(there.error * there.error + reference.error * reference.error +
                      reference_there.error * reference_there.error +
                      variance(0.1, std::abs(distance), 0.12));
        if (error < found.error) {
            found = {there.value + reference.value - reference_there.value, error};
        }
    }
    return found;
}

inline cost_model::prediction cost_model::predict(const kind& of, std::size_t index) const {
    prediction found = own(of, index);
    if (found.is_known()) {
        return found;
    }
    prediction reference;
    std::size_t reference_index = 0;
    for (std::size_t i = 0; i < size_; ++i) {
        if (const auto other = own(of, i); other.is_known() && other.error < reference.error) {
            reference = other;
            reference_index = i;
        }
    }
    double lowest = -std::numeric_limits<double>::infinity();
    double highest = std::numeric_limits<double>::infinity();
    for (const auto& [size, neighbour] : of.of_->by_size) {
        const prediction there = own(*neighbour, index);
        if (!there.is_known()) {
            continue;
        }
        if (size < of.size_) {
            lowest = std::max(lowest, there.value);
        } else if (size > of.size_) {
            highest = std::min(highest, there.value);
        }
        const auto guess = from_neighbour(of, *neighbour, index, reference, reference_index);
        if (guess.error < found.error) {
            found = guess;
        }
    }
    found.value = std::min(std::max(found.value, lowest), highest);
    return found;
}

inline std::optional<cost_model::duration> cost_model::estimate(const kind& of,
                                                                std::size_t index) const {
    const auto known = own(of, index);
    return known.is_known() ? std::optional{duration{static_cast<duration::rep>(known.cost())}}
                            : std::nullopt;
}

inline void cost_model::forget_after(kind& of, duration age, duration now) {
    if (of.learnt_since_ == duration::zero()) {
        of.learnt_since_ = now;
    }
    if (now - of.learnt_since_ < age) {
        return;
    }
    of.learnt_since_ = now;
    for (cell& each : of.cells_) {
        each.known = {};
        each.is_doubted = false;
        each.failures = 0;
    }
}

}  // namespace pointsman
