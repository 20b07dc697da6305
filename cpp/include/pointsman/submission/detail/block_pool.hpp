// SPDX-License-Identifier: Apache-2.0
// Recycles memory of objects that one thread makes and another destroys.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <new>

#include "pointsman/base/prefetch.hpp"

namespace pointsman::detail {

/// Keeps blocks of `Bytes` bytes for reuse: a few per thread, and batches in a shared store through
/// which blocks return from the destroying thread to the making thread. A system allocator takes 50 to
/// 100 ns for such a block.
///
/// At most 2,048 blocks stay in the store; the others are returned to the system.
/// **Thread safety**: any member from any thread, even late in a thread's exit; no call waits for the
/// store.
template <std::size_t Bytes>
class block_pool {
  public:
    /// **Throws**: `std::bad_alloc`.
    [[nodiscard]] static void* take() {
        if (mine.count == 0 && !refill()) {
            return ::operator new(Bytes);
        }
        void* const block = mine.blocks[--mine.count];
        prefetch_for_write<Bytes>(block);  // a driver call may have evicted it from the cache
        return block;
    }

    static void give_back(void* block) noexcept {
        if (mine.state != use::open && !open()) {
            ::operator delete(block);
            return;
        }
        if (mine.count == mine.blocks.size()) {
            leave(batch);
        }
        mine.blocks[mine.count++] = block;
    }

  private:
    static constexpr std::size_t batch = 32;
    static constexpr std::size_t batches_stored = 64;

    enum class use : std::uint8_t { none, open, closed };

    struct shelf {
        std::array<void*, 2 * batch> blocks{};
        std::size_t count = 0;
        use state = use::none;
    };
    struct closer {
        ~closer() {
            mine.state = use::closed;
            leave(0);
        }
    };

    /// Lets the thread keep blocks until its thread-local objects are destroyed; then returns false.
    [[gnu::cold, gnu::noinline]] static bool open() noexcept {
        if (mine.state == use::none) {
            static thread_local const closer at_thread_exit;
            static_cast<void>(at_thread_exit);
            mine.state = use::open;
        }
        return mine.state == use::open;
    }

    /// Returns false if the store is empty or in use by another thread.
    [[gnu::noinline]] static bool refill() noexcept {
        std::unique_lock lock{mutex, std::try_to_lock};
        if (!lock || stored == 0 || !open()) {
            return false;
        }
        stored -= batch;
        std::copy_n(store.begin() + stored, batch, mine.blocks.begin());
        mine.count = batch;
        return true;
    }

    /// Moves all but `rest` blocks to the store while it has room, and frees the others.
    [[gnu::noinline]] static void leave(std::size_t rest) noexcept {
        if (std::unique_lock lock{mutex, std::try_to_lock}; lock) {
            for (; mine.count >= rest + batch && stored != store.size(); stored += batch) {
                mine.count -= batch;
                std::copy_n(mine.blocks.begin() + mine.count, batch, store.begin() + stored);
            }
        }
        while (mine.count > rest) {
            ::operator delete(mine.blocks[--mine.count]);
        }
    }

    static inline constinit thread_local shelf mine{};
    static inline constinit std::mutex mutex;  // guards the following members
    static inline constinit std::array<void*, batch * batches_stored> store{};
    static inline constinit std::size_t stored = 0;
};

// The address sanitizer shall see each allocation and release.
#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool keeps_blocks = false;
#elif defined(__has_feature)
inline constexpr bool keeps_blocks = !__has_feature(address_sanitizer);
#else
inline constexpr bool keeps_blocks = true;
#endif

/// Base of objects that are often created and destroyed, in any thread.
struct pooled {
    static void* operator new(std::size_t bytes) {
        if constexpr (keeps_blocks) {
            if (bytes <= 128) {
                return block_pool<128>::take();
            }
            if (bytes <= 192) {
                return block_pool<192>::take();
            }
            if (bytes <= 256) {
                return block_pool<256>::take();
            }
        }
        return ::operator new(bytes);
    }
    static void operator delete(void* object, std::size_t bytes) noexcept {
        if constexpr (keeps_blocks) {
            if (bytes <= 128) {
                return block_pool<128>::give_back(object);
            }
            if (bytes <= 192) {
                return block_pool<192>::give_back(object);
            }
            if (bytes <= 256) {
                return block_pool<256>::give_back(object);
            }
        }
        ::operator delete(object);
    }

    static void* operator new(std::size_t bytes, std::align_val_t alignment) {
        return ::operator new(bytes, alignment);
    }
    static void operator delete(void* object, std::size_t, std::align_val_t alignment) noexcept {
        ::operator delete(object, alignment);
    }
};

}  // namespace pointsman::detail
