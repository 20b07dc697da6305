// SPDX-License-Identifier: Apache-2.0
// Objects that nobody needs any more but their readers, the last of whom frees them.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <new>
#include <utility>

#include "pointsman/base/ref_counted.hpp"
#include "pointsman/policy/detail/hazard.hpp"

namespace pointsman::detail {

/// Holds a reference to each object that was replaced, or whose cell is gone, while it was being read.
/// Every reader who ends looks whether there is such an object with the hash of his. Exported from every
/// shared library, so that there is only one.
/// **Thread safety**: any member from any thread.
class [[gnu::visibility("default")]] leftovers {
  public:
    /// Without memory for its entry here the object is never freed.
    static void add(ref<const ref_counted> object) noexcept {
        const ref_counted* const address = object.get();
        {
            auto* const fresh = new (std::nothrow) entry{nullptr, {}};
            if (fresh == nullptr) {
                static_cast<void>(object.detach());
                return;
            }
            fresh->object = std::move(object);
            const std::lock_guard lock{mutex};
            fresh->next = std::exchange(first, fresh);
            ++bucket_of(address);
        }
        // Readers who end from now on find it; those who ended before are seen to have ended.
        static_cast<void>(announcement::writer_barrier());
        look_for(address);
    }

    /// A reader of `object`, which may be gone, has emptied his slot.
    [[gnu::always_inline]] static void reader_ended(const void* object) noexcept {
        std::atomic_signal_fence(std::memory_order_seq_cst);
        if (announcement::is_in_order()) [[unlikely]] {
            std::atomic_thread_fence(std::memory_order_seq_cst);
        }
        if (bucket_of(object).load(std::memory_order_relaxed) != 0) [[unlikely]] {
            look_for(object);
        }
    }

  private:
    struct entry {
        entry* next;
        ref<const ref_counted> object;
    };
    using bucket = std::atomic<std::uint32_t>;
    static constexpr std::size_t bucket_count = 64;

    /// How many entries there are with this hash.
    [[nodiscard, gnu::always_inline]] static bucket& bucket_of(const void* object) noexcept {
        return buckets[reinterpret_cast<std::uintptr_t>(object) / cache_line_pair % bucket_count];
    }

    /// Several cells may have left the same object.
    [[gnu::cold, gnu::noinline]] static void look_for(const void* object) noexcept {
        entry* found = nullptr;
        {
            const std::lock_guard lock{mutex};
            if (!hazard_registry::in_use(object)) {
                found = take_all_of(object);
            }
        }
        while (found != nullptr) {
            delete std::exchange(found, found->next);
        }
    }

    static entry* take_all_of(const void* object) noexcept {
        entry* taken = nullptr;
        for (entry** place = &first; *place != nullptr;) {
            if ((*place)->object.get() == object) {
                entry* const rest = (*place)->next;
                (*place)->next = taken;
                taken = std::exchange(*place, rest);
                --bucket_of(object);
            } else {
                place = &(*place)->next;
            }
        }
        return taken;
    }

    static inline constinit bucket buckets[bucket_count]{};
    static inline constinit std::mutex mutex;  // guards what follows
    static inline constinit entry* first = nullptr;
};

}  // namespace pointsman::detail
