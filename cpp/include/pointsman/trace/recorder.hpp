// SPDX-License-Identifier: Apache-2.0
// The switch of tracing, and the buffers to which threads write while it is on.
#pragma once

#include <pthread.h>

#include <atomic>
#include <cstdint>
#include <new>
#include <thread>
#include <utility>

#include "pointsman/clock.hpp"
#include "pointsman/trace/detail/event_log.hpp"
#include "pointsman/trace/event.hpp"

namespace pointsman::trace {

/// Passes events to the session that records, if there is one. Each thread has a buffer of its own, which
/// it fills without a lock. Exported from every shared library, so that all of them share one switch.
///
/// A forked child records nothing until it begins a session of its own.
/// **Thread safety**: any member from any thread.
class [[gnu::visibility("default")]] recorder {
  public:
    /// Returns true while a session records.
    /// **Cost**: one relaxed load.
    [[nodiscard, gnu::always_inline]] static bool is_on() noexcept {
        return is_on_.load(std::memory_order_relaxed);
    }

    /// Adds an event, or does nothing if no session records.
    /// **Cost**: some 15 ns.
    static void record(const event& added) noexcept {
        thread_slot* const mine = slot_of_this_thread();
        if (mine == nullptr) {
            return;
        }
        // With the store before the load, and those of `end` in the opposite order, either this thread
        // finds no log or `end` finds this thread busy.
        mine->is_busy.store(true);
        if (detail::event_log* const log = log_.load(); log != nullptr) {
            if (mine->log_number != log->number()) [[unlikely]] {
                mine->log_number = log->number();
                mine->log = log->log_of_new_thread();
            }
            if (mine->log != nullptr) {
                log->add(*mine->log, added);
            }
        }
        mine->is_busy.store(false, std::memory_order_release);
    }

    /// Returns a number that no other submission of the process has; 0 while the thread ends.
    [[nodiscard]] static std::uint64_t next_task() noexcept {
        thread_slot* const mine = slot_of_this_thread();
        return mine == nullptr ? 0 : (std::uint64_t{mine->number} << 40U) + ++mine->tasks;
    }

    /// Begins to record in `log`; returns false if another session records.
    [[nodiscard]] static bool begin(detail::event_log& log) {
        static const bool armed = pthread_atfork(nullptr, nullptr, &restart_in_child) == 0;
        static_cast<void>(armed);  // out of memory: a child continues to record
        detail::event_log* none = nullptr;
        if (!log_.compare_exchange_strong(none, &log)) {
            return false;
        }
        is_on_.store(true);
        return true;
    }

    /// Ends the recording in the log of `begin`; no thread uses it after the return.
    static void end() noexcept {
        is_on_.store(false);
        log_.store(nullptr);
        for (const auto* slot = slots_.load(); slot != nullptr; slot = slot->next) {
            while (slot->is_busy.load()) {
                std::this_thread::yield();
            }
        }
    }

  private:
    /// What the recorder knows of a thread. Never freed; reused when its thread has ended.
    struct thread_slot {
        std::atomic<bool> is_busy{false};
        std::atomic<bool> is_taken{true};
        thread_slot* next = nullptr;
        std::uint64_t log_number = 0;  // to which `log` belongs
        detail::thread_log* log = nullptr;
        std::uint32_t number = 0;
        std::uint64_t tasks = 0;
    };
    /// Returns the slot when the thread ends.
    struct slot_guard {
        ~slot_guard() {
            has_ended_ = true;
            if (thread_slot* const mine = std::exchange(mine_, nullptr)) {
                mine->log_number = 0;
                mine->is_taken.store(false, std::memory_order_release);
            }
        }
    };

    [[nodiscard]] static thread_slot* slot_of_this_thread() noexcept {
        return mine_ != nullptr ? mine_ : take_slot();
    }

    [[nodiscard, gnu::cold, gnu::noinline]] static thread_slot* take_slot() noexcept {
        if (has_ended_) {
            return nullptr;
        }
        static thread_local const slot_guard guard;
        static_cast<void>(guard);
        for (auto* slot = slots_.load(); slot != nullptr; slot = slot->next) {
            if (!slot->is_taken.exchange(true)) {
                return mine_ = slot;
            }
        }
        mine_ = new (std::nothrow) thread_slot;
        if (mine_ != nullptr) {
            mine_->number = slot_count_.fetch_add(1) + 1;
            mine_->next = slots_.load();
            while (!slots_.compare_exchange_weak(mine_->next, mine_)) {
            }
        }
        return mine_;
    }

    /// In the child the other threads are gone, perhaps in the middle of `record`.
    static void restart_in_child() noexcept {
        is_on_.store(false);
        log_.store(nullptr);
        slots_.store(nullptr);
        mine_ = nullptr;
    }

    static inline std::atomic<bool> is_on_{false};
    static inline std::atomic<detail::event_log*> log_{nullptr};
    static inline std::atomic<thread_slot*> slots_{nullptr};
    static inline std::atomic<std::uint32_t> slot_count_{0};
    static inline constinit thread_local thread_slot* mine_ = nullptr;
    static inline constinit thread_local bool has_ended_ = false;
};

}  // namespace pointsman::trace
