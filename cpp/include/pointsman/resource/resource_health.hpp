// SPDX-License-Identifier: Apache-2.0
// The health of one resource: quarantined after failures in a row, restored by a successful probe.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <mutex>
#include <string>
#include <utility>

#include "pointsman/base/written_time.hpp"
#include "pointsman/clock.hpp"
#include "pointsman/error.hpp"

namespace pointsman {

/// States of a resource, from best to worst.
enum class health_state : std::uint8_t {
    healthy,      ///< its last task did not fail by its fault
    suspect,      ///< it has failed, but not often enough in a row for a quarantine
    probing,      ///< after a quarantine: one task tries it
    quarantined,  ///< it gets no work until its back-off has elapsed
};

[[nodiscard]] constexpr const char* to_string(health_state state) noexcept {
    switch (state) {
        case health_state::healthy:
            return "healthy";
        case health_state::suspect:
            return "suspect";
        case health_state::probing:
            return "probing";
        default:
            return "quarantined";
    }
}

/// When a resource is quarantined, and for how long.
struct health_settings {
    std::uint32_t failures = 3;  ///< failures in a row after which it is quarantined; at least 1
    clock::duration back_off = std::chrono::milliseconds{100};  ///< length of the first quarantine
    clock::duration longest_back_off = std::chrono::minutes{1};
    /// Each back-off is shortened by a random part of up to this much, so that resources that failed
    /// together are not tried together; from 0 to 1.
    double jitter = 0.2;

    /// **Throws**: `invalid_option` for a value out of range.
    void check() const {
        const auto refuse = [](const char* name, const std::string& value,
                               const std::string& remedy) {
            throw invalid_option{std::string{name} + " is " + value + ": pass " + remedy};
        };
        const auto written = [](clock::duration time) {
            return detail::written_time(static_cast<double>(time.count()));
        };
        if (failures == 0) {
            refuse("failures", "0", "the number of failures in a row, 1 or more");
        }
        if (back_off <= clock::duration::zero()) {
            refuse("back_off", written(back_off), "a positive duration");
        }
        if (longest_back_off < back_off) {
            refuse("longest_back_off", written(longest_back_off) + ", less than back_off",
                   written(back_off) + " or more");
        }
        if (!(jitter >= 0 && jitter <= 1)) {
            refuse("jitter", std::to_string(jitter), "a number from 0 to 1");
        }
    }
};

/// What is known of a resource's health at one moment.
struct health_report {
    health_state state = health_state::healthy;
    std::uint32_t failures_in_a_row = 0;
    std::string last_error{};       ///< the text of its last failure; empty if it never failed
    clock::duration until_probe{};  ///< until a quarantined resource gets a probe; else zero
    std::string lost{};  ///< what was lost when it was last put in quarantine; empty if nothing
};

/// Counts the failures of one resource and decides whether it gets work. It has no clock and no thread;
/// the caller passes the time.
///
/// After `failures` failures in a row the resource is quarantined. When its back-off has elapsed, one task,
/// the probe, may use it: if it does not fail, the resource is healthy again; if it fails, the next back-off
/// is twice as long. Work that began before a quarantine does not end it. A probe without an outcome is
/// replaced after a further back-off. Only failures that are the resource's fault count here; work that
/// failed by its own fault counts as a success. If several threads call `admits` before one of them calls
/// `begin`, each of them gets a probe.
///
/// **Thread safety**: all members from any thread.
/// **Cost**: `is_open`, `begin` and `succeeded` read one variable while the resource is healthy.
class resource_health {
  public:
    /// `seed` makes the jitter of this resource differ from that of others.
    explicit resource_health(const health_settings& settings = {}, std::uint64_t seed = 0)
        : settings_{checked(settings)}, random_{seed} {}

    /// Returns true if the resource is healthy or suspect, so that it gets work without a probe.
    [[nodiscard]] bool is_open() const noexcept {
        return state_.load(std::memory_order_relaxed) <= health_state::suspect;
    }

    /// Returns true if the last task did not fail by the fault of the resource.
    [[nodiscard]] bool is_healthy() const noexcept {
        return state_.load(std::memory_order_relaxed) == health_state::healthy;
    }

    /// Returns true if a task may use the resource at time `now`: it is open, or its back-off has elapsed.
    [[nodiscard]] bool admits(clock::time_point now) const {
        if (is_open()) {
            return true;
        }
        const std::lock_guard lock{mutex_};
        return is_open() || now >= probe_at_;
    }

    /// A task begins on the resource at time `now`. If the resource is not open, the task is its probe, and
    /// no further task is admitted until the probe has ended, or a further back-off has elapsed.
    void begin(clock::time_point now) {
        if (is_open()) {
            return;
        }
        const std::lock_guard lock{mutex_};
        if (!is_open()) {
            state_.store(health_state::probing, std::memory_order_relaxed);
            probe_at_ = now + next_back_off();
        }
    }

    /// A task on the resource has ended, and the resource was not at fault.
    void succeeded() noexcept {
        if (state_.load(std::memory_order_relaxed) != health_state::healthy) [[unlikely]] {
            restore();
        }
    }

    /// A task on the resource has failed at time `now` by the fault of the resource. Returns true if this
    /// began a quarantine, the first since the resource was last healthy.
    bool failed(clock::time_point now, std::string error) {
        const std::lock_guard lock{mutex_};
        const health_state before = state_.load(std::memory_order_relaxed);
        ++failures_in_a_row_;
        last_error_ = std::move(error);
        if (before == health_state::quarantined) {  // by work that began before the quarantine
            return false;
        }
        if (before != health_state::probing && failures_in_a_row_ < settings_.failures) {
            state_.store(health_state::suspect, std::memory_order_relaxed);
            return false;
        }
        probe_at_ = now + next_back_off();
        ++quarantines_;
        state_.store(health_state::quarantined, std::memory_order_relaxed);
        return before != health_state::probing;
    }

    /// Notes what the failures have cost, for people.
    void lost(std::string what) {
        const std::lock_guard lock{mutex_};
        lost_ = std::move(what);
    }

    [[nodiscard]] health_report report(clock::time_point now) const {
        const std::lock_guard lock{mutex_};
        const health_state state = state_.load(std::memory_order_relaxed);
        return {.state = state,
                .failures_in_a_row = failures_in_a_row_,
                .last_error = last_error_,
                .until_probe = state == health_state::quarantined
                                   ? std::max(probe_at_ - now, clock::duration::zero())
                                   : clock::duration::zero(),
                .lost = lost_};
    }

  private:
    static const health_settings& checked(const health_settings& settings) {
        settings.check();
        return settings;
    }

    /// Returns the back-off after `quarantines_` earlier ones, shortened by the jitter.
    clock::duration next_back_off() noexcept {
        const double doubled = std::ldexp(static_cast<double>(settings_.back_off.count()),
                                          static_cast<int>(std::min(quarantines_, 1000U)));
        const double capped =
            std::min(doubled, static_cast<double>(settings_.longest_back_off.count()));
        return clock::duration{
            static_cast<clock::rep>(capped * (1 - settings_.jitter * random_fraction()))};
    }

    /// Returns a number from 0 up to 1: the next of the sequence called SplitMix64.
    double random_fraction() noexcept {
        std::uint64_t mixed = random_ += 0x9e3779b97f4a7c15U;
        mixed = (mixed ^ (mixed >> 30U)) * 0xbf58476d1ce4e5b9U;
        mixed = (mixed ^ (mixed >> 27U)) * 0x94d049bb133111ebU;
        return static_cast<double>((mixed ^ (mixed >> 31U)) >> 11U) * 0x1.0p-53;
    }

    void restore() noexcept {
        const std::lock_guard lock{mutex_};
        if (state_.load(std::memory_order_relaxed) == health_state::quarantined) {
            return;  // work that began before the quarantine
        }
        failures_in_a_row_ = 0;
        quarantines_ = 0;
        state_.store(health_state::healthy, std::memory_order_relaxed);
    }

    std::atomic<health_state> state_{health_state::healthy};
    const health_settings settings_;
    mutable std::mutex mutex_;  // of the members below, and of changes of the state
    std::uint64_t random_;
    std::uint32_t failures_in_a_row_ = 0;
    std::uint32_t quarantines_ = 0;  // since it was last healthy
    clock::time_point probe_at_{};
    std::string last_error_;
    std::string lost_;
};

}  // namespace pointsman
