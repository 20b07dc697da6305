// SPDX-License-Identifier: Apache-2.0
// Hazard pointers: each thread publishes which shared object it is reading.
#pragma once

#include <atomic>
#include <cstddef>
#include <new>
#include <utility>

#if defined(__linux__)
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace pointsman::detail {

/// Distance in bytes at which the data of two threads shares no cache lines: CPUs fetch lines in pairs.
inline constexpr std::size_t cache_line_pair = 128;

inline constexpr std::size_t no_thread = static_cast<std::size_t>(-1);

/// Points to the object that a thread reads; null while the slot is free.
using hazard_slot = std::atomic<const void*>;

/// The slots of one thread, one for each submission in progress. Slots are released in any order, since a
/// thread may switch between stacks (greenlets, fibers), and from any thread. Blocks are never freed: when
/// a thread ends, a new thread takes over its block.
struct alignas(cache_line_pair) hazard_block {
    static constexpr std::size_t slot_count = 8;
    hazard_slot slots[slot_count]{};
    std::atomic<bool> taken{true};
    hazard_block* next = nullptr;
    std::size_t index = 0;  // counted from 0 in the order of creation

    /// Returns a free slot, for the thread that owns this block; null if all slots are in use.
    [[nodiscard]] hazard_slot* free_slot() noexcept {
        for (hazard_slot& slot : slots) {
            if (slot.load(std::memory_order_relaxed) == nullptr) {
                return &slot;
            }
        }
        return nullptr;
    }
};

/// Orders a reader's announcement before its next load of the object; pairs with `writer_barrier`.
/// If the kernel can interrupt all threads of the process (`membarrier`), this costs the reader nothing;
/// otherwise all four accesses are sequentially consistent.
class [[gnu::visibility("default")]] announcement {
  public:
    /// Announces that the owner of `slot` reads `object`.
    [[gnu::always_inline]] static void make(hazard_slot& slot, const void* object) noexcept {
        if (is_in_order()) [[unlikely]] {
            slot.store(object, std::memory_order_seq_cst);
        } else {
            slot.store(object, std::memory_order_release);
            std::atomic_signal_fence(std::memory_order_seq_cst);
        }
    }

    /// Call it between the replacement of an object and the search for its readers. Returns false if the
    /// kernel now refuses to interrupt the threads (in a sandbox that was entered later): the search must
    /// then wait for the next replacement, and readers order their accesses from now on.
    [[nodiscard]] static bool writer_barrier() noexcept {
#if defined(__linux__)
        if (!is_in_order() &&
            syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) != 0) {
            in_order_.store(true);
            return false;
        }
#endif
        return true;
    }

    /// Call it before the first object is shared.
    static void prepare() noexcept {
#if defined(__linux__)
        static const bool registered = [] {
            const bool available =
                syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
            in_order_.store(!available, std::memory_order_relaxed);
            return available;
        }();
        static_cast<void>(registered);
#endif
    }

    /// Returns true if every reader orders its accesses itself.
    [[nodiscard, gnu::always_inline]] static bool is_in_order() noexcept {
        return in_order_.load(std::memory_order_relaxed);
    }

  private:
    static inline std::atomic<bool> in_order_{true};
};

/// All blocks of the process. Exported from every shared library, so that there is one registry.
struct [[gnu::visibility("default")]] hazard_registry {
    static inline std::atomic<hazard_block*> head{nullptr};
    static inline constinit thread_local hazard_block* mine = nullptr;

    /// Returns the calling thread's block; null while the thread is ending.
    [[gnu::always_inline]] static hazard_block* block() noexcept {
        return mine != nullptr ? mine : acquire();
    }

    /// Returns the index of the calling thread; `no_thread` while it is ending. No two threads have the
    /// same index at the same time.
    [[gnu::always_inline]] static std::size_t thread() noexcept {
        const hazard_block* const own = block();
        return own != nullptr ? own->index : no_thread;
    }
    /// Returns the largest number of threads that have had a block at the same time.
    static std::size_t threads() noexcept { return made_.load(std::memory_order_relaxed); }

    /// Returns true if a thread reads `object`.
    static bool in_use(const void* object) noexcept {
        for (auto* b = head.load(std::memory_order_acquire); b != nullptr; b = b->next) {
            for (const hazard_slot& slot : b->slots) {
                if (slot.load() == object) {
                    return true;
                }
            }
        }
        return false;
    }

  private:
    struct returner {
        ~returner() {
            ended = true;
            if (auto* block = std::exchange(mine, nullptr)) {
                block->taken.store(false, std::memory_order_release);
            }
        }
    };
    static inline constinit thread_local bool ended = false;
    static inline std::atomic<std::size_t> made_{0};

    [[gnu::cold, gnu::noinline]] static hazard_block* acquire() noexcept {
        if (ended) {
            return nullptr;
        }
        static thread_local const returner at_thread_exit;
        static_cast<void>(at_thread_exit);
        for (auto* b = head.load(std::memory_order_acquire); b != nullptr; b = b->next) {
            bool free = false;
            if (b->taken.compare_exchange_strong(free, true, std::memory_order_acq_rel)) {
                return mine = b;
            }
        }
        auto* fresh = new (std::nothrow) hazard_block;
        if (fresh != nullptr) {
            fresh->index = made_.fetch_add(1, std::memory_order_relaxed);
            fresh->next = head.load(std::memory_order_relaxed);
            while (!head.compare_exchange_weak(fresh->next, fresh, std::memory_order_release,
                                               std::memory_order_relaxed)) {
            }
        }
        return mine = fresh;
    }
};

}  // namespace pointsman::detail
