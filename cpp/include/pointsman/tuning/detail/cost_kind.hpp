// SPDX-License-Identifier: Apache-2.0
// What a cost model remembers: callables, their kinds of tasks, and each kind's timings by resource.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "pointsman/tuning/evidence.hpp"
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

/// A callable: which resources it has warmed up, and its kinds by size.
struct cost_callable {
    std::vector<warm_up> resources;
    std::multimap<double, cost_kind*> by_size;
    double worked = 0;    // nanoseconds that its tasks would have taken on the best resource
    double invested = 0;  // nanoseconds lost by first runs on resources that were not the best
    double squares = 0;   // squared deviations of the logarithms of its timings, summed up
    double freedom = 0;   // how many deviations

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

/// A kind of task on one resource.
struct cost_cell {
    evidence known;
    std::uint64_t outstanding = 0;
    std::uint32_t failures = 0;   // in a row
    std::uint32_t bounds = 0;     // upper bounds in a row
    std::uint64_t retry_at = 0;   // after failures, counted in runs of the kind
    std::uint64_t looked_at = 0;  // the last timing, counted in runs of the kind
    bool is_doubted = false;      // a first timing was left out as too high
    bool is_exact = false;        // `known` has exact times, not upper bounds
};

/// A callable with arguments of certain size classes. Its callable outlives it.
class cost_kind {
  public:
    cost_kind(const task_key& of, cost_callable& callable_of_it, std::size_t resources)
        : key{of}, callable{callable_of_it}, cells(resources), size{size_of(of)} {
        callable.by_size.emplace(size, this);
    }
    cost_kind(const cost_kind&) = delete;
    cost_kind& operator=(const cost_kind&) = delete;
    ~cost_kind() {
        const auto [first, last] = callable.by_size.equal_range(size);
        callable.by_size.erase(
            std::find_if(first, last, [&](auto& each) { return each.second == this; }));
    }

    task_key key;
    cost_callable& callable;
    std::vector<cost_cell> cells;
    double size;        // binary logarithm of the product of the arguments' sizes
    double worked = 0;  // nanoseconds that its tasks would have taken on the best resource
    double tried = 0;   // nanoseconds lost by runs where the cost is uncertain
    std::uint64_t runs = 0;
    std::uint64_t outstanding = 0;
    std::chrono::nanoseconds learnt_since{};

  private:
    /// The sum of the size classes.
    [[nodiscard]] static double size_of(const task_key& key) noexcept {
        double sum = 0;
        for (auto left = key.sizes; left != 0; left /= size_classes) {
            sum += static_cast<double>(left % size_classes);
        }
        return sum;
    }
};

}  // namespace pointsman::detail
