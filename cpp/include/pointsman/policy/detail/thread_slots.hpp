// SPDX-License-Identifier: Apache-2.0
// Per-thread data of a policy, on cache lines that no other thread uses.
#pragma once

#include <cstddef>
#include <memory>

#include "pointsman/policy/detail/hazard.hpp"

namespace pointsman::detail {

/// One `T` for each of the first `limit` threads of the process, on separate cache lines. A thread's index
/// is that of its hazard block, which a later thread reuses when the thread has ended.
/// **Thread safety**: a thread uses its own `T` only.
template <class T>
class thread_slots {
  public:
    /// Threads with this index or a higher one have no slot.
    static constexpr std::size_t limit = 64;

    /// Returns the slot of the thread with index `thread`; null if it has none.
    [[nodiscard]] T* of(std::size_t thread) const noexcept {
        return thread < limit ? &slots_[thread].value : nullptr;
    }

  private:
    struct alignas(cache_line_pair) padded {
        T value{};
    };
    std::unique_ptr<padded[]> slots_ = std::make_unique<padded[]>(limit);
};

}  // namespace pointsman::detail
