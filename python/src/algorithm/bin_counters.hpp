// SPDX-License-Identifier: Apache-2.0
// Counts indices of bins that are computed block by block, in several threads with counters of their own.
#pragma once

#include <tbb/enumerable_thread_specific.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "pointsman/binding/host_algorithm.hpp"

namespace pointsman::python {

/// The index of a bin, or the number of bins for a value that is in none.
using bin_index = std::uint32_t;

/// How many values are in each bin. **Cost**: memory for a counter of each bin; for four if the bins are few, as
/// increments of one counter in a row wait for each other.
class bin_counters {
  public:
    explicit bin_counters(std::size_t bins)
        : bins_{bins},
          apart_{bins <= few_bins ? bins + 1 : 0},
          counts_(bins <= few_bins ? 4 * (bins + 1) : bins + 1) {}

    void add(std::span<const bin_index> indices) noexcept {
        std::int64_t* const a = counts_.data();
        std::int64_t *const b = a + apart_, *const c = b + apart_, *const d = c + apart_;
        std::size_t i = 0;
        for (; i + 4 <= indices.size(); i += 4) {
            ++a[indices[i]];
            ++b[indices[i + 1]];
            ++c[indices[i + 2]];
            ++d[indices[i + 3]];
        }
        for (; i < indices.size(); ++i) {
            ++a[indices[i]];
        }
    }
    /// Adds the counts to `total`, which has one element for each bin.
    void add_to(std::span<std::int64_t> total) const noexcept {
        for (std::size_t at = 0; at < counts_.size(); at += bins_ + 1) {
            for (std::size_t i = 0; i < bins_; ++i) {
                total[i] += counts_[at + i];
            }
        }
    }

    static constexpr std::size_t few_bins = 4096;

  private:
    std::size_t bins_;
    std::size_t apart_;  ///< from one counter of a bin to the next
    std::vector<std::int64_t> counts_;
};

/// Returns true if counters for each thread need less memory than the values.
[[nodiscard]] constexpr bool are_worth_copies(std::size_t bins, std::size_t values) noexcept {
    return bins <= values / 16;
}

/// Adds to `total`, which has one element for each bin, how many of `size` values are in it. The function
/// `index(begin, count, indices)` writes the indices of `count` values, at most 1024, from `begin` on. Several threads
/// call it if `is_parallel`, unless their counters would need more memory than the values.
template <class Index>
void count_by_index(std::size_t size, std::span<std::int64_t> total, bool is_parallel,
                    const Index& index) {
    constexpr std::size_t block = 1024, worth_a_thread = 16'384;
    const auto count_part = [&](std::size_t begin, std::size_t end, bin_counters& into) {
        std::array<bin_index, block> indices;
        for (std::size_t at = begin; at < end; at += block) {
            const std::size_t count = std::min(block, end - at);
            index(at, count, indices.data());
            into.add({indices.data(), count});
        }
    };
    if (is_parallel && are_worth_copies(total.size(), size)) {
        tbb::enumerable_thread_specific<bin_counters> of_threads{total.size()};
        binding::in_threads(size, worth_a_thread, [&](std::size_t begin, std::size_t end) {
            count_part(begin, end, of_threads.local());
        });
        for (const bin_counters& one : of_threads) {
            one.add_to(total);
        }
    } else {
        bin_counters one{total.size()};
        count_part(0, size, one);
        one.add_to(total);
    }
}

}  // namespace pointsman::python
