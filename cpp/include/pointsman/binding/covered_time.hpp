// SPDX-License-Identifier: Apache-2.0
// Measures how long at least one of several intervals lasted.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>

#include "pointsman/clock.hpp"

namespace pointsman::binding {

/// Tells of each interval how much of it no earlier one has covered; the sum is the time during which at least
/// one of them lasted. Intervals may come in any order. The last few stretches of time that were covered are
/// remembered: what lies before them counts as covered, so that nothing counts twice.
class covered_time {
  public:
    using time_point = clock::time_point;
    using duration = clock::duration;

    /// Adds the interval from `begin` to `end`, and returns how much of it was not covered yet.
    duration add(time_point begin, time_point end) noexcept {
        begin = std::max(begin, forgotten_until_);
        if (begin >= end) {
            return {};
        }
        if (size_ == 0 || begin > stretches_[size_ - 1].end) {
            insert({begin, end});
            return end - begin;
        }
        duration fresh = end - begin;
        stretch joined{begin, end};
        std::size_t kept = 0;
        for (std::size_t i = 0; i < size_; ++i) {
            const stretch& each = stretches_[i];
            if (each.end < begin || each.begin > end) {
                stretches_[kept++] = each;
                continue;
            }
            fresh -= std::min(end, each.end) - std::max(begin, each.begin);
            joined = {std::min(joined.begin, each.begin), std::max(joined.end, each.end)};
        }
        size_ = kept;
        insert(joined);
        return fresh;
    }

  private:
    struct stretch {
        time_point begin;
        time_point end;
    };

    /// Adds a stretch that touches none of the others.
    void insert(const stretch& added) noexcept {
        if (size_ == stretches_.size()) {
            forgotten_until_ = stretches_.front().end;
            std::move(stretches_.begin() + 1, stretches_.end(), stretches_.begin());
            --size_;
        }
        const auto end = stretches_.begin() + static_cast<std::ptrdiff_t>(size_++);
        auto at = end;
        for (; at != stretches_.begin() && added.end < std::prev(at)->begin; --at) {
            *at = *std::prev(at);
        }
        *at = added;
    }

    std::array<stretch, 8> stretches_{};  // the first `size_` are valid, in the order of time
    std::size_t size_ = 0;
    time_point forgotten_until_ = time_point::min();
};

}  // namespace pointsman::binding
