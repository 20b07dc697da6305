// SPDX-License-Identifier: Apache-2.0
// Objects that are notified of the end of work, and the gate at which threads wait for it.
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <utility>

#include "pointsman/binding/base.hpp"
#include "pointsman/clock.hpp"

namespace pointsman::python {

/// Called once, when work is complete; must live until then.
struct end_listener {
    void (*notify)(end_listener* self) noexcept;
    end_listener* next = nullptr;
};

/// The listeners of one piece of work, notified in the order in which they were added.
/// **Thread safety**: any thread; may be moved only before the first listener is added.
class listener_list {
  public:
    listener_list() = default;
    listener_list(listener_list&&) noexcept {}
    listener_list& operator=(listener_list&&) noexcept { return *this; }

    /// Returns true if the work is complete and all have been notified, or are being notified.
    [[nodiscard]] bool is_closed() const noexcept {
        return head_.load(std::memory_order_acquire) == &closed_;
    }

    /// Returns false if the work is complete: the listener is then not notified.
    [[nodiscard]] bool add(end_listener& listener) noexcept {
        end_listener* head = head_.load(std::memory_order_acquire);
        do {
            if (head == &closed_) {
                return false;
            }
            listener.next = head;
        } while (!head_.compare_exchange_weak(head, &listener, std::memory_order_acq_rel));
        return true;
    }

    /// Notifies all listeners. Called once.
    void close() noexcept {
        end_listener* in_order = nullptr;
        for (auto* l = head_.exchange(&closed_, std::memory_order_acq_rel); l != nullptr;) {
            l = std::exchange(l->next, std::exchange(in_order, l));
        }
        while (in_order != nullptr) {
            auto* const first = std::exchange(in_order, in_order->next);
            first->notify(first);
        }
    }

  private:
    static inline end_listener closed_{nullptr};
    std::atomic<end_listener*> head_{nullptr};
};

/// Opens once, when work is complete; threads wait for it with a timeout.
class gate : public binding::ref_counted {
  public:
    /// Returns a gate that opens when `listeners` are notified; already open if they have been.
    [[nodiscard]] static binding::ref<gate> at_end_of(listener_list& listeners) {
        auto made = binding::make_ref<gate>();
        made->add_ref();  // owned by the list
        if (!listeners.add(made->listener_)) {
            on_end(&made->listener_);
        }
        return made;
    }

    /// Waits at most `pause`; returns true if the gate is open.
    bool wait_for(clock::duration pause) {
        std::unique_lock lock{mutex_};
        return opened_.wait_for(lock, pause, [this] { return is_open_; });
    }

    /// Opens the gate; called directly only for a gate that is in no list.
    void open() noexcept {
        {
            std::lock_guard lock{mutex_};
            is_open_ = true;
        }
        opened_.notify_all();
    }

  private:
    struct opener : end_listener {
        gate* owner;
    };
    static void on_end(end_listener* listener) noexcept {
        gate* const owner = static_cast<opener*>(listener)->owner;
        owner->open();
        owner->release();
    }

    opener listener_{{&on_end}, this};
    std::mutex mutex_;
    std::condition_variable opened_;
    bool is_open_ = false;
};

}  // namespace pointsman::python
