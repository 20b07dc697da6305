// SPDX-License-Identifier: Apache-2.0
// Times each algorithm under several execution policies and then runs it under the fastest.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "pointsman/clock.hpp"
#include "pointsman/execution/auto_reach.hpp"
#include "pointsman/execution/detail/auto_call.hpp"
#include "pointsman/execution/detail/auto_explanation.hpp"
#include "pointsman/execution/detail/candidate_policy.hpp"
#include "pointsman/execution/detail/candidate_set.hpp"

namespace pointsman::execution {

/// Runs each call of an algorithm under the execution policy, one of its candidates, that is the fastest
/// for this algorithm, these types and about this number of values. Use it if the best policy depends on
/// the number of values or on the machine.
///
/// The time of a call is its whole duration, including transfers to a device and back. A candidate
/// is measured by several calls in a row, of which the first is left out; later calls measure the others
/// again for a small share of the work: see `cost_model`. Candidates that cannot run a call are not tried:
/// host policies and devices of other contexts if the values are in an `opencl::buffer`; devices if a function is not a `device_function`
/// or a value is not a `device_value`. A call whose kernel does not compile for the device runs under the
/// first host policy, if there is one.
///
/// **Key**: the algorithm, the types of the arguments, the addresses of plain functions, and the power
/// of two of the first range's bytes. Give functions that differ in cost different types.
/// **Throws**: what the candidate throws; `unsuitable_resources` if none can run the call.
/// **Thread safety**: a value; any thread. Copies share their measurements.
/// **Cost**: tens of nanoseconds in addition to the candidate's own cost; two clock reads and three
/// locks for one call in as many as take 0.4 ms together, at most 1,024.
/// **Example**: `pointsman::transform(pointsman::execution::auto_, x.begin(), x.end(), y.begin(), f);`
class auto_policy {
  public:
    static constexpr std::size_t most_candidates = 32;

    /// Chooses among `seq`, `unseq`, `par`, `par_unseq` and a `device_policy` for each device. Devices
    /// are discovered at the first call that could run on one.
    auto_policy() : state_{std::make_shared<detail::auto_state>(most_candidates)} {}
    /// Chooses among `candidates`. `now` is the clock that times them.
    /// **Throws**: `empty_resource_set`; `invalid_option` for more than `most_candidates`.
    explicit auto_policy(const std::vector<candidate_policy>& candidates,
                         detail::auto_state::clock_function now = &clock::now)
        : state_{std::make_shared<detail::auto_state>(candidates, most_candidates, now)} {}

    /// Explains why the calling thread's last algorithm ran where it did, if it was under this policy.
    [[nodiscard]] std::optional<auto_explanation> explain() const {
        const detail::auto_call_record& last = detail::last_auto_call;
        if (last.state_number != state_->number()) {
            return std::nullopt;
        }
        auto_explanation found{std::string{last.name}, {}, last.index};
        const auto estimates = last.set->tuning().estimates(detail::auto_task{last.key});
        for (std::size_t i = 0; i < estimates.size(); ++i) {
            found.candidates.push_back({name_of(last.set->candidates()[i]), estimates[i]});
        }
        return found;
    }

    /// Calls `call(policy, args...)` with the fastest candidate within `Reach` for calls that have this
    /// `key`. For authors of algorithms, through `POINTSMAN_TAKES_AUTO_POLICY`. `Call::name` is the name
    /// of the algorithm, and `Call::context_of(args...)` the context of values that only a device can reach.
    template <auto_reach Reach, class Call, class... Args>
    auto run(Call call, const task_key& key, const Args&... args) const {
        detail::candidate_set& set = set_for<Reach, Call>(args...);
        detail::auto_call running{*state_, set, key, Call::name};
        const auto under = [&](const candidate_policy& candidate) {
            return detail::under_candidate<Reach>(candidate, call, args...);
        };
#ifndef POINTSMAN_WITHOUT_OPENCL
        if constexpr (Reach == auto_reach::anywhere) {
            try {
                return running.completed([&] { return under(set.candidates()[running.index()]); });
            } catch (const opencl::build_error&) {
                if (!is_on_host(set.candidates().front())) {
                    throw;
                }
            }
            return under(set.candidates().front());
        }
#endif
        return running.completed([&] { return under(set.candidates()[running.index()]); });
    }

  private:
    template <auto_reach Reach, class Call, class... Args>
    [[nodiscard]] detail::candidate_set& set_for([[maybe_unused]] const Args&... args) const {
#ifndef POINTSMAN_WITHOUT_OPENCL
        if constexpr (Reach == auto_reach::device) {
            return state_->set_in(Call::context_of(args...));
        }
#endif
        return state_->set(Reach);
    }

    std::shared_ptr<detail::auto_state> state_;
};

/// Chooses among the host policies and all devices of this machine.
inline const auto_policy auto_;

}  // namespace pointsman::execution
