// SPDX-License-Identifier: Apache-2.0
// An allocator that counts outstanding allocations.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <memory>

#include "support/eventually.hpp"

namespace pointsman::test {

/// The counts that copies of a `counting_allocator` share. Its destructor waits until all memory is released,
/// since a thread that ran the work may release it after a wait for that work.
struct allocation_counts {
    allocation_counts() = default;
    allocation_counts(const allocation_counts&) = delete;
    allocation_counts& operator=(const allocation_counts&) = delete;
    ~allocation_counts() {
        EXPECT_TRUE(eventually([this] { return returned == taken; })) << "memory was not released";
    }

    std::atomic<int> taken{0};
    std::atomic<int> returned{0};
};

template <class T = std::byte>
class counting_allocator {
  public:
    using value_type = T;

    explicit counting_allocator(allocation_counts& counts) noexcept : counts_{&counts} {}
    template <class U>
    counting_allocator(const counting_allocator<U>& other) noexcept : counts_{other.counts()} {}

    T* allocate(std::size_t n) {
        ++counts_->taken;
        return std::allocator<T>{}.allocate(n);
    }
    void deallocate(T* pointer, std::size_t n) noexcept {
        std::allocator<T>{}.deallocate(pointer, n);
        ++counts_->returned;
    }

    [[nodiscard]] allocation_counts* counts() const noexcept { return counts_; }
    template <class U>
    friend bool operator==(const counting_allocator& a, const counting_allocator<U>& b) noexcept {
        return a.counts() == b.counts();
    }

  private:
    allocation_counts* counts_;
};

}  // namespace pointsman::test
