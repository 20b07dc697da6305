// SPDX-License-Identifier: Apache-2.0
// Copies the values that satisfy a predicate on the host, piece by piece.
#pragma once

#include <tbb/task_arena.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <type_traits>

#include "pointsman/algorithm/host/blocks.hpp"
#include "pointsman/algorithm/host/compress.hpp"
#include "pointsman/algorithm/host/policy.hpp"
#include "pointsman/algorithm/host/scan.hpp"

namespace pointsman::detail {

/// The values of a piece that are kept. They are gathered here before they are copied, since others are written with
/// them, for which there may be no room in the output.
template <class T, std::size_t Bytes, class Predicate>
class kept_values {
  public:
    static constexpr std::size_t size = Bytes / sizeof(T);

    /// Gathers those of `count` values, at most `size`, for which `keeps` holds, in their order; returns how
    /// many they are.
    template <class Value>
    std::size_t gather(Value* values, std::size_t count, Predicate& keeps) noexcept {
        const T* const end = compress(values, count, keeps, values_.data());
        kept_ = static_cast<std::size_t>(end - values_.data());
        return kept_;
    }
    template <class Out>
    Out copy(Out out) const noexcept {
        return std::copy_n(values_.begin(), kept_, out);
    }

  private:
    std::array<T, size> values_;
    std::size_t kept_ = 0;
};

/// Copies the values of [`first`, `last`) for which `keeps` holds to `out`, which may be `first`; returns the end
/// of the output. In the calling thread.
template <class T, class Out, class Predicate>
Out copy_kept_alone(T* first, T* last, Out out, Predicate& keeps) noexcept {
    constexpr std::size_t bytes = 1'024;  // with more, reads and writes of memory do not overlap
    using piece = kept_values<std::remove_const_t<T>, bytes, Predicate>;
    piece kept;
    while (first != last) {
        const auto count = std::min(piece::size, static_cast<std::size_t>(last - first));
        kept.gather(first, count, keeps);
        out = kept.copy(out);
        first += count;
    }
    return out;
}

/// As above, in TBB's threads. A piece is copied once all pieces before it have been gathered.
template <class T, class Out, class Predicate>
Out copy_kept_in_threads(T* first, T* last, Out out, Predicate& keeps,
                         const pace& latest) noexcept {
    constexpr std::size_t bytes = 65'536;  // with fewer, threads wait for their turns
    using kept_piece = kept_values<std::remove_const_t<T>, bytes, Predicate>;
    using distance = std::iter_difference_t<Out>;
    const auto size = static_cast<std::size_t>(last - first);
    // Smaller pieces for each thread to have some, even of few values with a costly predicate.
    const auto threads = static_cast<std::size_t>(tbb::this_task_arena::max_concurrency());
    const auto worth_a_turn =
        static_cast<std::size_t>(latest.values_in(std::chrono::microseconds{5}));
    const std::size_t piece_size =
        std::min(std::max(size / (4 * threads), worth_a_turn), kept_piece::size);
    Out end_of_output = out;
    /// What `scan_in_parallel` needs of a piece.
    class gathered {
      public:
        gathered(T* values, std::size_t count, Predicate& keeps, Out out, Out* end) noexcept
            : count_{kept_.gather(values, count, keeps)}, out_{out}, end_{end} {}

        [[nodiscard]] std::size_t fold() const noexcept { return count_; }
        void scan(const std::optional<std::size_t>& before) const noexcept {
            const Out end = kept_.copy(out_ + static_cast<distance>(*before));
            if (end_ != nullptr) {
                *end_ = end;
            }
        }

      private:
        kept_piece kept_;
        std::size_t count_;
        Out out_;
        Out* end_;
    };
    scan_in_parallel<std::size_t>(size, piece_size, std::size_t{0}, std::plus{},
                                  [&](std::size_t begin, std::size_t end) {
                                      return gathered{first + begin, end - begin, keeps, out,
                                                      end == size ? &end_of_output : nullptr};
                                  });
    return end_of_output;
}

/// An upper estimate of the time that threads lose to copy pieces of `count` values in turns: the more threads, the more.
[[nodiscard]] inline std::chrono::nanoseconds time_lost_in_turns(std::ptrdiff_t count) noexcept {
    if (count < steps_worth_threads) {
        return waking_time;
    }
    constexpr std::chrono::nanoseconds of_thread{3'000};
    return std::max<std::chrono::nanoseconds>(waking_time,
                                              tbb::this_task_arena::max_concurrency() * of_thread);
}

/// `std::copy_if`, where the output may also begin at `first`.
template <execution::host_policy P, iterator_of_small_values In, class Out, class Predicate>
Out copy_kept(const P& policy, In first, In last, Out out, Predicate keeps) {
    const auto copy_alone = [&](const auto&, In begin, In end) {
        out = copy_kept_alone(std::to_address(begin), std::to_address(end), out, keeps);
    };
    if constexpr (is_parallel_v<P> && shared_output<Out>) {
        const auto copy_in_threads = [&](In begin, In end, const pace& latest) {
            out = copy_kept_in_threads(std::to_address(begin), std::to_address(end), out, keeps,
                                       latest);
        };
        begin_in_blocks(policy, first, last, copy_alone, copy_in_threads,
                        time_lost_in_turns(last - first));
    } else {
        in_blocks(execution::seq, first, last, copy_alone);
    }
    return out;
}

}  // namespace pointsman::detail
