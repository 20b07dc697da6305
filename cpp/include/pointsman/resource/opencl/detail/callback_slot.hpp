// SPDX-License-Identifier: Apache-2.0
// A permanent target for a driver's callback, instead of a pointer to an object that may be destroyed.
#pragma once

#include <mutex>
#include <utility>

#include "pointsman/base/ref_counted.hpp"
#include "pointsman/resource/opencl/api.hpp"
#include "pointsman/resource/opencl/detail/driver_mark.hpp"

namespace pointsman::opencl::detail {

/// Forwards a callback to its owner while the owner exists. Slots are reused and never freed, so a
/// callback that comes late, twice or never corrupts and leaks nothing. A late callback may reach the
/// next owner of its slot, so owners must tolerate surplus calls. In a forked child the parent's slots
/// forward nothing, and their locks are not touched.
/// **Thread safety**: any member from any thread.
class callback_slot {
  public:
    struct owner {
        pointsman::detail::ref_counted* object = nullptr;
        void (*call)(pointsman::detail::ref_counted&) noexcept = nullptr;
    };

    /// **Throws**: `std::bad_alloc`.
    [[nodiscard]] static callback_slot* take(owner taker) {
        std::lock_guard lock{*list_mutex};
        callback_slot* slot = free;
        if (slot != nullptr) {
            free = slot->next_;
        } else {
            slot = new callback_slot;
        }
        std::lock_guard change{slot->mutex_};
        slot->owner_ = taker;
        return slot;
    }

    /// Called by the destructor of the owner. No call begins after this.
    void give_back() noexcept {
        if (driver_mark().is_stale()) {
            return;
        }
        {
            std::lock_guard change{mutex_};
            owner_ = {};
        }
        std::lock_guard lock{*list_mutex};
        next_ = std::exchange(free, this);
    }

    static void CL_CALLBACK on_callback(cl_event, cl_int, void* slot) noexcept {
        if (driver_mark().is_stale()) {
            return;
        }
        const auto [found, call] = static_cast<callback_slot*>(slot)->find();
        if (found) {
            call(*found);
        }
    }

  private:
    using shared_owner = pointsman::detail::ref<pointsman::detail::ref_counted>;

    std::pair<shared_owner, decltype(owner::call)> find() noexcept {
        std::lock_guard lock{mutex_};
        return {shared_owner::share_if_alive(owner_.object), owner_.call};
    }

    // Never destroyed: drivers may call back while the process exits.
    static inline std::mutex* const list_mutex = new std::mutex;
    static inline callback_slot* free = nullptr;

    std::mutex mutex_;
    owner owner_;
    callback_slot* next_ = nullptr;
};

}  // namespace pointsman::opencl::detail
