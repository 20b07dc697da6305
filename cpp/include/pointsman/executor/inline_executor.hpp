// SPDX-License-Identifier: Apache-2.0
// Runs work immediately on the calling thread, one agent after the other.
#pragma once

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

/// Runs its agents on the calling thread, those of a bulk one after the other in index order. Use it for
/// work that is too small to run elsewhere, and as the fallback that is always available.
/// **Thread safety**: a value; any thread.
/// **Cost**: none beyond the calls.
/// **Example**: `inline_executor<>{}.bulk_execute([&](std::size_t i) { sum += x[i]; }, x.size());`
/// Source: *Implementation* in the executor document.
template <class Blocking = blocking_t::always_t, class ProtoAllocator = std::allocator<void>>
class inline_executor
    : public executor_properties<inline_executor, Blocking, ProtoAllocator, blocking_t::always_t> {
    using base = executor_properties<pointsman::inline_executor, Blocking, ProtoAllocator,
                                     blocking_t::always_t>;

  public:
    using shape_type = std::size_t;
    using index_type = std::size_t;
    static constexpr std::string_view name = "inline";
    static constexpr int priority = 10;

    using base::base;
    using base::query;

    /// Calls `f()`. **Throws**: what `f` throws.
    template <class F>
    constexpr void execute(F&& f) const {
        std::invoke(std::forward<F>(f));
    }

    /// Calls `f(i)` for each `i` below `n`. **Throws**: what `f` throws; no further agent runs then.
    template <class F>
    constexpr void bulk_execute(F&& f, const shape_type& n) const {
        for (index_type i = 0, end = n; i < end; ++i) {
            f(i);
        }
    }

    [[nodiscard]] constexpr calling_thread context() const noexcept { return {}; }
    [[nodiscard]] static constexpr mapping_t::thread_t query(const mapping_t&) noexcept {
        return {};
    }
    [[nodiscard]] static constexpr std::size_t query(const occupancy_t&) noexcept { return 1; }

    /// A copy with other properties.
    template <class OtherBlocking, class OtherAllocator>
    [[nodiscard]] constexpr inline_executor<OtherBlocking, OtherAllocator> rebind(
        const OtherAllocator& proto) const {
        return inline_executor<OtherBlocking, OtherAllocator>{proto};
    }

    friend bool operator==(const inline_executor&, const inline_executor&) = default;
};

using default_inline_executor = inline_executor<>;

static_assert(executor<default_inline_executor>);

}  // namespace pointsman
