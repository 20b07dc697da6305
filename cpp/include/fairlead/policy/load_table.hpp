// SPDX-License-Identifier: Apache-2.0
// How many submissions each resource has outstanding, and which has the fewest.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace fairlead {

/// Counters of outstanding work, one for each resource, on cache lines of their own.
/// **Thread safety**: all members from any thread.
class load_table {
  public:
    explicit load_table(std::size_t size, std::size_t offset = 0)
        : size_{size}, loads_{std::make_unique<padded[]>(size)}, start_{offset} {}

    /// Takes the least loaded resource and counts one submission on it, in one step: of two callers
    /// that see the same idle resource only one gets it. The scan begins past the last choice, so
    /// that ties rotate, and stops at an idle resource.
    [[nodiscard]] std::size_t reserve_least() noexcept {
        const std::size_t first = start_.load(std::memory_order_relaxed);
        while (true) {
            auto [index, load] = least(first);
            if (loads_[index].value.compare_exchange_strong(load, load + 1,
                                                            std::memory_order_relaxed)) {
                start_.store(index + 1 == size_ ? 0 : index + 1, std::memory_order_relaxed);
                return index;
            }
        }
    }

    void add(std::size_t index) noexcept {
        loads_[index].value.fetch_add(1, std::memory_order_relaxed);
    }
    void subtract(std::size_t index) noexcept {
        loads_[index].value.fetch_sub(1, std::memory_order_relaxed);
    }
    [[nodiscard]] std::uint32_t load(std::size_t index) const noexcept {
        return loads_[index].value.load(std::memory_order_relaxed);
    }
    /// Outstanding submissions by resource, each read at its own moment.
    [[nodiscard]] std::vector<std::size_t> loads() const {
        std::vector<std::size_t> all(size_);
        for (std::size_t i = 0; i < size_; ++i) {
            all[i] = load(i);
        }
        return all;
    }

  private:
    struct alignas(64) padded {
        std::atomic<std::uint32_t> value{0};
    };
    struct candidate {
        std::size_t index;
        std::uint32_t load;
    };

    [[nodiscard]] candidate least(std::size_t first) const noexcept {
        candidate best{first, load(first)};
        std::size_t index = first;
        for (std::size_t n = 1; n < size_ && best.load != 0; ++n) {
            index = index + 1 == size_ ? 0 : index + 1;
            if (const auto found = load(index); found < best.load) {
                best = {index, found};
            }
        }
        return best;
    }

    std::size_t size_;
    std::unique_ptr<padded[]> loads_;
    std::atomic<std::size_t> start_;
};

}  // namespace fairlead
