// SPDX-License-Identifier: Apache-2.0
// Sees the ends of the commands of one in-order queue by looking at the oldest alone.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <iterator>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "fairlead/clock.hpp"
#include "fairlead/resource/opencl/api.hpp"
#include "fairlead/resource/opencl/callback_slot.hpp"
#include "fairlead/resource/opencl/command.hpp"
#include "fairlead/submission/ref_counted.hpp"
#include "fairlead/submission/watcher.hpp"

namespace fairlead::opencl::detail {

/// The outstanding commands of an in-order queue. Only the oldest is polled, and only one has a
/// callback: a submission costs a place in a list, whatever is outstanding. Where the driver calls back,
/// the watcher looks too, for failed commands, of which PoCL 3.1 never tells.
///
/// A look from another thread keeps the driver from enqueuing, so it is left to the submitting thread, at
/// every `looks_apart`-th command, and to the watcher once nothing has come for `quiet`. The callback is
/// that of the command after an eighth of them, so that of few commands each is noticed at once.
///
/// Threads that enqueue at the same time may be listed in another order than the queue's: an end is
/// then noticed as late as that of its neighbour.
///
/// No driver is called under the lock, since a driver may hold locks of its own while it calls back.
///
/// A forked child adds nothing, since its events have failed, and its slots lead nowhere: it takes no
/// lock, which a thread that it lacks might hold. What is listed is the parent's.
class in_order_watch final : public fairlead::detail::pollable_work {
  public:
    explicit in_order_watch(notice noticed_by)
        : slot_{noticed_by == notice::callback ? callback_slot::take({this, &called_back})
                                               : nullptr} {}

    /// Promises one call of `wanted.callback` when the command is over.
    /// **Throws**: `std::bad_alloc`, `std::system_error`; the callback is not called then.
    void add(notification wanted) {
        if (append(std::move(wanted))) {
            look();
        }
    }

    /// The watcher's look.
    fairlead::detail::poll_result poll() noexcept override {
        using enum fairlead::detail::poll_result;
        if (!is_due(clock::now())) {
            return nothing_new;
        }
        has_callback_ = false;
        look();
        std::lock_guard lock{mutex_};
        is_watched_ = outstanding_ != 0;
        return !is_watched_ ? over : std::exchange(has_progressed_, false) ? progress : nothing_new;
    }

  private:
    static constexpr std::size_t parts = 8;
    static constexpr std::uint32_t looks_apart = 16;
    static constexpr std::chrono::microseconds quiet{100};

    ~in_order_watch() override {
        if (slot_ != nullptr) {
            slot_->give_back();
        }
    }

    /// True when it is time to look.
    bool append(notification wanted) {
        std::lock_guard lock{mutex_};
        added_ = wanted.watched.enqueued;
        if (!is_watched_) {
            fairlead::detail::watcher::instance().watch(
                fairlead::detail::ref<in_order_watch>::share(this));
            is_watched_ = true;
        }
        const bool is_other_thread = std::exchange(thread_, std::this_thread::get_id()) != thread_;
        is_mixed_ = !listed_.empty() && (is_mixed_ || is_other_thread);
        listed_.push_back(std::move(wanted));
        const bool is_alone = ++outstanding_ == 1;
        return is_alone || (slot_ == nullptr && ++unlooked_ % looks_apart == 0);
    }

    bool is_due(clock::time_point now) noexcept {
        std::lock_guard lock{mutex_};
        return now >= added_ + quiet;
    }

    static void called_back(fairlead::detail::ref_counted& object) noexcept {
        auto& watch = static_cast<in_order_watch&>(object);
        watch.has_callback_ = false;
        watch.look();
    }

    /// One thread looks at a time; it looks again for those that come meanwhile.
    void look() noexcept {
        std::uint32_t wanted = 1;
        if (looks_.fetch_add(1) == 0) {
            do {
                send_those_over();
                wanted = looks_.fetch_sub(wanted) - wanted;
            } while (wanted != 0);
        }
    }

    void send_those_over() noexcept {
        slot_ != nullptr ? send_one_by_one() : send_batches();
    }

    /// What was listed at one look is over as soon as its newest command is: one question for all, and
    /// one timestamp read. On NVIDIA's driver each costs the thread that enqueues a microsecond.
    void send_batches() noexcept {
        for (auto batch = take_batch(); !batch.empty(); batch = take_batch()) {
            const auto noticed = completion::noticed_now();
            for (notification& each : batch) {
                if (each.callback.wants_time && &each == &batch.back()) {
                    each.send();
                } else {
                    each.send(noticed);
                }
            }
            std::lock_guard lock{mutex_};
            outstanding_ -= batch.size();
            has_progressed_ = true;
        }
    }

    /// Empty while the newest command of the batch is not over.
    std::deque<notification> take_batch() noexcept {
        command newest;
        {
            std::lock_guard lock{mutex_};
            if (listed_.empty()) {
                return {};
            }
            batch_ = is_mixed_ ? 1 : batch_ != 0 ? batch_ : listed_.size();
            newest = listed_[batch_ - 1].watched;
        }
        if (newest.status() > CL_COMPLETE) {
            return {};
        }
        std::lock_guard lock{mutex_};
        std::deque<notification> taken;
        const auto end = listed_.begin() + static_cast<std::ptrdiff_t>(std::exchange(batch_, 0));
        std::move(listed_.begin(), end, std::back_inserter(taken));
        listed_.erase(listed_.begin(), end);
        return taken;
    }

    void send_one_by_one() noexcept {
        for (bool some = oldest_ || advance(0); some; some = advance(1)) {
            if (!oldest_->watched.is_over()) {
                ask_for_callback();
                return;
            }
            oldest_->send();
            oldest_.reset();
        }
    }

    /// Has the next command looked at; false when there is none.
    bool advance(std::size_t sent) noexcept {
        std::lock_guard lock{mutex_};
        outstanding_ -= sent;
        has_progressed_ = has_progressed_ || sent != 0;
        if (listed_.empty()) {
            return false;
        }
        oldest_ = std::move(listed_.front());
        listed_.pop_front();
        return true;
    }

    void ask_for_callback() noexcept {
        if (slot_ == nullptr || has_callback_.exchange(true)) {
            return;
        }
        if (clSetEventCallback(after_an_eighth(), CL_COMPLETE, &callback_slot::on_callback,
                               slot_) != CL_SUCCESS) {
            has_callback_ = false;
        }
    }

    /// Only the thread that looks takes events from the list, so this one stays.
    cl_event after_an_eighth() noexcept {
        std::lock_guard lock{mutex_};
        const std::size_t ahead = listed_.size() / parts;
        return (ahead == 0 ? *oldest_ : listed_[ahead - 1]).watched.event();
    }

    callback_slot* const slot_;
    std::atomic<std::uint32_t> looks_{0};  // that are wanted; the first is under way

    std::atomic<bool> has_callback_{false};
    std::optional<notification> oldest_;  // of the thread that looks

    std::mutex mutex_;  // guards what follows
    std::deque<notification> listed_;
    std::size_t outstanding_ = 0;  // with the oldest
    bool is_watched_ = false;
    bool has_progressed_ = false;
    std::uint32_t unlooked_ = 0;
    clock::time_point added_{};
    std::size_t batch_ = 0;    // that was listed at the last look
    std::thread::id thread_;   // that added last
    bool is_mixed_ = false;    // added by several threads, so perhaps not in the queue's order
};

}  // namespace fairlead::opencl::detail
