// SPDX-License-Identifier: Apache-2.0
// Keeps replaced objects until their last reader frees them.
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

/// Holds a reference to each object that was replaced, or whose cell was destroyed, while a thread was
/// reading it. Every reader checks when it ends whether there is an entry with the hash of its object. The
/// class is exported from every shared library, so that the process has one list.
/// **Thread safety**: any member from any thread.
class [[gnu::visibility("default")]] leftovers {
  public:
    /// If there is no memory for the entry, the object is never freed.
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
        // Readers that end from now on find the entry; the search below sees that earlier readers have ended.
        static_cast<void>(announcement::writer_barrier());
        free_if_unread(address);
    }

    /// Call it when a reader of `object` has emptied its slot; `object` may have been freed already.
    [[gnu::always_inline]] static void reader_ended(const void* object) noexcept {
        std::atomic_signal_fence(std::memory_order_seq_cst);
        if (announcement::is_in_order()) [[unlikely]] {
            std::atomic_thread_fence(std::memory_order_seq_cst);
        }
        if (bucket_of(object).load(std::memory_order_relaxed) != 0) [[unlikely]] {
            free_if_unread(object);
        }
    }

  private:
    struct entry {
        entry* next;
        ref<const ref_counted> object;
    };
    using bucket = std::atomic<std::uint32_t>;
    static constexpr std::size_t bucket_count = 64;

    /// The number of entries with the hash of `object`.
    [[nodiscard, gnu::always_inline]] static bucket& bucket_of(const void* object) noexcept {
        return buckets[reinterpret_cast<std::uintptr_t>(object) / cache_line_pair % bucket_count];
    }

    /// Frees the entries of `object` if no thread reads it. Several cells may have added the same object.
    [[gnu::cold, gnu::noinline]] static void free_if_unread(const void* object) noexcept {
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
        for (entry** link = &first; *link != nullptr;) {
            if ((*link)->object.get() == object) {
                entry* const rest = (*link)->next;
                (*link)->next = taken;
                taken = std::exchange(*link, rest);
                --bucket_of(object);
            } else {
                link = &(*link)->next;
            }
        }
        return taken;
    }

    static inline constinit bucket buckets[bucket_count]{};
    static inline constinit std::mutex mutex;  // guards `first`
    static inline constinit entry* first = nullptr;
};

}  // namespace pointsman::detail
