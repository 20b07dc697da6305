// SPDX-License-Identifier: Apache-2.0
// Keeps a few of the timings of a kind of task on a resource, spread evenly over all of them, for pictures.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

namespace pointsman::detail {

/// Keeps the first timing and every n-th one after it; n doubles whenever there would be too many. Adding one
/// never allocates.
class timing_history {
  public:
    struct timing {
        std::uint32_t run;  ///< how many tasks of the kind there had been
        float nanoseconds;  ///< of the task if it runs alone
    };
    static constexpr std::size_t most = 32;

    void add(std::uint64_t run, double nanoseconds) noexcept {
        constexpr std::uint64_t last = std::numeric_limits<std::uint32_t>::max();
        if (seen_++ % stride_ != 0) {
            return;
        }
        if (size_ == most) {
            for (size_ = 0; size_ < most / 2; ++size_) {
                kept_[size_] = kept_[2 * size_];
            }
            stride_ *= 2;
        }
        kept_[size_++] = {static_cast<std::uint32_t>(std::min(run, last)),
                          static_cast<float>(nanoseconds)};
    }
    /// The kept timings, the oldest first.
    [[nodiscard]] std::span<const timing> kept() const noexcept { return {kept_.data(), size_}; }

  private:
    std::array<timing, most> kept_{};
    std::size_t size_ = 0;
    std::uint64_t stride_ = 1;
    std::uint64_t seen_ = 0;
};

}  // namespace pointsman::detail
