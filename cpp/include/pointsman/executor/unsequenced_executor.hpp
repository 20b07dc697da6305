// SPDX-License-Identifier: Apache-2.0
// Runs the agents of a loop in the vector lanes of the calling thread.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <string_view>
#include <utility>

#include "pointsman/executor/detail/calling_thread.hpp"
#include "pointsman/executor/executor.hpp"
#include "pointsman/executor/executor_properties.hpp"
#include "pointsman/property/occupancy.hpp"

namespace pointsman {

/// Runs the agents of a bulk interleaved on the calling thread: the compiler may put several agents into
/// the lanes of a vector register, without checking that they are independent. Use it for loops whose
/// agents neither read what another one writes nor wait for each other. A body that the compiler cannot
/// vectorise runs as on `inline_executor`.
///
/// To use it within each thread of a parallel executor, see `nested_executor`.
/// **Thread safety**: a value; any thread.
/// **Cost**: none beyond the loop.
/// **Example**: `unsequenced_executor<>{}.bulk_execute([=](std::size_t i) { y[i] += a * x[i]; }, n);`
/// Source: *Executor Design* in the executor document.
template <class Blocking = blocking_t::always_t, class ProtoAllocator = std::allocator<void>>
class unsequenced_executor : public executor_properties<unsequenced_executor, Blocking,
                                                        ProtoAllocator, blocking_t::always_t> {
    using base = executor_properties<pointsman::unsequenced_executor, Blocking, ProtoAllocator,
                                     blocking_t::always_t>;

  public:
    using shape_type = std::size_t;
    using index_type = std::size_t;
    static constexpr std::string_view name = "unsequenced";
    static constexpr int priority = 20;

    using base::base;
    using base::query;

    /// Calls `f()`. **Throws**: what `f` throws.
    template <class F>
    constexpr void execute(F&& f) const {
        std::invoke(std::forward<F>(f));
    }

    /// Calls `f(i)` for each `i` below `n`, in any order.
    /// **Throws**: what `f` throws; no further agent runs then.
    template <class F>
    constexpr void bulk_execute(F&& f, const shape_type& n) const {
        const index_type end = n;
        // Not clang's loop vectorize(assume_safety): if it cannot vectorise, it warns in the caller's
        // code.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC ivdep
#endif
        for (index_type i = 0; i < end; ++i) {
            f(i);
        }
    }

    [[nodiscard]] constexpr calling_thread context() const noexcept { return {}; }
    [[nodiscard]] static constexpr mapping_t::other_t query(const mapping_t&) noexcept {
        return {};
    }
    /// The lanes of the widest vector register that the program was compiled for.
    [[nodiscard]] static constexpr std::size_t query(const occupancy_t&) noexcept {
        return std::max<std::size_t>(alignof(std::max_align_t), widest_vector_bytes) /
               sizeof(float);
    }

    /// A copy with other properties.
    template <class OtherBlocking, class OtherAllocator>
    [[nodiscard]] constexpr unsequenced_executor<OtherBlocking, OtherAllocator> rebind(
        const OtherAllocator& proto) const {
        return unsequenced_executor<OtherBlocking, OtherAllocator>{proto};
    }

    friend bool operator==(const unsequenced_executor&, const unsequenced_executor&) = default;

  private:
#ifdef __BIGGEST_ALIGNMENT__
    static constexpr std::size_t widest_vector_bytes = __BIGGEST_ALIGNMENT__;
#else
    static constexpr std::size_t widest_vector_bytes = 16;
#endif
};

using default_unsequenced_executor = unsequenced_executor<>;

static_assert(executor<default_unsequenced_executor>);

}  // namespace pointsman
