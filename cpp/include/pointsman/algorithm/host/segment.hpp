// SPDX-License-Identifier: Apache-2.0
// Folds and scans the values of each segment of equal keys on the host; large arrays in TBB's threads.
#pragma once

#include <cstddef>
#include <iterator>
#include <optional>
#include <utility>

#include "pointsman/algorithm/host/policy.hpp"
#include "pointsman/algorithm/host/scan.hpp"

namespace pointsman::detail {

/// What is known after a part of an array: how many segments have begun in it, and the fold of the segment
/// that is open at its end, or of the whole part if none has begun.
template <class T>
struct segment_state {
    std::size_t begun;
    T fold;
};

/// The state after two parts. This function is associative if `op` is.
template <class T, class Op>
[[nodiscard]] segment_state<T> joined(const segment_state<T>& a, const segment_state<T>& b,
                                      const Op& op) {
    return {a.begun + b.begun, b.begun != 0 ? b.fold : static_cast<T>(op(a.fold, b.fold))};
}

/// The segment that is open before a part: the fold of its values so far, and its last key.
template <class T, class Keys>
struct open_segment {
    T fold;
    Keys last_key;
};

/// Writes the keys and folds of the segments of [`first`, `last`), at least one key. Without `open`, a segment
/// begins at `first`; the fold of `open` is written to `out` when it ends, that of the last segment if `is_end`.
/// Returns the ends of both outputs.
template <class T, class Keys, class Values, class KeysOut, class Out, class Same, class Op>
std::pair<KeysOut, Out> reduce_part(const std::optional<open_segment<T, Keys>>& open, Keys first,
                                    Keys last, Values values, KeysOut keys_out, Out out,
                                    const Same& same, const Op& op, bool is_end) {
    Keys previous = open ? open->last_key : first;
    T fold = open ? open->fold : static_cast<T>(*values);
    if (!open) {
        *keys_out = *first;
        ++keys_out;
        ++first;
        ++values;
    }
    for (; first != last; previous = first, ++first, ++values) {
        if (same(*previous, *first)) {
            fold = static_cast<T>(op(fold, static_cast<T>(*values)));
        } else {
            *out = fold;
            ++out;
            *keys_out = *first;
            ++keys_out;
            fold = static_cast<T>(*values);
        }
    }
    if (is_end) {
        *out = fold;
        ++out;
    }
    return {keys_out, out};
}

/// Scans the segments of [`first`, `last`), at least one key, inclusively to the range beginning at `out`, which may
/// be `values`. Without `open`, a segment begins at `first`. Returns the end of the output.
template <class T, class Keys, class Values, class Out, class Same, class Op>
Out inclusive_part(const std::optional<open_segment<T, Keys>>& open, Keys first, Keys last,
                   Values values, Out out, const Same& same, const Op& op) {
    Keys previous = open ? open->last_key : first;
    T sum = open ? open->fold : static_cast<T>(*values);
    if (!open) {
        *out = sum;
        ++out;
        ++first;
        ++values;
    }
    for (; first != last; previous = first, ++first, ++values) {
        const T value = static_cast<T>(*values);
        sum = same(*previous, *first) ? static_cast<T>(op(sum, value)) : value;
        *out = sum;
        ++out;
    }
    return out;
}

/// Like `inclusive_part`, exclusively: every segment starts with `initial`. Its last value is not folded.
template <class T, class Keys, class Values, class Out, class Same, class Op>
Out exclusive_part(const std::optional<open_segment<T, Keys>>& open, Keys first, Keys last,
                   Values values, Out out, const Same& same, const Op& op, const T& initial) {
    Keys previous = open ? open->last_key : first;
    T sum = initial;
    T pending = open ? open->fold : static_cast<T>(*values);
    if (!open) {
        *out = sum;
        ++out;
        ++first;
        ++values;
    }
    for (; first != last; previous = first, ++first, ++values) {
        const T value = static_cast<T>(*values);
        sum = same(*previous, *first) ? static_cast<T>(op(sum, pending)) : initial;
        *out = sum;
        ++out;
        pending = value;
    }
    return out;
}

/// `exclusive_part` if there is an `initial`, otherwise `inclusive_part`.
template <class T, class Keys, class Values, class Out, class Same, class Op>
Out scan_part(const std::optional<open_segment<T, Keys>>& open, Keys first, Keys last,
              Values values, Out out, const Same& same, const Op& op,
              const std::optional<T>& initial) {
    return initial ? exclusive_part(open, first, last, values, out, same, op, *initial)
                   : inclusive_part(open, first, last, values, out, same, op);
}

/// A block of an array that one thread folds and, once the state before it is known, writes by
/// `write(state_before, begin, end)` while it is in cache.
template <class T, class Keys, class Values, class Same, class Op, class Write>
class segment_piece {
  public:
    static constexpr std::size_t size = 16'384;

    segment_piece(std::size_t begin, std::size_t end, Keys keys, Values values, const Same& same,
                  const Op& op, const Write& write)
        : begin_{begin},
          end_{end},
          keys_{keys},
          values_{values},
          same_{same},
          op_{op},
          write_{write} {}

    /// Folds only the values of the segment that is open at the end.
    [[nodiscard]] segment_state<T> fold() const {
        std::size_t begun = begin_ == 0 ? 1 : 0;
        std::size_t open = begin_;
        // Without a branch, because no CPU could predict it.
        for (std::size_t i = begin_ + begun; i < end_; ++i) {
            const bool begins = !same_(keys_[of_keys(i - 1)], keys_[of_keys(i)]);
            begun += begins ? 1 : 0;
            open = begins ? i : open;
        }
        T sum = value(open);
        for (std::size_t i = open + 1; i < end_; ++i) {
            sum = static_cast<T>(op_(sum, value(i)));
        }
        return {begun, sum};
    }
    void scan(const std::optional<segment_state<T>>& before) const { write_(before, begin_, end_); }

  private:
    static std::iter_difference_t<Keys> of_keys(std::size_t i) noexcept {
        return static_cast<std::iter_difference_t<Keys>>(i);
    }
    [[nodiscard]] T value(std::size_t i) const {
        return static_cast<T>(values_[static_cast<std::iter_difference_t<Values>>(i)]);
    }

    std::size_t begin_;
    std::size_t end_;
    Keys keys_;
    Values values_;
    const Same& same_;
    const Op& op_;
    const Write& write_;
};

/// Calls `write(state_before, begin, end)` for pieces that together are the indices below `count`, at least
/// one, in TBB's threads.
template <class T, class Keys, class Values, class Same, class Op, class Write>
void segments_in_parallel(Keys keys, std::size_t count, Values values, const Same& same,
                          const Op& op, const Write& write) noexcept {
    using piece = segment_piece<T, Keys, Values, Same, Op, Write>;
    using state = segment_state<T>;
    scan_in_parallel(
        count, piece::size, std::optional<state>{},
        [&](const state& a, const state& b) { return joined(a, b, op); },
        [&](std::size_t begin, std::size_t end) {
            return piece{begin, end, keys, values, same, op, write};
        });
}

/// The number of values from which several threads are faster than one.
inline constexpr std::size_t segmented_worth_threads = 65'536;

/// The segment that is open before index `begin` of `keys`, after `state`; none without a state.
template <class T, class Keys>
[[nodiscard]] std::optional<open_segment<T, Keys>> open_before(
    const std::optional<segment_state<T>>& state, Keys keys, std::size_t begin) {
    if (!state) {
        return std::nullopt;
    }
    return open_segment<T, Keys>{state->fold, ahead(keys, begin - 1)};
}

/// Writes the first key of each segment, and the fold of its values as `T`. Returns the ends of both outputs.
template <execution::host_policy P, class T, class Keys, class Values, class KeysOut, class Out,
          class Same, class Op>
std::pair<KeysOut, Out> reduce_segments_on_host(Keys first, Keys last, Values values,
                                                KeysOut keys_out, Out out, const Same& same,
                                                const Op& op) noexcept {
    if constexpr (is_parallel_v<P> && indexed_iterator<Keys> && indexed_iterator<Values> &&
                  shared_output<KeysOut> && shared_output<Out>) {
        const auto count = static_cast<std::size_t>(last - first);
        if (count >= segmented_worth_threads) {
            std::pair<KeysOut, Out> ends{keys_out, out};
            segments_in_parallel<T>(
                first, count, values, same, op,
                [&](const std::optional<segment_state<T>>& state, std::size_t begin,
                    std::size_t end) {
                    const std::size_t begun = state ? state->begun : 0;
                    const auto written =
                        reduce_part(open_before(state, first, begin), ahead(first, begin),
                                    ahead(first, end), ahead(values, begin), ahead(keys_out, begun),
                                    ahead(out, state ? begun - 1 : 0), same, op, end == count);
                    if (end == count) {
                        ends = written;
                    }
                });
            return ends;
        }
    }
    if (first == last) {
        return {keys_out, out};
    }
    return reduce_part(std::optional<open_segment<T, Keys>>{}, first, last, values, keys_out, out,
                       same, op, true);
}

/// Scans the values of each segment as `T`s, without `initial` inclusively, with it exclusively. Returns the
/// end of the output.
template <execution::host_policy P, class T, class Keys, class Values, class Out, class Same,
          class Op>
Out scan_segments_on_host(Keys first, Keys last, Values values, Out out, const Same& same,
                          const Op& op, const std::optional<T>& initial) noexcept {
    if constexpr (is_parallel_v<P> && indexed_iterator<Keys> && indexed_iterator<Values> &&
                  shared_output<Out>) {
        const auto count = static_cast<std::size_t>(last - first);
        if (count >= segmented_worth_threads) {
            segments_in_parallel<T>(first, count, values, same, op,
                                    [&](const std::optional<segment_state<T>>& state,
                                        std::size_t begin, std::size_t end) {
                                        scan_part(open_before(state, first, begin),
                                                  ahead(first, begin), ahead(first, end),
                                                  ahead(values, begin), ahead(out, begin), same, op,
                                                  initial);
                                    });
            return ahead(out, count);
        }
    }
    if (first == last) {
        return out;
    }
    return scan_part(std::optional<open_segment<T, Keys>>{}, first, last, values, out, same, op,
                     initial);
}

}  // namespace pointsman::detail
