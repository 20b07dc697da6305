// SPDX-License-Identifier: Apache-2.0
// Work of one recovering policy, with a copy of the function and its arguments.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <tuple>
#include <utility>
#include <vector>

#include "pointsman/base/ref_counted.hpp"
#include "pointsman/clock.hpp"
#include "pointsman/error.hpp"
#include "pointsman/info/unwrap.hpp"
#include "pointsman/policy/policy_traits.hpp"
#include "pointsman/recovery/attempt.hpp"
#include "pointsman/recovery/detail/end_watches.hpp"
#include "pointsman/recovery/detail/guarded_task.hpp"
#include "pointsman/recovery/detail/health_table.hpp"
#include "pointsman/recovery/detail/outstanding_attempts.hpp"
#include "pointsman/recovery/detail/places.hpp"
#include "pointsman/recovery/detail/repeated_work.hpp"
#include "pointsman/recovery/detail/resource_places.hpp"
#include "pointsman/recovery/detail/submission_line.hpp"
#include "pointsman/recovery/is_resource_failure.hpp"
#include "pointsman/recovery/recovery_options.hpp"
#include "pointsman/submission/default_submission_group.hpp"
#include "pointsman/submission/submit_options.hpp"
#include "pointsman/trace/names.hpp"
#include "pointsman/trace/recorder.hpp"
#include "pointsman/trace/wait_scope.hpp"

namespace pointsman::detail {

/// True if a policy can estimate what a task costs.
template <class Policy, class... Task>
concept estimates_tasks = requires(const Policy& p, const Task&... task) { p.estimates(task...); };

/// True if a policy knows how much work each of its resources has.
template <class Policy>
concept counts_loads = requires(const Policy& p) { p.loads(); };

/// What the copies of one recovering policy share.
template <class Resource>
class recovery_view {
  public:
    explicit recovery_view(recovery_options options) : options_{std::move(options)} {
        options_.check();
        if (options_.max_outstanding) {
            places_ = std::make_shared<places>(*options_.max_outstanding, line_);
        }
        if (options_.max_outstanding_per_resource) {
            resource_places_ = std::make_shared<resource_places<Resource>>(
                *options_.max_outstanding_per_resource, line_);
        }
    }

    [[nodiscard]] const recovery_options& options() const noexcept { return options_; }
    /// Null if the number of submissions is not bounded.
    [[nodiscard]] const std::shared_ptr<places>& free_places() const noexcept { return places_; }

    /// Null if the number of attempts on each resource is not bounded.
    [[nodiscard]] const std::shared_ptr<resource_places<Resource>>& places_of_resources()
        const noexcept {
        return resource_places_;
    }
    /// The coroutines that wait to submit.
    [[nodiscard]] const std::shared_ptr<submission_line>& line() const noexcept { return line_; }

    [[nodiscard]] std::stop_token stop_token() {
        const std::lock_guard lock{mutex_};
        return stop_.get_token();
    }
    /// Asks all work so far to stop; later work gets a new token.
    void request_stop() {
        std::stop_source all;
        {
            const std::lock_guard lock{mutex_};
            std::swap(stop_, all);
        }
        all.request_stop();
    }
    /// Passes on a sentence for the first failure on each resource.
    void warn_once(const attempt<Resource>& failed) {
        if (!options_.warn) {
            return;
        }
        std::size_t index = 0;
        {
            const std::lock_guard lock{mutex_};
            if (std::ranges::find(warned_, failed.resource) != warned_.end()) {
                return;
            }
            index = warned_.size();
            warned_.push_back(failed.resource);
        }
        options_.warn("work failed on " + text_of_resource(failed.resource, index) + ": " +
                      text_of(failed.error) + "; it runs again, as on_failure allows");
    }

  private:
    const recovery_options options_;
    const std::shared_ptr<submission_line> line_ = std::make_shared<submission_line>();
    std::shared_ptr<places> places_;
    std::shared_ptr<resource_places<Resource>> resource_places_;
    std::mutex mutex_;
    std::stop_source stop_;
    std::vector<Resource> warned_;
};

template <class Policy, class Single, class F, class... Args>
class planned_work final : public repeated_work<Single, resource_t<Policy>> {
    using resource_type = resource_t<Policy>;
    using base = repeated_work<Single, resource_type>;
    using group_type = decltype(std::declval<const Policy&>().get_submission_group());

  public:
    /// `stop`, and a stop of the whole policy, stop the work.
    template <class G, class... Given>
    planned_work(std::shared_ptr<recovery_view<resource_type>> view,
                 ref<health_table<resource_type>> health, const Policy& policy, taken_place place,
                 const std::stop_token& stop, G&& f, Given&&... args)
        : base{view->options(), limit_of(view->options(), policy, f, args...)},
          view_{std::move(view)},
          health_{std::move(health)},
          policy_{policy},
          place_{std::move(place)},
          f_(std::forward<G>(f)),
          args_(std::forward<Given>(args)...),
          own_stop_{stop, stopper{this}},
          policy_stop_{view_->stop_token(), stopper{this}} {
        if constexpr (requires(group_type& group) { group.hold(); }) {
            hold_ = policy_->get_submission_group().hold();
        }
    }

    /// Begins the work if a place and a resource are free now; for work that waits in the line of its policy. Unless
    /// `has_places`, it takes no place.
    /// **Throws**: as `start`; `work_cancelled` if a stop was requested meanwhile.
    [[nodiscard]] begin_try start_if_possible(bool has_places) {
        if (this->was_stopped()) {
            throw work_cancelled{};
        }
        if (const auto& places = view_->free_places()) {
            if (!has_places || !places->try_take()) {
                return begin_try::no_place;
            }
            place_ = taken_place{places};
        }
        if (this->start({.timeout = clock::duration::zero()})) {
            return begin_try::begun;
        }
        place_.give_back_unused();
        return begin_try::no_resource;
    }

  private:
    struct stopper {
        planned_work* work;
        void operator()() const {
            if (const auto alive = ref<planned_work>::share_if_alive(work)) {
                alive->request_stop();
            }
        }
    };

    static std::optional<clock::duration> limit_of(const recovery_options& options,
                                                   const Policy& policy, const F& f,
                                                   const Args&... args) {
        if constexpr (estimates_tasks<Policy, F, Args...>) {
            if (options.times_expected) {
                std::optional<clock::duration> longest;
                for (const auto& estimate : policy.estimates(f, args...)) {
                    longest = std::max(longest, std::optional<clock::duration>{estimate});
                }
                return longest ? multiplied(*longest, *options.times_expected) : std::nullopt;
            }
        }
        return options.time_limit;
    }
    static std::optional<clock::duration> multiplied(clock::duration time, double factor) {
        const double product = static_cast<double>(time.count()) * factor;
        constexpr auto most = static_cast<double>(clock::duration::max().count());
        return product < most ? std::optional{clock::duration{static_cast<clock::rep>(product)}}
                              : std::nullopt;
    }

    std::optional<Single> try_once(const submit_options& limits,
                                   guard_record<resource_type>& record) override {
        const auto& places = view_->places_of_resources();
        if (!places) {
            return *try_on_one(limits, record, nullptr);
        }
        record.places = places.get();
        auto begun = places->wait_for_place(
            limits, [&](const submit_options& left) { return try_on_one(left, record, &places); });
        if constexpr (requires { policy_->notify(); }) {
            if (!*begun || record.rung == waitable_rung::complete_at_return) {
                policy_->notify();  // the place was given back after the load
            }
        }
        return std::move(*begun);
    }
    /// Returns an empty object if another thread has taken the last place of the chosen resource.
    std::optional<std::optional<Single>> try_on_one(
        const submit_options& limits, guard_record<resource_type>& record,
        const std::shared_ptr<resource_places<resource_type>>* places) {
        using tried_one = std::optional<std::optional<Single>>;
        guarded_task<F, resource_type> task{f_, *health_, record};
        const auto submit = [&](Args&... args) -> tried_one {
            auto selection = policy_->select(limits, task, args...);
            const resource_type resource = pointsman::unwrap(selection);
            if (std::ranges::find(record.tried, resource) != record.tried.end()) {
                throw unsuitable_resources{
                    task.refusal(resource)};  // the policy does not ask the task
            }
            auto place = places == nullptr ? taken_resource_place<resource_type>{}
                                           : taken_resource_place<resource_type>{*places, resource};
            if (places != nullptr && !place) {
                return {};
            }
            const auto observer = this->began(resource, std::move(place), counted(resource));
            record.observer = &observer;
            try {
                return tried_one{policy_->submit(std::move(selection), task, args...)};
            } catch (...) {
                this->raised(std::current_exception());
                return tried_one{std::in_place};
            }
        };
        return std::apply(submit, args_);
    }
    [[nodiscard]] outstanding_attempt<resource_type> counted(const resource_type& resource) const {
        if constexpr (counts_loads<Policy>) {
            return {};
        } else {
            return {health_->attempts(), resource};
        }
    }
    end_flag watch_ends(const resource_type& resource) override {
        return health_->watch_ends(resource);
    }
    [[nodiscard]] bool is_busy(const resource_type& resource) const override {
        if constexpr (counts_loads<Policy>) {
            std::optional<Policy> policy;
            {
                const std::lock_guard lock{this->mutex_};
                policy = policy_;
            }
            if (!policy) {
                return false;
            }
            const auto resources = policy->get_resources();
            const auto loads = policy->loads();
            const auto index = static_cast<std::size_t>(std::ranges::find(resources, resource) -
                                                        resources.begin());
            return index < loads.size() && loads[index] != 0;  // else it was replaced
        } else {
            return health_->attempts()->has_any(resource);
        }
    }
    void runs_again(const attempt<resource_type>& failed) noexcept override {
        if (trace::recorder::is_on()) {
            trace::record_retry(trace::number_of_callable(f_));
        }
        view_->warn_once(failed);
    }
    void count(const resource_type& resource, const std::exception_ptr& error) noexcept override {
        if (error) {
            health_->failed(resource, error);
        } else {
            health_->succeeded(resource);
        }
    }
    void let_go() noexcept override {
        hold_.reset();
        place_ = {};
        policy_.reset();
    }

    const std::shared_ptr<recovery_view<resource_type>> view_;
    const ref<health_table<resource_type>> health_;
    std::optional<Policy> policy_;
    std::unique_ptr<group_hold> hold_;
    taken_place place_;
    F f_;
    std::tuple<Args...> args_;
    const std::stop_callback<stopper> own_stop_;
    const std::stop_callback<stopper> policy_stop_;
};

}  // namespace pointsman::detail
