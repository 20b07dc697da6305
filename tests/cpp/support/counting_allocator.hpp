// SPDX-License-Identifier: Apache-2.0
// An allocator that counts what was taken from it and not given back.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>

namespace fairlead::test {

/// The counts that copies of a `counting_allocator` share.
struct allocation_counts {
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
    void deallocate(T* place, std::size_t n) noexcept {
        ++counts_->returned;
        std::allocator<T>{}.deallocate(place, n);
    }

    [[nodiscard]] allocation_counts* counts() const noexcept { return counts_; }
    template <class U>
    friend bool operator==(const counting_allocator& a, const counting_allocator<U>& b) noexcept {
        return a.counts() == b.counts();
    }

  private:
    allocation_counts* counts_;
};

}  // namespace fairlead::test
