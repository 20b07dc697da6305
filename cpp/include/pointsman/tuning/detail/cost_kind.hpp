// SPDX-License-Identifier: Apache-2.0
// What a cost model remembers: callables, their kinds of tasks, and each kind's timings by resource.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "pointsman/tuning/detail/timing_history.hpp"
#include "pointsman/tuning/evidence.hpp"
#include "pointsman/tuning/size_class.hpp"
#include "pointsman/tuning/task_key.hpp"

namespace pointsman::detail {

class cost_kind;

/// The first run of a callable on a resource, which warms it up, and how many runs it has had there.
struct warm_up {
    std::uint64_t begun = 0;
    std::uint64_t finished = 0;
    std::uint64_t outstanding = 0;
    double time = 0;  // of the first run to end
    double size = 0;  // of its kind
};

/// What a key says apart from sizes, which is the callable and the values of arguments, and the binary
/// logarithm of the product of the sizes, and their sum.
struct key_parts {
    task_key apart_from_sizes;
    double size = 0;
    double sum = 0;

    [[nodiscard]] static key_parts of(const task_key& key) noexcept {
        key_parts parts{{key.callable, 0}};
        std::uint64_t position = 1;
        for (auto left = key.sizes; left != 0; left /= size_classes, position *= size_classes) {
            const auto its_class = left % size_classes;
            if (its_class >= first_value_class) {
                parts.apart_from_sizes.sizes += its_class * position;
            } else {
                parts.size += static_cast<double>(its_class);
                parts.sum += std::exp2(its_class);
            }
        }
        return parts;
    }
};

/// A callable with certain values: which resources it has warmed up, and its kinds by size.
struct cost_callable {
    std::vector<warm_up> resources;
    std::multimap<double, cost_kind*> by_size;
    double worked = 0;    // nanoseconds that its tasks would have taken on the best resource
    double invested = 0;  // nanoseconds lost by first runs on resources that were not the best
    double squares = 0;   // squared deviations of the logarithms of its timings, summed up
    double freedom = 0;   // how many deviations
    std::uint64_t outstanding = 0;  // timed tasks
    std::uint64_t finished = 0;     // those before, and timings of records

    /// Variance of the logarithms of its timings. While there are few, `usual_variance` counts as much as
    /// `usual_weight` of them.
    [[nodiscard]] double variance() const noexcept {
        constexpr double usual_variance = 0.06;
        constexpr double usual_weight = 2;
        return (usual_weight * usual_variance + squares) / (usual_weight + freedom);
    }
    /// Adds a squared deviation. Older ones lose half of their weight after every 100.
    void pool(double square) noexcept {
        constexpr double most = 200;
        squares += square;
        freedom += 1;
        if (freedom > most) {
            squares /= 2;
            freedom /= 2;
        }
    }
};

/// A predicted cost in nanoseconds, and the standard error of its logarithm, which is infinite while nothing
/// is known.
struct cost_prediction {
    double value = 0;  // the logarithm of `cost`
    double error = std::numeric_limits<double>::infinity();
    double cost = 1;

    [[nodiscard]] static cost_prediction of_logarithm(double value, double error) noexcept {
        return {value, error, std::exp(value)};
    }
    [[nodiscard]] bool is_known() const noexcept { return std::isfinite(error); }
    /// The cost as a duration; one that is too long for the type is a century.
    [[nodiscard]] std::chrono::nanoseconds time() const noexcept {
        constexpr double century = 3.2e18;
        return std::chrono::nanoseconds{
            static_cast<std::chrono::nanoseconds::rep>(std::min(cost, century))};
    }
};

/// A kind of task on one resource.
struct cost_cell {
    evidence known;
    cost_prediction own;  // by `known`
    std::uint64_t outstanding = 0;
    std::uint32_t failures = 0;   // in a row
    std::uint32_t bounds = 0;     // upper bounds in a row
    std::uint64_t retry_at = 0;   // after failures, counted in runs of the kind
    std::uint64_t looked_at = 0;  // the last timing, counted in runs of the kind
    bool is_doubted = false;      // a first timing was left out as too high
    bool is_exact = false;        // `known` has exact times, not upper bounds

    void predict_by_own() noexcept {
        own = known.empty()
                  ? cost_prediction{}
                  : cost_prediction{std::log(known.mean()), known.uncertainty(), known.mean()};
    }
};

/// A callable with arguments of certain size classes. Serves one key after another; each such term has a
/// number. What is atomic may be read without the lock of the model.
class cost_kind {
  public:
    /// The resource for tasks of the kind while nothing is to be measured.
    struct alignas(8) settled_choice {
        std::uint32_t index = 0;
        std::uint16_t period = 0;  ///< one task in `period` is to be timed; 0: ask the model
        std::uint16_t term = 0;    ///< in which this holds
    };
    static constexpr std::uint32_t longest_period = 1024;
    static constexpr std::uint32_t nowhere = std::numeric_limits<std::uint32_t>::max();

    cost_kind(std::size_t resources, std::uint16_t number_of_it)
        : cells(resources),
          histories(resources),
          number{number_of_it},
          costs_{new std::atomic<float>[resources] {}} {}
    cost_kind(const cost_kind&) = delete;
    cost_kind& operator=(const cost_kind&) = delete;

    /// Begins a term for `of`, a task of `callable_of_it`; a term before it has been ended.
    /// **Throws**: `std::bad_alloc`; the kind then serves no key.
    void serve(const task_key& of, const key_parts& parts, cost_callable& callable_of_it) {
        callable_of_it.by_size.emplace(parts.size, this);
        key = of;
        callable = &callable_of_it;
        size = parts.size;
        sum = parts.sum;
    }
    /// Forgets everything, so that another key can be served. Tasks that are outstanding no longer count.
    void end_term() noexcept {
        for (std::size_t i = 0; i < cells.size(); ++i) {
            callable->resources[i].outstanding -= cells[i].outstanding;
        }
        callable->outstanding -= outstanding;
        const auto [first, last] = callable->by_size.equal_range(size);
        callable->by_size.erase(
            std::find_if(first, last, [&](auto& each) { return each.second == this; }));
        std::ranges::fill(cells, cost_cell{});
        std::ranges::fill(histories, timing_history{});
        callable = nullptr;
        worked = tried = best_cost = 0;
        runs = outstanding = runs_left = last_index = 0;
        learnt_since = {};
        settled_.store({0, 0, static_cast<std::uint16_t>(term() + 1)}, std::memory_order_relaxed);
    }

    /// Takes over what `before`, a kind for the same key, has learnt; `origins` has for each resource the index
    /// that it has there, if any. What is outstanding there does not count.
    void inherit(const cost_kind& before,
                 std::span<const std::optional<std::size_t>> origins) noexcept {
        for (std::size_t i = 0; i < cells.size(); ++i) {
            if (const auto origin = origins[i]) {
                cells[i] = before.cells[*origin];
                cells[i].outstanding = 0;
                histories[i] = before.histories[*origin];
                warm_up& warm = callable->resources[i] = before.callable->resources[*origin];
                warm.begun = warm.finished;
                warm.outstanding = 0;
            }
        }
        worked = before.worked;
        tried = before.tried;
        runs = before.runs;
        learnt_since = before.learnt_since;
        callable->worked = before.callable->worked;
        callable->invested = before.callable->invested;
        callable->squares = before.callable->squares;
        callable->freedom = before.callable->freedom;
        callable->finished = before.callable->finished;
    }

    [[nodiscard, gnu::always_inline]] settled_choice settled() const noexcept {
        return settled_.load(std::memory_order_relaxed);
    }
    [[nodiscard]] std::uint16_t term() const noexcept { return settled().term; }
    /// Cost on a resource as it was when the choice was settled, in nanoseconds; infinite where the kind
    /// cannot run. A negative one is a guess: a task that would go there has to ask the model.
    [[nodiscard, gnu::always_inline]] float settled_cost(std::size_t index) const noexcept {
        return costs_[index].load(std::memory_order_relaxed);
    }
    void settle(std::size_t index, std::uint32_t period) noexcept {
        settled_.store(
            {static_cast<std::uint32_t>(index), static_cast<std::uint16_t>(period), term()},
            std::memory_order_relaxed);
    }
    /// Pins the kind to the resource `index`, or to none if that is `nowhere`.
    void pin(std::uint32_t index) noexcept {
        pinned_.store(index, std::memory_order_relaxed);
        settle(index == nowhere ? 0 : index, 0);
    }
    [[nodiscard]] std::uint32_t pinned() const noexcept {
        return pinned_.load(std::memory_order_relaxed);
    }
    void set_settled_cost(std::size_t index, double cost) noexcept {
        costs_[index].store(static_cast<float>(cost), std::memory_order_relaxed);
    }
    /// How many runs a timed one stands for.
    [[nodiscard]] std::uint32_t period() const noexcept {
        return std::max<std::uint32_t>(settled().period, 1);
    }

    /// Counts a look-up; returns how many came before it.
    std::uint32_t count_fetch() noexcept {
        return fetches_.fetch_add(1, std::memory_order_relaxed);
    }
    /// Marks the kind as in use although no look-up found it.
    void touch() noexcept { touched_.store(true, std::memory_order_relaxed); }
    [[nodiscard]] bool was_touched() noexcept {
        return touched_.exchange(false, std::memory_order_relaxed);
    }

    task_key key;
    cost_callable* callable = nullptr;  // null while no key is served
    std::vector<cost_cell> cells;
    std::vector<timing_history> histories;  // by resource
    double size = 0;    // binary logarithm of the product of the arguments' sizes
    double sum = 0;     // of the arguments' sizes
    double worked = 0;  // nanoseconds that its tasks would have taken on the best resource
    double tried = 0;   // nanoseconds lost by runs where the cost is uncertain
    double best_cost =
        0;  // of the resource on which the last task would have ended first; 0: unknown
    std::uint64_t runs = 0;
    std::uint64_t outstanding = 0;
    std::size_t last_index = 0;   // of the last timed run to end
    std::uint64_t runs_left = 0;  // of a measurement on `measured`
    std::size_t measured = 0;
    std::chrono::nanoseconds learnt_since{};
    const std::uint16_t number;  // among the kinds of the model

  private:
    std::unique_ptr<std::atomic<float>[]> costs_;
    std::atomic<settled_choice> settled_{};
    std::atomic<std::uint32_t> pinned_{nowhere};
    std::atomic<std::uint32_t> fetches_{0};
    std::atomic<bool> touched_{false};
};

}  // namespace pointsman::detail
