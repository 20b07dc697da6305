// SPDX-License-Identifier: Apache-2.0
// A policy that leaves out resources that fail, and runs failed work again if it may.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <type_traits>
#include <utility>
#include <vector>

#include "pointsman/base/ref_counted.hpp"
#include "pointsman/clock.hpp"
#include "pointsman/error.hpp"
#include "pointsman/policy/policy_traits.hpp"
#include "pointsman/recovery/detail/awaited_begin.hpp"
#include "pointsman/recovery/detail/guarded_task.hpp"
#include "pointsman/recovery/detail/health_table.hpp"
#include "pointsman/recovery/detail/places.hpp"
#include "pointsman/recovery/detail/planned_work.hpp"
#include "pointsman/recovery/detail/repeated_work.hpp"
#include "pointsman/recovery/is_resource_failure.hpp"
#include "pointsman/recovery/recovering_submission.hpp"
#include "pointsman/recovery/recovery_options.hpp"
#include "pointsman/resource/resource.hpp"
#include "pointsman/resource/resource_health.hpp"
#include "pointsman/submission/stop_token_call.hpp"
#include "pointsman/submission/submit_options.hpp"

namespace pointsman {

/// A policy around another one, which chooses. It counts the failures of each resource, leaves out those in
/// quarantine, as `resource_health` describes, and runs work again, ends it in time and bounds its number as
/// its `recovery_options` say. By default work runs once; only the health of resources is new.
///
/// An exception is the resource's fault if `is_fault(error)` returns true; all others are the fault of the work
/// and leave the health of the resource alone. Resources are told apart by `==`.
///
/// The function gets its arguments as lvalues, since it may be called again; for options under which it may,
/// function and arguments are copied or moved into the submission. A function that takes an argument only as an
/// rvalue, such as a `std::unique_ptr` by value, can be called once, and such options refuse it. A function that
/// cannot be called as `f(resource, args...)`, but as `f(resource, stop_token, args...)`, gets a token that is
/// stopped when its result is no longer needed.
///
/// Copies share options, health and the inner policy; the result of `with` shares health and inner policy alone. A
/// `submit` must have returned before the policy is destroyed. A slower run may still use what the function refers
/// to when the work has ended. `std::future` and `std::shared_future` keep their exceptions for `get()`: return
/// another waitable, such as an `arena_task`, whose failures shall count.
/// **Throws**: at construction `invalid_option`, and at `submit` for a function that cannot be called twice where
/// the options may need it. `submit` throws as that of the inner policy, and
/// `no_healthy_resource`, which names each resource and its last error, if all that the policy chooses are
/// in quarantine, or have failed at this work under `on_failure::fallback()`. If work has failed before, `submit`
/// throws the work's error instead.
/// **Thread safety**: all members from any thread.
/// **Cost**: a few loads for each submission while the options allow one run without a limit and all
/// resources are healthy; else an allocation and a lock for each attempt.
/// **Example**:
///
///     recovering_policy policy{dynamic_load_policy{{0, 1, 2}}, {.failure = on_failure::fallback()}};
///     policy.submit(f, x).wait();
template <class Policy>
    requires detail::has_equality_v<resource_t<Policy>>
class recovering_policy {
  public:
    using resource_type = resource_t<Policy>;

    explicit recovering_policy(Policy policy, recovery_options options = {},
                               const health_settings& health = {},
                               failure_test is_fault = is_resource_failure)
        : policy_{std::move(policy)},
          view_{make_view(std::move(options))},
          health_{
              detail::make_ref<detail::health_table<resource_type>>(health, std::move(is_fault))} {}

    /// Returns a policy with other options that shares the inner policy and the health of its resources.
    /// **Throws**: `invalid_option`.
    /// **Example**: `policy.with({.failure = on_failure::retry(2)}).submit(f)`
    [[nodiscard]] recovering_policy with(recovery_options options) const {
        recovering_policy other{*this};
        other.view_ = make_view(std::move(options));
        other.is_plain_ = !other.view_->options().follow_work();
        return other;
    }

    /// The inner policy.
    [[nodiscard]] const Policy& policy() const noexcept { return policy_; }
    [[nodiscard]] const recovery_options& options() const noexcept { return view_->options(); }

    /// Returns a copy of the set of resources.
    [[nodiscard]] std::vector<resource_type> get_resources() const {
        return policy_.get_resources();
    }

    /// Returns the health of each resource, in the order of `get_resources`.
    [[nodiscard]] std::vector<health_report> health() const {
        std::vector<health_report> reports;
        for (const resource_type& resource : get_resources()) {
            reports.push_back(health_->report(resource));
        }
        return reports;
    }

    /// Calls `f(resource, args...)` on a healthy resource that the policy chooses. If none is free, or
    /// `max_outstanding` submissions are outstanding, or the resources are full, waits.
    /// **Throws**: what `f` throws in its last attempt, if it threw in each.
    template <class F, class... Args>
        requires(!detail::is_submit_options_v<F>)
    [[gnu::always_inline]] auto submit(F&& f, Args&&... args) {
        using submission = submission_of<F, Args...>;
        if (is_plain_) [[likely]] {
            return submit_once<submission, std::remove_reference_t<F>,
                               passed<is_repeatable<F, Args...>, Args>...>(
                nullptr, f, [&](auto& task) __attribute__((always_inline)) {
                    return policy_.submit(
                        task, static_cast<passed<is_repeatable<F, Args...>, Args>>(args)...);
                });
        }
        return submission{begin({}, std::forward<F>(f), std::forward<Args>(args)...)};
    }

    /// As above, but waits for a resource no longer than `options` allow; a stop also ends work that is
    /// outstanding, as `recovering_submission::request_stop`.
    /// **Throws**: also `submit_timeout`, `submit_stopped`, `invalid_option`; `f` has then not been called.
    template <class F, class... Args>
    auto submit(const submit_options& options, F&& f, Args&&... args) {
        using submission = submission_of<F, Args...>;
        detail::submit_limit::check(options);
        if (is_plain_) {
            return submit_once<submission, std::remove_reference_t<F>,
                               std::remove_reference_t<Args>...>(&options.stop, f, [&](auto& task) {
                return policy_.submit(
                    options, task, static_cast<passed<is_repeatable<F, Args...>, Args>>(args)...);
            });
        }
        return submission{begin(options, std::forward<F>(f), std::forward<Args>(args)...)};
    }

    /// Returns an empty optional where `submit` would wait.
    template <class F, class... Args>
    [[nodiscard]] auto try_submit(F&& f, Args&&... args) {
        using submission = submission_of<F, Args...>;
        if (is_plain_) {
            return submit_once<std::optional<submission>, std::remove_reference_t<F>,
                               passed<is_repeatable<F, Args...>, Args>...>(
                nullptr, f, [&](auto& task) {
                    return policy_.try_submit(
                        task, static_cast<passed<is_repeatable<F, Args...>, Args>>(args)...);
                });
        }
        auto begun = try_begin({.timeout = clock::duration::zero()}, std::forward<F>(f),
                               std::forward<Args>(args)...);
        return begun ? std::optional<submission>{std::in_place, std::move(begun)}
                     : std::optional<submission>{};
    }

    /// As `submit`, but for a coroutine: `co_await p.submit_async(f, args...)` returns the submission. While no
    /// resource is free, or `max_outstanding` submissions are outstanding, or the resources are full, only the
    /// coroutine waits, behind those that came before it; it resumes as for `co_await submission`. Function and
    /// arguments are copied or moved; the function may be called by another thread. `request_stop` of the policy
    /// ends the wait.
    /// **Throws**: from `co_await`, what `submit` throws; `work_cancelled` after a stop.
    /// **Cost**: an allocation for each submission.
    /// **Example**: `auto submission = co_await p.submit_async(blur, photograph);`
    template <class F, class... Args>
    [[nodiscard]] auto submit_async(F&& f, Args&&... args) {
        using work = planned<F, Args...>;
        if constexpr (!is_repeatable<F, Args...>) {
            refuse_rvalues();
        }
        return detail::awaited_begin<submission_of<F, Args...>, work>{
            view_->line(), detail::make_ref<work>(view_, health_, policy_, detail::taken_place{},
                                                  std::stop_token{}, std::forward<F>(f),
                                                  std::forward<Args>(args)...)};
    }

    /// Submits as `submit`, whose arguments it takes, then waits for the work.
    template <class F, class... Args>
    void submit_and_wait(F&& f, Args&&... args) {
        submit(std::forward<F>(f), std::forward<Args>(args)...).wait();
    }

    /// Returns a group whose `wait()` blocks until all submissions so far have ended for good.
    [[nodiscard]] auto get_submission_group() const { return policy_.get_submission_group(); }

    /// Stops all outstanding work of this policy and its copies, as `recovering_submission::request_stop`; also asks
    /// functions that took a stop token. Later submissions, and policies that `with` returned, are not affected.
    void request_stop() { view_->request_stop(); }

  private:
    using view = detail::recovery_view<resource_type>;
    /// True if the function can be called again: it takes its arguments as lvalues.
    template <class F, class... Args>
    static constexpr bool is_repeatable =
        detail::called_with_stop<std::remove_reference_t<F>&, const resource_type&,
                                 std::remove_reference_t<Args>&...>;
    /// How an argument is passed.
    template <bool IsLvalue, class Arg>
    using passed = std::conditional_t<IsLvalue, std::remove_reference_t<Arg>&, Arg&&>;
    template <class F, class... Args>
    using single_submission = decltype(std::declval<Policy&>().submit(
        std::declval<detail::guarded_task<std::remove_reference_t<F>, resource_type>&>(),
        std::declval<passed<is_repeatable<F, Args...>, Args>>()...));
    template <class F, class... Args>
    using submission_of = recovering_submission<single_submission<F, Args...>, resource_type>;
    template <class F, class... Args>
    using planned = detail::planned_work<Policy, single_submission<F, Args...>, std::decay_t<F>,
                                         std::decay_t<Args>...>;

    static std::shared_ptr<view> make_view(recovery_options options) {
        if (options.times_expected && !detail::estimates_tasks<Policy, void (*)()>) {
            throw invalid_option{
                "times_expected is given for a policy that does not measure: pass a time_limit, or "
                "use "
                "auto_tune_policy or earliest_finish_policy"};
        }
        return std::make_shared<view>(std::move(options));
    }

    /// Returns a `Result` made from what `submit(task)` returns, for work that runs once. A function that takes a stop
    /// token gets `stop`, if that can be stopped, else the token of the policy.
    template <class Result, class F, class... Args, class Submit>
    [[gnu::always_inline]] Result submit_once(const std::stop_token* stop, F& f,
                                              const Submit& submit) {
        const auto submit_with = [&](const std::stop_token* token) __attribute__((always_inline)) {
            if (health_->all_open()) [[likely]] {
                detail::observed_task<F, resource_type> task{f, *health_, token};
                return made_from<Result>(
                    [&]() __attribute__((always_inline)) { return submit(task); });
            }
            detail::guard_record<resource_type> record{.stop = token};
            detail::guarded_task<F, resource_type> task{f, *health_, record};
            return made_from<Result>([&]()
                                         __attribute__((noinline, cold)) { return submit(task); });
        };
        if constexpr (detail::takes_stop_token<F&, const resource_type&, Args...>) {
            if (stop == nullptr || !stop->stop_possible()) {
                const std::stop_token of_policy = view_->stop_token();
                return submit_with(&of_policy);
            }
        }
        return submit_with(stop);
    }
    /// A submission, or an optional one from an optional single submission.
    template <class Result, class Submit>
    [[gnu::always_inline]] static Result made_from(const Submit& submit) {
        if constexpr (requires { typename Result::value_type; }) {
            auto found = submit();
            return found ? Result{std::in_place, [&] { return std::move(*found); }} : Result{};
        } else {
            return Result{submit};
        }
    }

    /// Begins work that may run again, or is limited. **Throws**: `submit_timeout` if no resource is free in time.
    template <class F, class... Args>
    [[nodiscard, gnu::noinline]] auto begin(const submit_options& options, F&& f, Args&&... args) {
        auto begun = try_begin(options, std::forward<F>(f), std::forward<Args>(args)...);
        if (!begun) {
            throw submit_timeout{*options.timeout};
        }
        return begun;
    }
    /// As above, but returns an empty reference if no resource is free in time.
    template <class F, class... Args>
    [[nodiscard]] auto try_begin(submit_options options, F&& f, Args&&... args) {
        using repeated = detail::repeated_work<single_submission<F, Args...>, resource_type>;
        if constexpr (is_repeatable<F, Args...>) {
            return detail::ref<repeated>{
                plan(std::move(options), std::forward<F>(f), std::forward<Args>(args)...)};
        } else {
            refuse_rvalues();
            return detail::ref<repeated>{};
        }
    }
    [[noreturn]] static void refuse_rvalues() {
        throw invalid_option{
            "the function takes an argument as an rvalue, so it can be called once: let it take a "
            "reference, or use submit and options without failure, limits and bounds"};
    }
    template <class F, class... Args>
    [[nodiscard]] auto plan(submit_options options, F&& f, Args&&... args) {
        using work = planned<F, Args...>;
        detail::taken_place place;
        if (const auto& places = view_->free_places()) {
            const auto begin = clock::now();
            try {
                places->take(options);
            } catch (const submit_timeout&) {
                return detail::ref<work>{};
            }
            place = detail::taken_place{places};
            if (options.timeout) {  // what is left of it
                options.timeout =
                    std::max(*options.timeout - (clock::now() - begin), clock::duration::zero());
            }
        }
        auto begun = detail::make_ref<work>(view_, health_, policy_, std::move(place), options.stop,
                                            std::forward<F>(f), std::forward<Args>(args)...);
        return begun->start(options) ? begun : detail::ref<work>{};
    }

    Policy policy_;
    std::shared_ptr<view> view_;
    detail::ref<detail::health_table<resource_type>> health_;
    bool is_plain_ = !view_->options().follow_work();
};

}  // namespace pointsman
