// SPDX-License-Identifier: Apache-2.0
// The memory of one recording: a list of blocks for each thread, bounded in total.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <new>
#include <vector>

#include "pointsman/trace/event.hpp"

namespace pointsman::trace::detail {

/// The events of one thread. Only this thread adds to it.
struct thread_log {
    static constexpr std::size_t block_size = 1024;
    struct block {
        std::array<event, block_size> events;
        std::unique_ptr<block> previous;
    };

    std::uint32_t thread = 0;
    std::size_t size_of_last = block_size;
    std::uint64_t dropped = 0;
    std::unique_ptr<block> last;

    ~thread_log() {
        while (last) {  // not by recursion: there may be thousands
            last = std::move(last->previous);
        }
    }
};

/// The events of all threads.
/// **Thread safety**: `log_of_new_thread` and `add` from any thread; `take` once no thread adds.
class [[gnu::visibility("default")]] event_log {
  public:
    explicit event_log(std::size_t most_events)
        : blocks_left_{static_cast<std::ptrdiff_t>((most_events + thread_log::block_size - 1) /
                                                   thread_log::block_size)} {}

    /// Returns a number that no other log of the process has.
    [[nodiscard]] std::uint64_t number() const noexcept { return number_; }

    /// Returns null if there is no memory.
    [[nodiscard]] thread_log* log_of_new_thread() noexcept {
        try {
            const std::lock_guard lock{mutex_};
            threads_.push_back(std::make_unique<thread_log>());
            threads_.back()->thread = static_cast<std::uint32_t>(threads_.size());
            return threads_.back().get();
        } catch (const std::bad_alloc&) {
            return nullptr;
        }
    }

    /// **Cost**: a copy; an allocation for each thousand events.
    void add(thread_log& log, const event& added) noexcept {
        if (log.size_of_last == thread_log::block_size && !grow(log)) [[unlikely]] {
            ++log.dropped;
            return;
        }
        event& slot = log.last->events[log.size_of_last++];
        slot = added;
        slot.thread = log.thread;
    }

    /// Moves the events, in no order, to the end of `events`; returns the number of dropped events.
    std::uint64_t take(std::vector<event>& events) {
        std::uint64_t dropped = 0;
        for (const auto& log : threads_) {
            dropped += log->dropped;
            std::size_t size = log->size_of_last;
            for (const auto* block = log->last.get(); block != nullptr;
                 block = block->previous.get()) {
                events.insert(events.end(), block->events.begin(),
                              block->events.begin() + static_cast<std::ptrdiff_t>(size));
                size = thread_log::block_size;
            }
        }
        threads_.clear();
        return dropped;
    }

  private:
    [[nodiscard, gnu::noinline]] bool grow(thread_log& log) noexcept {
        if (blocks_left_.fetch_sub(1, std::memory_order_relaxed) <= 0) {
            blocks_left_.fetch_add(1, std::memory_order_relaxed);
            return false;
        }
        auto* const added = new (std::nothrow) thread_log::block;
        if (added == nullptr) {
            return false;
        }
        added->previous = std::move(log.last);
        log.last.reset(added);
        log.size_of_last = 0;
        return true;
    }

    static inline std::atomic<std::uint64_t> count_{0};

    const std::uint64_t number_ = ++count_;
    std::atomic<std::ptrdiff_t> blocks_left_;
    std::mutex mutex_;
    std::vector<std::unique_ptr<thread_log>> threads_;
};

}  // namespace pointsman::trace::detail
