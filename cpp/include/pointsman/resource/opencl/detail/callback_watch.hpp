// SPDX-License-Identifier: Apache-2.0
// Notices the completion of an in-order queue's commands where the driver calls back promptly.
#pragma once

#include <chrono>
#include <cstddef>

#include "pointsman/resource/opencl/api.hpp"
#include "pointsman/resource/opencl/detail/callback_slot.hpp"
#include "pointsman/resource/opencl/detail/in_order_watch.hpp"

namespace pointsman::opencl::detail {

/// Polls only the oldest command, and registers one callback at a time: after an eighth of the
/// outstanding commands, so that each completion is noticed at once if few are outstanding. The watcher
/// polls too, for failed commands, which PoCL 3.1 never reports.
class callback_watch final : public in_order_watch {
  public:
    /// **Throws**: `std::bad_alloc`.
    callback_watch()
        : in_order_watch{between_bursts}, slot_{callback_slot::take({this, &called_back})} {}

  private:
    static constexpr std::chrono::milliseconds between_bursts{100};
    static constexpr std::size_t parts = 8;

    ~callback_watch() override { slot_->give_back(); }

    /// If other commands are outstanding, a callback is already registered.
    bool should_poll(const command&, std::size_t outstanding) noexcept override {
        return outstanding == 1;
    }

    static void called_back(pointsman::detail::ref_counted& object) noexcept {
        static_cast<callback_watch&>(object).poll_as(poller::other);
    }

    void send_completed(poller) noexcept override {
        do {
            for (; sent_ != taken_.commands.size(); ++sent_) {
                notification& oldest = taken_.commands[sent_];
                if (!oldest.watched().is_complete()) {
                    ask_for_callback();
                    return;
                }
                oldest.send();
            }
            sent_ = 0;
            asked_ = 0;
        } while (refill(taken_));
    }

    /// Registers a callback unless one is still pending. If the listed order is uncertain, on the oldest
    /// command: a later command may complete before it.
    void ask_for_callback() noexcept {
        if (asked_ > sent_) {
            return;
        }
        const std::size_t ahead =
            taken_.are_mixed ? 0 : (taken_.commands.size() - sent_ - 1) / parts;
        if (clSetEventCallback(taken_.commands[sent_ + ahead].watched().event(), CL_COMPLETE,
                               &callback_slot::on_callback, slot_) == CL_SUCCESS) {
            asked_ = sent_ + ahead + 1;
        }
    }

    taken taken_;  // owned by the polling thread, like the following
    std::size_t sent_ = 0;
    std::size_t asked_ = 0;      // up to and including the command that has a callback
    callback_slot* const slot_;  // last: a late call for its previous owner may come at once
};

}  // namespace pointsman::opencl::detail
