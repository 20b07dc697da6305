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

/// Is notified, once, that work is complete. Lives until then.
struct end_listener {
    void (*told)(end_listener* self) noexcept;
    end_listener* next = nullptr;
};

/// The listeners of one piece of work, told in the order in which they came.
/// **Thread safety**: any thread; moved only before the first one came.
class listener_list {
  public:
    listener_list() = default;
    listener_list(listener_list&&) noexcept {}
    listener_list& operator=(listener_list&&) noexcept { return *this; }

    /// Returns true if the work is complete and all have been notified, or are being notified.
    [[nodiscard]] bool is_closed() const noexcept {
        return head_.load(std::memory_order_acquire) == &closed_;
    }

    /// False when the work is complete: the listener is then not notified.
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

    /// Notifies all. Called once.
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

/// Opens once, when work is complete; threads wait for that, with a limit.
class gate : public binding::ref_counted {
  public:
    /// A gate that `listeners` open; already open when they have been told.
    [[nodiscard]] static binding::ref<gate> at_end_of(listener_list& listeners) {
        auto made = binding::make_ref<gate>();
        made->add_ref();  // of the list
        if (!listeners.add(made->listener_)) {
            told(&made->listener_);
        }
        return made;
    }

    /// Returns true if the gate is open; waits for it no longer than `pause`.
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
