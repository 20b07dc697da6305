// SPDX-License-Identifier: Apache-2.0
// Callbacks for the completion of work, and a gate on which threads wait for it with a timeout.
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <utility>

#include "pointsman/binding/base.hpp"
#include "pointsman/clock.hpp"

namespace pointsman::python {

/// Receives one call when work is complete, and must live until then.
struct end_listener {
    void (*told)(end_listener* self) noexcept;
    end_listener* next = nullptr;
};

/// The listeners of one piece of work, called in the order in which they were added.
/// **Thread safety**: any thread; may be moved only before the first listener is added.
class listener_list {
  public:
    listener_list() = default;
    listener_list(listener_list&&) noexcept {}
    listener_list& operator=(listener_list&&) noexcept { return *this; }

    /// Returns true if the work is complete and its listeners have been called or are being called.
    [[nodiscard]] bool is_closed() const noexcept {
        return head_.load(std::memory_order_acquire) == &closed_;
    }

    /// Returns false, and does not add the listener, if the work is complete.
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

    /// Calls all listeners. Call it once.
    void close() noexcept {
        end_listener* in_order = nullptr;
        for (auto* l = head_.exchange(&closed_, std::memory_order_acq_rel); l != nullptr;) {
            l = std::exchange(l->next, std::exchange(in_order, l));
        }
        while (in_order != nullptr) {
            auto* const first = std::exchange(in_order, in_order->next);
            first->told(first);
        }
    }

  private:
    static inline end_listener closed_{nullptr};
    std::atomic<end_listener*> head_{nullptr};
};

/// Opens once, when work is complete; threads can wait for it with a timeout.
class gate : public binding::ref_counted {
  public:
    /// Returns a gate that opens when `listeners` is closed; open already if it has been closed.
    [[nodiscard]] static binding::ref<gate> at_end_of(listener_list& listeners) {
        auto made = binding::make_ref<gate>();
        made->add_ref();  // the list's reference
        if (!listeners.add(made->listener_)) {
            told(&made->listener_);
        }
        return made;
    }

    /// Waits at most `pause`; returns true if the gate is open.
    bool wait_for(clock::duration pause) {
        std::unique_lock lock{mutex_};
        return opened_.wait_for(lock, pause, [this] { return is_open_; });
    }

    /// Opens a gate that belongs to no list.
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
    static void told(end_listener* listener) noexcept {
        gate* const owner = static_cast<opener*>(listener)->owner;
        owner->open();
        owner->release();
    }

    opener listener_{{&told}, this};
    std::mutex mutex_;
    std::condition_variable opened_;
    bool is_open_ = false;
};

}  // namespace pointsman::python
