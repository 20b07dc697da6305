// SPDX-License-Identifier: Apache-2.0
// What may be done with work that fails, how long it may take, and how much of it may be outstanding.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>

#include "pointsman/base/written_time.hpp"
#include "pointsman/clock.hpp"
#include "pointsman/error.hpp"

namespace pointsman {

/// Whether work that failed runs again, and where. By default it does not.
/// **Example**: `on_failure::retry(2)`
class on_failure {
  public:
    /// The work has failed.
    [[nodiscard]] static constexpr on_failure raise() noexcept { return on_failure{0, false}; }

    /// The work runs again, so many times at most. Where it runs is the policy's choice, as for other work. Work
    /// for which a resource had no memory, as `out_of_memory` says, first waits until other work there has ended,
    /// or none is left; policies without `loads()` know only of work whose options follow it.
    /// **Throws**: `invalid_option` for 0.
    [[nodiscard]] static constexpr on_failure retry(std::uint32_t times) {
        if (times == 0) {
            throw invalid_option{"retry(0) never runs work again: pass 1 or more, or use raise()"};
        }
        return on_failure{times, false};
    }

    /// The work runs on each of the other healthy resources in turn, until it succeeds on one; also where one
    /// had no memory.
    [[nodiscard]] static constexpr on_failure fallback() noexcept {
        return on_failure{std::numeric_limits<std::uint32_t>::max(), true};
    }

    /// How often the work may run after its first run.
    [[nodiscard]] constexpr std::uint32_t times() const noexcept { return times_; }
    /// True if the work does not run a second time where it has failed.
    [[nodiscard]] constexpr bool leaves_out_tried() const noexcept { return leaves_out_tried_; }

    friend constexpr bool operator==(const on_failure&, const on_failure&) = default;

  private:
    constexpr on_failure(std::uint32_t times, bool leaves_out_tried) noexcept
        : times_{times}, leaves_out_tried_{leaves_out_tried} {}

    std::uint32_t times_;
    bool leaves_out_tried_;
};

/// Options of a `recovering_policy`, or of one submission through `with`. Work is never run twice unless
/// `failure` allows it.
struct recovery_options {
    on_failure failure = on_failure::raise();

    /// Work that the function left running, and that takes longer, has failed with `time_limit_exceeded`, by
    /// the fault of its resource if it had begun. If `failure` allows another run, it begins at once, and the
    /// first result wins. A function that blocks in the submitting thread is not limited.
    std::optional<clock::duration> time_limit{};

    /// As `time_limit`, but so many times what the policy expects the work to take on the slowest resource;
    /// more than 1. Only for policies that measure. Work without an estimate has no limit.
    std::optional<double> times_expected{};

    /// So many submissions may be outstanding; further ones wait, and `try_submit` refuses them.
    std::optional<std::size_t> max_outstanding{};

    /// So many attempts may be outstanding on each resource. If one is full, the policy chooses among the others;
    /// if all that the work can use are full, it waits, and `try_submit` refuses it.
    std::optional<std::size_t> max_outstanding_per_resource{};

    /// Called with a sentence when work failed on a resource and runs again, once for each resource, from
    /// any thread. It must not throw.
    std::function<void(const std::string&)> warn{};

    /// **Throws**: `invalid_option` for a value out of range.
    void check() const {
        if (time_limit && *time_limit <= clock::duration::zero()) {
            throw invalid_option{"time_limit is " +
                                 detail::written_time(static_cast<double>(time_limit->count())) +
                                 ": pass a positive duration, or none"};
        }
        if (times_expected && !(*times_expected > 1 && std::isfinite(*times_expected))) {
            throw invalid_option{"times_expected is " + std::to_string(*times_expected) +
                                 ": pass a number greater than 1, or none"};
        }
        if (time_limit && times_expected) {
            throw invalid_option{"time_limit and times_expected are both given: pass one of them"};
        }
        const auto check_bound = [](const char* name, const std::optional<std::size_t>& bound) {
            if (bound && *bound == 0) {
                throw invalid_option{std::string{name} + " is 0: pass 1 or more, or none"};
            }
        };
        check_bound("max_outstanding", max_outstanding);
        check_bound("max_outstanding_per_resource", max_outstanding_per_resource);
    }

    /// True if these options need to know when the work ends.
    [[nodiscard]] bool follow_work() const noexcept {
        return failure != on_failure::raise() || time_limit || times_expected || max_outstanding ||
               max_outstanding_per_resource;
    }
};

}  // namespace pointsman
