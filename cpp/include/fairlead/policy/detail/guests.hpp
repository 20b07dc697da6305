// SPDX-License-Identifier: Apache-2.0
// Keeps what the copies of a policy share for submissions too, which come and go in nanoseconds.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>

#include "fairlead/policy/detail/hazard.hpp"

namespace fairlead::detail {

/// An object with owners, who count themselves elsewhere, and guests, of which a reference count would
/// cost more than all else that they do. Guests are counted by each thread for itself: those that came
/// and those that went, neither of which ever goes down. While there is an owner nobody adds this up.
///
/// The object is deleted when its last owner has called `retire` and its last guest is gone. Meanwhile
/// it is in a list of all such objects of the process, at which guests look who leave. The list is
/// exported from every shared library, so that there is only one.
/// **Thread safety**: guests come and go from any thread; one comes while an owner or another guest is
/// there.
/// **Cost**: two plain accesses to memory of the thread's own, for a guest that goes one load more.
class [[gnu::visibility("default")]] guest_house {
  public:
    guest_house(const guest_house&) = delete;
    guest_house& operator=(const guest_house&) = delete;

    /// To be called before the first guest comes. **Throws**: `std::bad_alloc`.
    void open() {
        if (!rows_) {
            rows_ = std::make_unique<row[]>(row_count);
        }
    }

    /// `thread` is the index of the calling one (`hazard_registry::thread`).
    [[gnu::always_inline]] void enter(std::size_t thread) noexcept {
        if (thread < row_count) [[likely]] {
            auto& came = rows_[thread].came;
            came.store(came.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
        } else {
            others_.came.fetch_add(1, std::memory_order_relaxed);
        }
    }

    /// The object may be gone afterwards.
    [[gnu::always_inline]] void leave(std::size_t thread) noexcept {
        const bucket& retired_here = bucket_;
        if (thread < row_count) [[likely]] {
            auto& gone = rows_[thread].gone;
            announcement::make(gone, gone.load(std::memory_order_relaxed) + 1);
        } else {
            others_.gone.fetch_add(1);
        }
        if (retired_here.load() != 0) [[unlikely]] {
            delete_if_empty(this);  // by its address alone
        }
    }

    /// The last owner lets go.
    static void retire(guest_house* house) {
        if (house->is_empty()) {
            delete house;
            return;
        }
        {
            const std::lock_guard lock{mutex};
            house->next_ = retired;
            retired = house;
            ++house->bucket_;
        }
        // Who leaves from now on finds the house in the list; who left before is seen to have gone.
        static_cast<void>(announcement::writer_barrier());
        delete_if_empty(house);
    }

  protected:
    guest_house() = default;
    virtual ~guest_house() = default;

  private:
    struct alignas(cache_line_pair) row {
        std::atomic<std::uint32_t> came{0};  // both may wrap around
        std::atomic<std::uint32_t> gone{0};
    };
    using bucket = std::atomic<std::uint32_t>;
    static constexpr std::size_t row_count = 64;  // threads beyond these share one

    /// Those that went are counted first: whoever was missed there came before and is counted.
    [[nodiscard]] bool is_empty() const noexcept {
        if (!rows_) {
            return true;
        }
        std::uint32_t gone = others_.gone.load();
        for_each_row([&](const row& each) { gone += each.gone.load(); });
        std::uint32_t came = others_.came.load();
        for_each_row([&](const row& each) { came += each.came.load(); });
        return came == gone;
    }

    template <class F>
    void for_each_row(F f) const noexcept {
        const auto threads = std::min(hazard_registry::threads(), row_count);
        for (std::size_t thread = 0; thread < threads; ++thread) {
            f(rows_[thread]);
        }
    }

    /// Known by its address alone: it may be gone.
    [[gnu::cold, gnu::noinline]] static void delete_if_empty(const void* address) {
        guest_house* left = nullptr;
        {
            const std::lock_guard lock{mutex};
            guest_house** place = &retired;
            while (*place != nullptr && *place != address) {
                place = &(*place)->next_;
            }
            if (*place == nullptr || !(*place)->is_empty()) {
                return;
            }
            left = *place;
            *place = left->next_;
            --left->bucket_;
        }
        delete left;
    }

    /// How many of the houses with this one's hash are retired.
    [[nodiscard]] static bucket& bucket_of(const guest_house* house) noexcept {
        return buckets[(reinterpret_cast<std::uintptr_t>(house) / cache_line_pair) % bucket_count];
    }

    static constexpr std::size_t bucket_count = 64;
    static inline constinit bucket buckets[bucket_count]{};
    static inline constinit std::mutex mutex;  // guards what follows
    static inline constinit guest_house* retired = nullptr;

    std::unique_ptr<row[]> rows_;
    bucket& bucket_ = bucket_of(this);
    guest_house* next_ = nullptr;
    row others_;
};

}  // namespace fairlead::detail
