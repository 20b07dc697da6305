// SPDX-License-Identifier: Apache-2.0
// Makes one of this thread's next allocations fail.
#pragma once

#include <cstddef>

namespace pointsman::test {

/// While it exists, the `count`-th allocation of this thread, counted from zero, throws
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
