// SPDX-License-Identifier: Apache-2.0
// Runs a bulk in blocks on an outer executor and each block on an inner one, such as lanes in threads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>

#include "pointsman/executor/bulk_execute.hpp"
#include "pointsman/executor/execute.hpp"
#include "pointsman/executor/executor.hpp"
#include "pointsman/executor/executor_priority.hpp"
#include "pointsman/executor/executor_traits.hpp"
#include "pointsman/property/occupancy.hpp"
#include "pointsman/property/query.hpp"
#include "pointsman/property/require.hpp"

namespace pointsman {

/// Cuts a bulk into contiguous blocks, which `Outer` runs concurrently, each on `Inner`:
/// `nested_executor{arena_executor<>{}, unsequenced_executor<>{}}` keeps the vector units of all
/// threads busy. It has the properties of `Outer`; `Inner` must always block.
/// **Thread safety**: that of `Outer` and `Inner`.
/// **Cost**: that of a bulk on `Outer` with four blocks for each unit of its `occupancy`.
/// **Example**: `bulk_execute(nested_executor{cores, lanes}, [=](std::size_t i) { y[i] += x[i]; }, n);`
/// Source: *Why does PCL need executors?* in the executor document, which cannot nest SIMD.
template <executor Outer, executor Inner>
class nested_executor {
    static_assert(detail::bulk_execute_impl::always_blocks<Inner>(),
                  "nested_executor: the inner executor does not always block, so a block would "
                  "return before its work is complete: pass require(inner, blocking.always)");
    static_assert(std::is_same_v<executor_shape_t<Outer>, std::size_t> &&
                      std::is_same_v<executor_shape_t<Inner>, std::size_t>,
                  "nested_executor: the shape of an executor must be a number, to be divided into "
                  "blocks: pass executors of host code");

  public:
    using provided_type = nested_executor;
    using shape_type = std::size_t;
    using index_type = std::size_t;
    static constexpr std::string_view name = "nested";
    static constexpr bool has_defaults = detail::query_impl::has_defaults_v<Outer>;
    static constexpr int priority = executor_priority_v<Outer> + 5;

    nested_executor() = default;
    explicit nested_executor(Outer outer, Inner inner = Inner{})
        : outer_{std::move(outer)}, inner_{std::move(inner)} {}

    /// Runs `f` on the outer executor alone.
    template <class F>
    decltype(auto) execute(F&& f) const {
        return pointsman::execute(outer_, std::forward<F>(f));
    }

    /// Calls `f(i)` for each `i` below `n`. **Throws**: as the outer executor.
    template <class F>
    decltype(auto) bulk_execute(F&& f, const shape_type& n) const {
        const std::size_t parts =
            std::min<std::size_t>(n, parts_for_each_agent * pointsman::query(outer_, occupancy));
        if constexpr (detail::bulk_execute_impl::always_blocks<Outer>()) {
            return pointsman::bulk_execute(
                outer_, [&](std::size_t k) { run_part(inner_, f, n, parts, k); }, parts);
        } else {
            return pointsman::bulk_execute(
                outer_,
                [inner = inner_, body = std::decay_t<F>(std::forward<F>(f)), n,
                 parts](std::size_t k) mutable { run_part(inner, body, n, parts, k); },
                parts);
        }
    }

    [[nodiscard]] decltype(auto) context() const { return outer_.context(); }
    [[nodiscard]] const Outer& outer() const noexcept { return outer_; }
    [[nodiscard]] const Inner& inner() const noexcept { return inner_; }

    template <class P>
        requires can_query_v<Outer, P>
    [[nodiscard]] constexpr decltype(auto) query(const P& p) const {
        return pointsman::query(outer_, p);
    }
    template <class P>
        requires can_require_v<Outer, P>
    [[nodiscard]] constexpr auto require(const P& p) const {
        auto changed = pointsman::require(outer_, p);
        return nested_executor<decltype(changed), Inner>{std::move(changed), inner_};
    }

    friend bool operator==(const nested_executor&, const nested_executor&) = default;

  private:
    static constexpr std::size_t parts_for_each_agent = 4;

    template <class F>
    static void run_part(const Inner& inner, F& f, std::size_t n, std::size_t parts,
                         std::size_t number) {
        const std::size_t rest = n % parts;
        const std::size_t begin = n / parts * number + std::min(number, rest);
        const std::size_t length = n / parts + (number < rest ? 1 : 0);
        pointsman::bulk_execute(inner, [&f, begin](std::size_t i) { f(begin + i); }, length);
    }

    Outer outer_;
    Inner inner_;
};

}  // namespace pointsman
