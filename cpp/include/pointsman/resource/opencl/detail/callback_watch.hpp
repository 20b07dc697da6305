// SPDX-License-Identifier: Apache-2.0
// Sees the ends of the commands of an in-order queue where the driver calls back in time.
#pragma once

#include <chrono>
#include <cstddef>

#include "pointsman/resource/opencl/api.hpp"
#include "pointsman/resource/opencl/detail/callback_slot.hpp"
#include "pointsman/resource/opencl/detail/in_order_watch.hpp"

namespace pointsman::opencl::detail {

/// Looks at the oldest command alone, and has one callback out: on the command after an eighth of
/// those outstanding, so that the end of each of a few is noticed at once. The watcher looks too,
/// for failed commands, of which PoCL 3.1 never tells.
class callback_watch final : public in_order_watch {
  public:
    /// **Throws**: `std::bad_alloc`.
    callback_watch()
        : in_order_watch{between_bursts}, slot_{callback_slot::take({this, &called_back})} {}

  private:
    static constexpr std::chrono::milliseconds between_bursts{100};
    static constexpr std::size_t parts = 8;

    ~callback_watch() override { slot_->give_back(); }

    /// With others outstanding a callback is out.
    bool is_time_to_look(const command&, std::size_t outstanding) noexcept override {
        return outstanding == 1;
    }

    static void called_back(pointsman::detail::ref_counted& object) noexcept {
        static_cast<callback_watch&>(object).look(looker::other);
    }

    void send_those_over(looker) noexcept override {
        do {
            for (; sent_ != taken_.commands.size(); ++sent_) {
                notification& oldest = taken_.commands[sent_];
                if (!oldest.watched().is_over()) {
                    ask_for_callback();
                    return;
                }
                oldest.send();
            }
            sent_ = 0;
            asked_ = 0;
        } while (refill(taken_));
    }

    /// Unless the command that has one is still to end. Commands that may be out of order are waited for
    /// one by one: another's end may come first.
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

    taken taken_;  // of the thread that looks, as is what follows
    std::size_t sent_ = 0;
    std::size_t asked_ = 0;      // up to and with the command that has a callback
    callback_slot* const slot_;  // last: a late call for its last owner may come at once
};

}  // namespace pointsman::opencl::detail
