// SPDX-License-Identifier: Apache-2.0
// Counts the existing objects of a type, to find leaks.
#pragma once

#include <atomic>

namespace pointsman::test {

/// Base of `T` that counts its instances, copies included.
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
