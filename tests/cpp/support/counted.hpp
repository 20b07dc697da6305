// SPDX-License-Identifier: Apache-2.0
// Objects that are counted as long as they live.
#pragma once

#include <atomic>

namespace pointsman::test {

/// Base of `T` that knows how many of them there are, copies included.
template <class T>
class counted {
  public:
    counted() noexcept { ++alive_; }
    counted(const counted&) noexcept { ++alive_; }
    counted& operator=(const counted&) noexcept = default;
    ~counted() { --alive_; }

    [[nodiscard]] static long alive() noexcept { return alive_; }

  private:
    static inline std::atomic<long> alive_{0};
};

}  // namespace pointsman::test
