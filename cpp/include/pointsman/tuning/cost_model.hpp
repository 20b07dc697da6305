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
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "pointsman/tuning/detail/cost_decider.hpp"
#include "pointsman/tuning/detail/cost_kind.hpp"
#include "pointsman/tuning/detail/cost_prediction.hpp"
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
/// **Cost**: in proportion to the resources; and to the sizes of the callable while one has no timing of this
/// size. No allocation but in `find`.
class cost_model {
  public:
    using duration = std::chrono::nanoseconds;
    /// What is known of one kind of task. Its address stays while tasks of it are outstanding, and until
    /// another kind is looked for.
    using kind = detail::cost_kind;
    using decision = detail::cost_decision;

    static constexpr std::size_t default_capacity = 1024;

    explicit cost_model(std::size_t size, std::size_t capacity = default_capacity)
        : capacity_{capacity}, predictions_(size) {}

    /// The kind of task that `key` identifies, a new one where there is none. Beyond the capacity it takes
    /// the place of the one that was used least recently and has nothing outstanding.
    /// **Throws**: `std::bad_alloc`; the model is then as before, but for the kind that gave way.
    [[nodiscard]] kind& find(const task_key& key);

    /// The kind of task that `key` identifies; null where there is none. One with outstanding tasks is there.
    [[nodiscard]] kind* known(const task_key& key) noexcept {
        const auto found = kinds_.find(key);
        return found == kinds_.end() ? nullptr : &*found->second;
    }

    /// The resource for the next task of a kind. `waits` has for each resource the time until the task could
    /// start, in nanoseconds. To be followed by `reserve`.
    [[nodiscard]] decision choose(kind& of, std::span<const double> waits);

    /// One more task of the kind goes to `index`.
    static void reserve(kind& of, std::size_t index) noexcept;
    /// A task on `index` ended well; it cost `cost`, or at most that. Upper bounds count while nothing better
    /// is known of the resource.
    static void learn(kind& of, std::size_t index, duration cost, bool is_exact = true) noexcept;
    /// A task on `index` failed. After failures in a row the resource is tried ever less often.
    static void fail(kind& of, std::size_t index) noexcept;
    /// A task on `index` is complete, or was never run; after `learn` or `fail`.
    static void release(kind& of, std::size_t index) noexcept;

    /// Expected cost on `index`; empty while the kind has no timing there.
    [[nodiscard]] static std::optional<duration> estimate(const kind& of, std::size_t index);
    /// Forgets the timings of a kind once `age` has passed since it was made or they were forgotten last.
    static void forget_after(kind& of, duration age, duration now) noexcept;

    /// How many resources there are.
    [[nodiscard]] std::size_t size() const noexcept { return predictions_.size(); }

  private:
    void drop_least_recent();
    [[nodiscard]] static bool is_doubtful(const kind& of, std::size_t index, double time,
                                          const detail::cost_prediction& expected) noexcept;
    [[nodiscard]] static bool admits(detail::cost_cell& at, bool is_exact) noexcept;

    std::size_t capacity_;
    std::vector<detail::cost_prediction> predictions_;  // room for `choose`
    std::unordered_map<std::uint64_t, detail::cost_callable> callables_;
    std::list<kind> by_use_;  // the most recently used first
    std::unordered_map<task_key, std::list<kind>::iterator, task_key_hash> kinds_;
};

inline cost_model::kind& cost_model::find(const task_key& key) {
    if (const auto known = kinds_.find(key); known != kinds_.end()) {
        by_use_.splice(by_use_.begin(), by_use_, known->second);
        return by_use_.front();
    }
    if (kinds_.size() >= capacity_) {
        drop_least_recent();
    }
    detail::cost_callable& of = callables_[key.callable];
    of.resources.resize(size());
    std::list<kind> made;
    made.emplace_front(key, of, size());
    kinds_.emplace(key, made.begin());
    by_use_.splice(by_use_.begin(), made);
    return by_use_.front();
}

inline void cost_model::drop_least_recent() {
    const auto idle =
        std::ranges::find(by_use_.rbegin(), by_use_.rend(), std::uint64_t{0}, &kind::outstanding);
    if (idle == by_use_.rend()) {
        return;
    }
    const task_key key = idle->key;
    kinds_.erase(key);
    by_use_.erase(std::prev(idle.base()));
    if (const auto of = callables_.find(key.callable); of->second.by_size.empty()) {
        callables_.erase(of);
    }
}

inline cost_model::decision cost_model::choose(kind& of, std::span<const double> waits) {
    ++of.runs;
    return detail::cost_decider{of, waits, predictions_}.decide();
}

inline void cost_model::reserve(kind& of, std::size_t index) noexcept {
    ++of.cells[index].outstanding;
    ++of.outstanding;
    ++of.callable.resources[index].begun;
    ++of.callable.resources[index].outstanding;
}

inline void cost_model::release(kind& of, std::size_t index) noexcept {
    --of.cells[index].outstanding;
    --of.outstanding;
    --of.callable.resources[index].outstanding;
}

inline void cost_model::fail(kind& of, std::size_t index) noexcept {
    constexpr std::uint32_t most = 16;  // the resource is tried again after 2^16 runs at the latest
    detail::cost_cell& at = of.cells[index];
    ++of.callable.resources[index].finished;
    at.failures = std::min(at.failures + 1, most);
    at.retry_at = of.runs + (std::uint64_t{1} << at.failures);
}

inline void cost_model::learn(kind& of, std::size_t index, duration cost, bool is_exact) noexcept {
    detail::cost_callable& all = of.callable;
    detail::cost_cell& at = of.cells[index];
    const double time = std::max(static_cast<double>(cost.count()), 1.0);
    const auto expected = detail::predict_cost(of, index);
    double best = time;
    for (std::size_t i = 0; i < of.cells.size(); ++i) {
        if (const auto other = detail::predict_cost(of, i); other.is_known()) {
            best = std::min(best, other.cost());
        }
    }
    all.worked += best;
    of.worked += best;
    if (at.known.empty()) {
        all.invested += time - best;
    }
    at.looked_at = of.runs;
    at.failures = 0;
    detail::warm_up& warm = all.resources[index];
    if (++warm.finished == 1) {
        warm.time = time;
        warm.size = of.size;
        return;
    }
    if (at.known.empty() && !at.is_doubted) {
        at.is_doubted = is_doubtful(of, index, time, expected);
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
        all.pool(std::max(at.known.squares() - squares, 0.0));
    }
}

/// Returns true if a first timing is far above what was expected, or above the warm-up at the same size.
inline bool cost_model::is_doubtful(const kind& of, std::size_t index, double time,
                                    const detail::cost_prediction& expected) noexcept {
    constexpr double far = 4;
    const detail::warm_up& warm = of.callable.resources[index];
    const double most = expected.is_known()    ? std::exp(expected.value + 2 * expected.error)
                        : warm.size == of.size ? warm.time
                                               : std::numeric_limits<double>::infinity();
    return time > far * most;
}

/// Returns true if a timing counts. An exact one drops upper bounds; many upper bounds in a row, without an
/// exact time, drop the exact times.
inline bool cost_model::admits(detail::cost_cell& at, bool is_exact) noexcept {
    constexpr std::uint32_t many = 9;
    at.bounds = is_exact ? 0 : std::min(at.bounds + 1, many);
    if (is_exact != at.is_exact && !at.known.empty()) {
        if (!is_exact && at.bounds < many) {
            return false;
        }
        at.known = {};
    }
    at.is_exact = is_exact;
    return true;
}

inline std::optional<cost_model::duration> cost_model::estimate(const kind& of, std::size_t index) {
    const evidence& known = of.cells[index].known;
    return known.empty()
               ? std::nullopt
               : std::optional{duration{static_cast<duration::rep>(std::round(known.mean()))}};
}

inline void cost_model::forget_after(kind& of, duration age, duration now) noexcept {
    if (of.learnt_since == duration::zero()) {
        of.learnt_since = now;
    }
    if (now - of.learnt_since < age) {
        return;
    }
    of.learnt_since = now;
    for (detail::cost_cell& each : of.cells) {
        each.known = {};
        each.is_doubted = false;
        each.failures = 0;
    }
}

}  // namespace pointsman
