// SPDX-License-Identifier: Apache-2.0
// Room for what each thread keeps about a policy of its own, so that threads do not meet in memory.
#pragma once

#include <cstddef>
#include <memory>

#include "pointsman/policy/detail/hazard.hpp"

namespace pointsman::detail {

/// One `T` for each of the process's first threads, on cache lines of its own. A thread is named by
/// the index of its hazard block, which belongs to it alone until it ends and then to the next.
/// **Thread safety**: a thread asks for its own `T` only.
template <class T>
class thread_slots {
  public:
    /// Threads beyond these have none.
    static constexpr std::size_t limit = 64;

    /// The slot of the thread with this index; null when it has none.
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
