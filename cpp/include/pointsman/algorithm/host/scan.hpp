// SPDX-License-Identifier: Apache-2.0
// Prefix sums, and folds by other associative functions, on the host; large arrays in TBB's threads.
#pragma once

#include <tbb/task_arena.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <concepts>
#include <cstddef>
#include <iterator>
#include <memory>
#include <optional>
#include <thread>
#include <type_traits>

#include "pointsman/algorithm/detail/scan_kind.hpp"
#include "pointsman/algorithm/functors.hpp"
#include "pointsman/algorithm/host/policy.hpp"
#include "pointsman/algorithm/host/reduction.hpp"
#include "pointsman/algorithm/host/register_sums.hpp"
#include "pointsman/base/in_threads.hpp"

namespace pointsman::detail {

/// Scans `value(i)` for the indices of [`begin`, `end`), after `carry` if there is one, and returns the
/// last sum. Calls `write(i, before, now)` with the sums without and with the value at `i`.
template <class T, class Value, class F, class Write>
std::optional<T> scan_in_order(std::size_t begin, std::size_t end, std::optional<T> carry,
                               const Value& value, const F& f, const Write& write) {
    std::size_t i = begin;
    if (!carry && i != end) {
        carry.emplace(value(i));
        write(i, *carry, *carry);
        ++i;
    }
    if (i != end) {
        T sum = *carry;
        for (; i != end; ++i) {
            const T now = static_cast<T>(f(sum, value(i)));
            write(i, sum, now);
            sum = now;
        }
        carry = sum;
    }
    return carry;
}

/// A block of `size` values, fewer at the end of the array, that one thread folds and then scans while it
/// is in cache. The block consists of several runs that one loop processes in turn: a step depends only on
/// the last sum of its own run, so the CPU overlaps the steps of different runs.
template <class T, class Value, class F, class Write>
class piece_in_runs {
  public:
    static constexpr std::size_t runs = 8;
    static constexpr std::size_t run_size = 8000;  // a power of two would cause cache conflicts
    static constexpr std::size_t size = runs * run_size;

    piece_in_runs(std::size_t first, std::size_t end, const Value& value, const F& f,
                  const Write& write)
        : first_{first}, end_{end}, value_{value}, f_{f}, write_{write} {}

    [[nodiscard]] T fold() {
        if (is_full()) {
            auto sum =
                array_of<T, runs>([&](std::size_t r) { return value_(first_ + r * run_size); });
            for (std::size_t i = first_ + 1; i < first_ + run_size; ++i) {
                for (std::size_t r = 0; r < runs; ++r) {
                    sum[r] = static_cast<T>(f_(sum[r], value_(i + r * run_size)));
                }
            }
            std::copy_n(sum.begin(), runs, sums_.begin());
        } else {
            for (std::size_t r = 0; r < runs; ++r) {
                for (std::size_t i = begin_of(r); i < begin_of(r + 1); ++i) {
                    sums_[r] = sums_[r] ? static_cast<T>(f_(*sums_[r], value_(i))) : value_(i);
                }
            }
        }
        T all = *sums_[0];
        for (std::size_t r = 1; r < runs && sums_[r]; ++r) {
            all = static_cast<T>(f_(all, *sums_[r]));
        }
        return all;
    }

    /// Writes the scan; called after `fold`. `before` is the fold of everything before the piece.
    void scan(std::optional<T> before) {
        if (!is_full() || !before) {
            scan_in_order(first_, end_, before, value_, f_, write_);
            return;
        }
        auto sum = array_of<T, runs>([&](std::size_t r) {
            const T mine = *before;
            before = static_cast<T>(f_(mine, *sums_[r]));
            return mine;
        });
        for (std::size_t i = first_; i < first_ + run_size; ++i) {
            for (std::size_t r = 0; r < runs; ++r) {
                const T now = static_cast<T>(f_(sum[r], value_(i + r * run_size)));
                write_(i + r * run_size, sum[r], now);
                sum[r] = now;
            }
        }
    }

  private:
    [[nodiscard]] bool is_full() const noexcept { return end_ - first_ == size; }
    [[nodiscard]] std::size_t begin_of(std::size_t run) const noexcept {
        return std::min(first_ + run * run_size, end_);
    }

    std::size_t first_;
    std::size_t end_;
    const Value& value_;
    const F& f_;
    const Write& write_;
    std::array<std::optional<T>, runs> sums_;
};

/// Like `piece_in_runs`, for sums of numbers in vector registers.
template <class T>
class piece_in_registers {
  public:
    static constexpr std::size_t size = 16'384;

    piece_in_registers(const T* in, std::size_t count, T* out, scan_kind kind) noexcept
        : in_{in}, count_{count}, out_{out}, kind_{kind} {}

    [[nodiscard]] T fold() const noexcept { return register_sums<T>::sum(in_, count_); }
    void scan(const std::optional<T>& before) const noexcept {
        register_sums<T>::scan(in_, count_, before.value_or(T{}), out_, kind_);
    }

  private:
    const T* in_;
    std::size_t count_;
    T* out_;
    scan_kind kind_;
};

/// Assigns pieces to threads in order, and hands each thread the fold of everything before its piece.
template <class T>
class scan_turns {
  public:
    explicit scan_turns(const std::optional<T>& initial) : before_{initial} {}

    /// Returns the index of the next unassigned piece.
    [[nodiscard]] std::size_t take() noexcept {
        return taken_.fetch_add(1, std::memory_order_relaxed);
    }
    /// Returns the fold of everything before `piece`, whose own fold is `sum`. Waits until the threads
    /// with earlier pieces have called `pass`.
    template <class F>
    [[nodiscard]] std::optional<T> pass(std::size_t piece, const T& sum, const F& f) {
        constexpr unsigned patience = 1000;
        for (unsigned looks = 0; turn_.load(std::memory_order_acquire) != piece; ++looks) {
            if (looks >= patience) {
                std::this_thread::yield();
            }
        }
        std::optional<T> before = before_;
        before_ = before ? static_cast<T>(f(*before, sum)) : sum;
        turn_.store(piece + 1, std::memory_order_release);
        return before;
    }

  private:
    std::atomic<std::size_t> taken_{0};
    std::atomic<std::size_t> turn_{0};
    std::optional<T> before_;  // owned by the thread whose turn it is
};

/// Scans `count` values in pieces of `size`, made by `piece(first, end)`, in TBB's threads. Each value is
/// read from memory once. A thread that waits in a user's function must not take turns once more: it would
/// wait for the turn that it holds itself. An exception ends the program, as the standard requires of algorithms
/// with a policy; others would wait for its turn.
template <class T, class F, class Piece>
void scan_in_parallel(std::size_t count, std::size_t size, const std::optional<T>& initial,
                      const F& f, const Piece& piece) noexcept {
    const std::size_t pieces = (count + size - 1) / size;
    const auto threads = static_cast<std::size_t>(tbb::this_task_arena::max_concurrency());
    scan_turns<T> turns{initial};
    const auto take_turns = [&](std::size_t, std::size_t) noexcept {
        for (std::size_t p = turns.take(); p < pieces; p = turns.take()) {
            auto mine = piece(p * size, std::min((p + 1) * size, count));
            const T sum = mine.fold();
            mine.scan(turns.pass(p, sum, f));
        }
    };
    in_threads_isolated(std::min(threads, pieces), 1, take_turns);
}

/// `scan_on_host` for iterators without access by index, in the calling thread.
template <class T, class In, class Out, class F, class G>
Out scan_one_by_one(In first, In last, Out out, const F& f, const G& g,
                    const std::optional<T>& initial, scan_kind kind) {
    std::optional<T> sum;
    if (initial) {  // g++ 12 warns about copying an empty optional
        sum.emplace(*initial);
    }
    for (; first != last; ++first, ++out) {
        const T value = static_cast<T>(g(*first));
        if (kind == scan_kind::inclusive) {
            sum = sum ? static_cast<T>(f(*sum, value)) : value;
            *out = *sum;
        } else {
            const T before = *sum;
            sum = static_cast<T>(f(before, value));
            *out = before;
        }
    }
    return out;
}

/// `scan_on_host` for iterators with access by index, in several threads if `P` is parallel and `count`
/// large enough.
template <execution::host_policy P, class T, class In, class Out, class F, class G>
void scan_by_index(In first, std::size_t count, Out out, const F& f, const G& g,
                   const std::optional<T>& initial, scan_kind kind) {
    constexpr std::size_t worth_threads = 65'536;
    const bool in_parallel = is_parallel_v<P> && shared_output<Out> && count >= worth_threads;
    if constexpr (sums_in_registers<T, In, Out, F, G> &&
                  !std::same_as<std::remove_cvref_t<P>, execution::sequenced_policy>) {
        const auto piece = [&, in = std::to_address(first), to = std::to_address(out)](
                               std::size_t begin, std::size_t end) {
            return piece_in_registers<T>{in + begin, end - begin, to + begin, kind};
        };
        if (in_parallel) {
            scan_in_parallel(count, piece_in_registers<T>::size, initial, f, piece);
        } else {
            piece(0, count).scan(initial);
        }
    } else {
        const auto value = [&](std::size_t i) -> T {
            return static_cast<T>(g(first[static_cast<std::iter_difference_t<In>>(i)]));
        };
        const auto scan_writing = [&](const auto& write) {
            using runs = piece_in_runs<T, decltype(value), F, std::remove_cvref_t<decltype(write)>>;
            if (in_parallel) {
                scan_in_parallel(count, runs::size, initial, f,
                                 [&](std::size_t begin, std::size_t end) {
                                     return runs{begin, end, value, f, write};
                                 });
            } else {
                scan_in_order(std::size_t{0}, count, initial, value, f, write);
            }
        };
        const auto output_at = [&](std::size_t i) -> decltype(auto) {
            return out[static_cast<std::iter_difference_t<Out>>(i)];
        };
        if (kind == scan_kind::inclusive) {
            scan_writing([&](std::size_t i, const T&, const T& now) { output_at(i) = now; });
        } else {
            scan_writing([&](std::size_t i, const T& before, const T&) { output_at(i) = before; });
        }
    }
}

/// The type in which an inclusive scan without an initial value is folded.
template <class In, class G>
struct scanned {
    using type = std::decay_t<std::invoke_result_t<const G&, std::iter_reference_t<In>>>;
};
template <class In>
struct scanned<In, identity_value> {
    using type = std::iter_value_t<In>;
};

/// Scans `g(x)` of the values of [`first`, `last`), converted to and folded as `T`, after `initial` if
/// there is one; an exclusive scan must have one. Returns the end of the output.
template <execution::host_policy P, class T, class In, class Out, class F, class G>
Out scan_on_host(In first, In last, Out out, const F& f, const G& g,
                 const std::optional<T>& initial, scan_kind kind) noexcept {
    if constexpr (indexed_iterator<In> && indexed_iterator<Out>) {
        scan_by_index<P>(first, static_cast<std::size_t>(last - first), out, f, g, initial, kind);
        return out + static_cast<std::iter_difference_t<Out>>(last - first);
    } else {
        return scan_one_by_one(first, last, out, f, g, initial, kind);
    }
}

}  // namespace pointsman::detail
