// SPDX-License-Identifier: Apache-2.0
// A selection whose timing teaches a tuner.
#pragma once

#include <cstddef>
#include <utility>

#include "fairlead/info/execution_info.hpp"
#include "fairlead/policy/set_selection.hpp"
#include "fairlead/policy/tuner_cache.hpp"

namespace fairlead {

/// Selection of `auto_tune_policy`. It counts as load from the moment it is made, as a
/// `reserved_selection` does, and passes the reported time on to the tuner that chose.
template <class Policy, class... ReportReqs>
class tuned_selection : public set_selection<Policy, ReportReqs...> {
    using base = set_selection<Policy, ReportReqs...>;

  public:
    tuned_selection(typename base::generation_pointer current, std::size_t index,
                    detail::tuner_handle tuner, bool timed, bool contended)
        : base{std::move(current), index},
          tuner_{std::move(tuner)},
          timed_{timed},
          contended_{contended} {}
    tuned_selection(const tuned_selection& other)
        : base{other},
          tuner_{other.tuner_},
          timed_{other.timed_},
          contended_{other.contended_},
          reserved_{false} {}
    tuned_selection(tuned_selection&& other) noexcept
        : base{std::move(other)},
          tuner_{std::move(other.tuner_)},
          timed_{other.timed_},
          contended_{other.contended_},
          reserved_{std::exchange(other.reserved_, false)} {}
    tuned_selection& operator=(tuned_selection) = delete;
    ~tuned_selection() {
        if (reserved_) {
            this->state().drop(this->index(), *tuner_, timed_);
        }
    }

    /// A copy for one submission, which takes the reservation along when it is still unused.
    [[nodiscard]] tuned_selection hand_over() {
        tuned_selection next{*this};
        next.reserved_ = std::exchange(reserved_, false);
        return next;
    }

    void own() noexcept {
        base::own();
        tuner_.own();
    }
    [[nodiscard]] auto detach() noexcept {
        tuner_.own();
        return base::detach();
    }
    /// Whether the time of this task teaches the tuner anything.
    [[nodiscard]] bool wants_time() const noexcept { return timed_; }

    void report(execution_info::task_submission_t) const {
        if (!std::exchange(reserved_, false)) {
            this->state().add(this->index(), *tuner_, timed_);
        }
    }
    void report(execution_info::task_time_t, execution_info::task_time_t::value_type time) const {
        record(time, {.exact = true, .contended = contended_});
    }
    void report(execution_info::task_time_bound_t,
                execution_info::task_time_bound_t::value_type time) const {
        record(time, {.exact = false, .contended = contended_});
    }
    void report(execution_info::task_failure_t) const {
        this->state().fail(this->index(), *tuner_);
    }
    void report(execution_info::task_completion_t) const {
        reserved_ = false;
        this->state().drop(this->index(), *tuner_, timed_);
    }

  private:
    void record(std::chrono::nanoseconds time, sample_quality quality) const {
        if (timed_) {
            this->state().learn(this->index(), *tuner_, time, quality);
        }
    }

    detail::tuner_handle tuner_;
    bool timed_;
    bool contended_;
    mutable bool reserved_ = true;
};

}  // namespace fairlead
