// SPDX-License-Identifier: Apache-2.0
// Lets one of the next allocations of this thread fail.
#pragma once

#include <cstddef>

namespace pointsman::test {

/// As long as it lives, the `count`-th allocation of this thread, counted from zero, throws
/// `std::bad_alloc`. It works in programs that link failing_allocation.cpp.
class failing_allocation {
  public:
    explicit failing_allocation(std::size_t count) noexcept;
    failing_allocation(const failing_allocation&) = delete;
    failing_allocation& operator=(const failing_allocation&) = delete;
    ~failing_allocation();

    /// Returns true if the allocation was reached.
    [[nodiscard]] bool has_failed() const noexcept;
};

}  // namespace pointsman::test
