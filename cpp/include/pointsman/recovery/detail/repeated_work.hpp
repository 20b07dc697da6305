// SPDX-License-Identifier: Apache-2.0
// Work that may run again after a failure, or has a time limit.
#pragma once

#include <algorithm>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <utility>
#include <vector>

#include "pointsman/base/delayed_calls.hpp"
#include "pointsman/base/ref_counted.hpp"
#include "pointsman/base/spare_threads.hpp"
#include "pointsman/base/written_time.hpp"
#include "pointsman/clock.hpp"
#include "pointsman/error.hpp"
#include "pointsman/recovery/attempt.hpp"
#include "pointsman/recovery/detail/attempted_work.hpp"
#include "pointsman/recovery/detail/end_watches.hpp"
#include "pointsman/recovery/detail/guarded_task.hpp"
#include "pointsman/recovery/detail/observed_work.hpp"
#include "pointsman/recovery/detail/outstanding_attempts.hpp"
#include "pointsman/recovery/detail/resource_places.hpp"
#include "pointsman/recovery/is_resource_failure.hpp"
#include "pointsman/recovery/recovery_options.hpp"
#include "pointsman/submission/submit_options.hpp"
#include "pointsman/submission/waitable_traits.hpp"

namespace pointsman::detail {

/// Begins the attempts of a piece of work, and decides what follows from their ends.
///
/// The submitting thread begins the first attempt, and others while the function throws. After the failure of
/// work that was pending a spare thread begins the next one. While an attempt begins, no other does.
template <class Submission, class Resource>
class repeated_work : public attempted_work<Submission, Resource> {
    using base = attempted_work<Submission, Resource>;
    using base::attempts_, base::changed_, base::error_, base::is_beginning_, base::is_complete_,
        base::is_stopped_, base::last_, base::running_;
    using typename base::run;

  public:
    /// Begins the work. Returns false if no resource is free within `limits`; the function was then not called.
    /// **Throws**: what the function threw in its last attempt, if all of them ended so; `no_healthy_resource`,
    /// `unsuitable_resources`, `submit_stopped`.
    [[nodiscard]] bool start(const submit_options& limits) {
        for (;;) {
            try {
                if (begin(limits)) {
                    return true;
                }
            } catch (const submit_timeout&) {
                if (attempts_.empty()) {
                    return false;
                }
                decide_later(attempts_.back().error, shortest_pause);
                return true;
            } catch (const std::exception&) {
                if (attempts_.empty()) {
                    throw;
                }
                std::rethrow_exception(attempts_.back().error);
            }
            if (!goes_on(attempts_.back().error)) {
                std::rethrow_exception(attempts_.back().error);
            }
            if (waits_for_memory(attempts_.back().error)) {
                decide_with_memory(this->last_attempt());
                return true;
            }
        }
    }

    /// Drops work that has not begun, and does not run the work again; functions that took a stop token are
    /// asked to stop.
    void request_stop() {
        std::vector<std::shared_ptr<Submission>> running;
        {
            const std::lock_guard lock{mutex_};
            is_stopped_ = true;
            for (const run& each : running_) {
                running.push_back(each.submission);
            }
            if (!is_beginning_ && running.empty()) {  // it waits for a resource
                static_cast<void>(complete(nullptr, std::make_exception_ptr(work_cancelled{})));
            }
        }
        this->settle();  // before functions are told, which may wait for the end
        stop_.request_stop();
        for (const auto& submission : running) {
            static_cast<void>(cancel(submission.get()));
        }
    }

  protected:
    using base::mutex_;

    /// **Throws**: `forked_process` if the time cannot be limited in this process.
    repeated_work(const recovery_options& options, std::optional<clock::duration> time_limit)
        : options_{options}, time_limit_{time_limit} {
        if (time_limit_) {
            delayed_calls::instance().prepare();
        }
    }

    /// Chooses a resource, calls `began(resource)`, and submits to it. Returns an empty object if the function
    /// threw, after `raised(error)`.
    virtual std::optional<Submission> try_once(const submit_options& limits,
                                               guard_record<Resource>& record) = 0;
    /// Called before the work is submitted again, after the attempt `failed`.
    virtual void runs_again(const attempt<Resource>& failed) noexcept = 0;
    /// Returns a flag that is set when other work on the resource ends.
    virtual end_flag watch_ends(const Resource& resource) = 0;
    /// Returns true if other work is known to be outstanding on the resource.
    [[nodiscard]] virtual bool is_busy(const Resource& resource) const = 0;
    /// Counts the end of an attempt for the health of its resource; `error` is null if it succeeded.
    virtual void count(const Resource& resource, const std::exception_ptr& error) noexcept = 0;

    /// Returns true if a stop was requested.
    [[nodiscard]] bool was_stopped() const {
        const std::lock_guard lock{mutex_};
        return is_stopped_;
    }

    /// Notes an attempt; returns the observer of its work, which gives back the place of the attempt.
    /// **Throws**: `work_cancelled` if the work has ended meanwhile, or must not run again.
    ref<work_observer> began(const Resource& resource, taken_resource_place<Resource> place,
                             outstanding_attempt<Resource> counted) {
        std::optional<attempt<Resource>> failed;
        std::size_t index = 0;
        {
            const std::lock_guard lock{mutex_};
            check_wanted();
            index = attempts_.size();
            if (index > 0) {
                failed = attempts_.back();
            }
            attempts_.push_back({resource});
            running_.push_back({.index = index});
        }
        if (failed) {
            runs_again(*failed);
        }
        return make_ref<attempt_observer>(ref<repeated_work>::share(this), index, std::move(place),
                                          std::move(counted));
    }
    /// The function of the attempt that begins threw `error`.
    void raised(const std::exception_ptr& error) {
        const std::lock_guard lock{mutex_};
        attempts_.back().error = error;
        std::erase_if(running_,
                      [this](const run& each) { return each.index + 1 == attempts_.size(); });
    }

  private:
    class attempt_observer final : public work_observer {
      public:
        attempt_observer(ref<repeated_work> work, std::size_t index,
                         taken_resource_place<Resource> place,
                         outstanding_attempt<Resource> counted) noexcept
            : work_{std::move(work)},
              index_{index},
              place_{std::move(place)},
              counted_{std::move(counted)} {}
        void ending() noexcept override {
            counted_.give_back();
            place_.give_back();
        }
        void succeeded() noexcept override { work_->attempt_ended(index_, nullptr); }
        void failed(const std::exception_ptr& error) noexcept override {
            work_->attempt_ended(index_, error);
        }

      private:
        ref<repeated_work> work_;
        std::size_t index_;
        taken_resource_place<Resource> place_;
        outstanding_attempt<Resource> counted_;
    };

    static constexpr clock::duration shortest_pause = std::chrono::milliseconds{1};
    static constexpr clock::duration longest_pause = std::chrono::milliseconds{100};

    /// **Throws**: `work_cancelled` if the work has ended, or must not run again. The mutex is locked.
    void check_wanted() const {
        if (is_complete_ || (is_stopped_ && !attempts_.empty())) {
            throw work_cancelled{};
        }
    }

    /// Begins an attempt. Returns false if the function threw. **Throws**: `submit_timeout` if no resource is free,
    /// `work_cancelled` as `check_wanted`, and what the policy throws; the function was then not called.
    bool begin(const submit_options& limits) {
        const std::stop_token stop = stop_.get_token();
        std::vector<Resource> tried;
        {
            const std::lock_guard lock{mutex_};
            check_wanted();
            is_beginning_ = true;
            for (const auto& each : attempts_) {
                if (options_.failure.leaves_out_tried()) {
                    tried.push_back(each.resource);
                }
            }
        }
        guard_record<Resource> record{.stop = &stop, .tried = tried};
        try {
            auto begun = try_once(limits, record);
            has_begun(begun ? std::make_shared<Submission>(std::move(*begun)) : nullptr,
                      record.rung);
            return begun.has_value();
        } catch (...) {
            has_begun(nullptr, record.rung);
            throw;
        }
    }

    /// An attempt has begun, or its function has thrown, or no resource was found. Deals with what has happened
    /// meanwhile.
    void has_begun(const std::shared_ptr<Submission>& submission, waitable_rung rung) noexcept {
        bool is_dropped = false;
        std::optional<run> ended;
        std::size_t index = 0;
        {
            const std::lock_guard lock{mutex_};
            is_beginning_ = false;
            index = attempts_.size() - 1;
            if (run* const own = submission ? this->find(index) : nullptr) {
                own->submission = submission;
                own->rung = rung;
                own->has_succeeded =
                    own->has_succeeded || rung == waitable_rung::complete_at_return;
                if (own->has_succeeded || own->error) {
                    ended = *own;
                }
            }
            last_ = submission && !is_complete_ ? submission : last_;
            is_dropped = is_stopped_ || is_complete_;
            changed_.notify_all();  // a waiting thread may have to wait for this work itself
        }
        if (ended) {
            deal_with(*ended);
        } else if (submission && is_dropped) {
            static_cast<void>(cancel(submission.get()));
        } else if (submission && time_limit_) {
            limit(index);
        }
        this->settle();
    }

    void limit(std::size_t index) noexcept {
        const auto now = clock::now();
        if (*time_limit_ >= clock::time_point::max() - now) {
            return;
        }
        auto& calls = delayed_calls::instance();
        std::optional<delayed_calls::ticket> dropped;
        try {
            const auto ticket = calls.call_at(
                now + *time_limit_,
                [self = ref<repeated_work>::share(this), index] { self->took_too_long(index); });
            const std::lock_guard lock{mutex_};
            run* const own = this->find(index);
            (own != nullptr && !own->is_late ? own->limit : dropped) = ticket;
        } catch (...) {  // no memory, or the process ends: without a limit
        }
        if (dropped) {
            calls.cancel(*dropped);
        }
    }

    /// On any thread that noticed the end, or, after a failure, on a spare thread.
    void attempt_ended(std::size_t index, const std::exception_ptr& error) noexcept {
        std::optional<run> ended;
        std::optional<Resource> resource;
        {
            const std::lock_guard lock{mutex_};
            run* const own = this->find(index);
            if (own == nullptr) {
                return;  // the function threw, or another attempt was faster
            }
            own->has_succeeded = !error;
            own->error = error;
            if (!own->is_late || !error) {
                resource = attempts_[index].resource;
            }
            if (own->submission || !is_beginning_ || index + 1 != attempts_.size()) {
                ended = *own;
            }  // else `has_begun` deals with it
        }
        if (resource) {
            count(*resource, error);
        }
        if (ended) {
            deal_with(*ended);
        }
    }

    /// Ends the work after an attempt that succeeded; goes on after one that failed.
    void deal_with(const run& ended) noexcept {
        std::optional<delayed_calls::ticket> limit;
        std::optional<std::vector<run>> others;
        {
            const std::lock_guard lock{mutex_};
            if (const run* const own = this->find(ended.index)) {
                limit = own->limit;
            }
            std::erase_if(running_, [&](const run& each) { return each.index == ended.index; });
            if (!ended.is_late || ended.has_succeeded) {
                attempts_[ended.index].error = ended.error;
            }
            if (ended.has_succeeded) {  // not later: a stop would find no attempt that runs
                others = complete(ended.submission, nullptr);
            }
        }
        if (limit) {
            delayed_calls::instance().cancel(*limit);
        }
        if (ended.has_succeeded) {
            finish(others);
        } else if (!ended.is_late) {  // else `took_too_long` has decided already
            go_on(ended.index, ended.error);
        }
    }
    void go_on(std::size_t index, const std::exception_ptr& error) noexcept {
        std::optional<attempt<Resource>> failed;
        if (goes_on(error) && waits_for_memory(error)) {
            const std::lock_guard lock{mutex_};
            failed = attempts_[index];
        }
        if (failed) {
            decide_with_memory(*failed);
        } else {
            decide_later(error, clock::duration::zero());
        }
    }

    /// On the thread of delayed calls.
    void took_too_long(std::size_t index) noexcept {
        std::shared_ptr<Submission> submission;
        {
            const std::lock_guard lock{mutex_};
            run* const own = this->find(index);
            if (own == nullptr || own->has_succeeded || own->error || is_complete_) {
                return;
            }
            own->is_late = true;
            own->limit.reset();
            submission = own->submission;
        }
        const bool had_begun = !cancel(submission.get());
        const auto error = std::make_exception_ptr(time_limit_exceeded{
            written_time(static_cast<double>(time_limit_->count())), had_begun});
        std::optional<Resource> resource;
        {
            const std::lock_guard lock{mutex_};
            attempts_[index].error = error;
            resource = attempts_[index].resource;
        }
        count(*resource, error);
        decide_later(error, clock::duration::zero());
    }

    /// On a spare thread: runs the work again after `error`, or ends with the error. If no resource is free,
    /// searches again after `pause`, and then after longer ones.
    void decide(std::exception_ptr error, clock::duration pause) noexcept {
        try {
            while (goes_on(error)) {
                if (begin({.timeout = clock::duration::zero()})) {
                    wait_here();
                    return;
                }
                const attempt<Resource> failed = this->last_attempt();
                error = failed.error;
                if (goes_on(error) && waits_for_memory(error)) {
                    decide_with_memory(failed);
                    return;
                }
            }
        } catch (const submit_timeout&) {
            decide_later(error, pause);
            return;
        } catch (const no_healthy_resource&) {  // no other can run it: the work has its own error
        } catch (const unsuitable_resources&) {
        } catch (const work_cancelled&) {
        } catch (...) {  // by the rule of the policy
            error = std::current_exception();
        }
        end_with(error);
    }
    void decide_later(const std::exception_ptr& error, clock::duration pause) noexcept {
        const auto longer = std::min(std::max(2 * pause, shortest_pause), longest_pause);
        const auto decide_now = [self = ref<repeated_work>::share(this), error, longer] {
            self->decide(error, longer);
        };
        try {
            if (pause == clock::duration::zero()) {
                spare_threads::instance().run(decide_now);
            } else {
                delayed_calls::instance().call_at(clock::now() + pause, [decide_now, this, error] {
                    try {
                        spare_threads::instance().run(decide_now);
                    } catch (...) {
                        end_with(error);
                    }
                });
            }
        } catch (...) {  // no memory, no thread, or the process ends
            end_with(error);
        }
    }

    /// Runs the work again when one more piece of work has ended on the resource of `failed`, as that may have had
    /// the memory, or when none is left there.
    void decide_with_memory(const attempt<Resource>& failed) noexcept {
        try {
            // Where other processes have the memory, later attempts wait longer.
            const auto doublings = std::min<std::size_t>(failures() - 1, 10);
            look_later(failed, watch_ends(failed.resource),
                       std::min(shortest_pause * (1 << doublings), longest_pause), shortest_pause);
        } catch (...) {
            end_with(failed.error);
        }
    }
    /// **Throws**: as `delayed_calls::call_at`.
    void look_later(const attempt<Resource>& failed, const end_flag& has_ended,
                    clock::duration pause, clock::duration next_pause) {
        delayed_calls::instance().call_at(
            clock::now() + pause, [self = ref<repeated_work>::share(this), failed, has_ended,
                                   next_pause] { self->look(failed, has_ended, next_pause); });
    }
    /// On the thread of delayed calls.
    void look(const attempt<Resource>& failed, const end_flag& has_ended,
              clock::duration pause) noexcept {
        try {
            if (goes_on(failed.error) && !*has_ended && is_busy(failed.resource)) {
                look_later(failed, has_ended, pause, std::min(2 * pause, longest_pause));
            } else {
                decide_later(failed.error, clock::duration::zero());
            }
        } catch (...) {
            end_with(failed.error);
        }
    }
    [[nodiscard]] std::size_t failures() const {
        const std::lock_guard lock{mutex_};
        return static_cast<std::size_t>(std::ranges::count_if(
            attempts_, [](const attempt<Resource>& each) { return each.error != nullptr; }));
    }

    /// Waits on a spare thread for an attempt that has only a wait(): a wait for the group may have begun before it.
    void wait_here() noexcept {
        std::shared_ptr<Submission> waited;
        {
            const std::lock_guard lock{mutex_};
            if (auto taken = this->take_waited()) {
                waited = std::move(*taken);
            }
        }
        if (waited) {
            base::wait_quietly(waited);
        }
    }

    [[nodiscard]] bool goes_on(const std::exception_ptr& error) const {
        const std::lock_guard lock{mutex_};
        return !is_stopped_ && !is_complete_ && !is_cancellation(error) &&
               attempts_.size() <= options_.failure.times();
    }
    /// Under a fallback the work goes elsewhere instead.
    [[nodiscard]] bool waits_for_memory(const std::exception_ptr& error) const {
        return !options_.failure.leaves_out_tried() && is_out_of_memory(error);
    }
    [[nodiscard]] static bool is_cancellation(const std::exception_ptr& error) {
        try {
            std::rethrow_exception(error);
        } catch (const work_cancelled&) {
            return true;
        } catch (...) {
            return false;
        }
    }

    /// Ends with `error`, unless another attempt still runs within its limit.
    void end_with(const std::exception_ptr& error) noexcept {
        {
            const std::lock_guard lock{mutex_};
            if (std::ranges::any_of(running_, [](const run& each) { return !each.is_late; })) {
                return;
            }
        }
        finish(nullptr, error);
    }

    void finish(const std::shared_ptr<Submission>& winner,
                const std::exception_ptr& error) noexcept {
        std::optional<std::vector<run>> others;
        {
            const std::lock_guard lock{mutex_};
            others = complete(winner, error);
        }
        finish(others);
    }
    /// Notes the result, and returns the runs that are no longer wanted; nothing if there was a result before. The
    /// mutex is locked.
    [[nodiscard]] std::optional<std::vector<run>> complete(
        const std::shared_ptr<Submission>& winner, const std::exception_ptr& error) {
        if (is_complete_) {
            return {};
        }
        is_complete_ = true;
        last_ = winner ? winner : last_;
        error_ = error;
        std::vector<run> others;
        others.swap(running_);
        for (const run& other : others) {
            if (!attempts_[other.index].error) {
                attempts_[other.index].error = std::make_exception_ptr(work_cancelled{});
            }
        }
        return others;
    }
    /// Ends the work after `complete` returned `others`.
    void finish(const std::optional<std::vector<run>>& others) noexcept {
        if (!others) {
            return;
        }
        if (!others->empty()) {
            stop_.request_stop();
        }
        for (const run& other : *others) {
            if (other.limit) {
                delayed_calls::instance().cancel(*other.limit);
            }
            static_cast<void>(cancel(other.submission.get()));
        }
        this->settle();
    }

    /// Cancels work that can be cancelled and has not begun; returns true if it was.
    static bool cancel(const Submission* submission) noexcept {
        if constexpr (requires {
                          { submission->returned().work.cancel() } -> std::convertible_to<bool>;
                      }) {
            return submission != nullptr && submission->returned().work.cancel();
        } else {
            return false;
        }
    }

    const recovery_options options_;
    const std::optional<clock::duration> time_limit_;
    std::stop_source stop_;
};

}  // namespace pointsman::detail
