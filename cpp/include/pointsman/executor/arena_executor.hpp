// SPDX-License-Identifier: Apache-2.0
// Runs functions and loops on the threads of an arena, with or without waiting for them.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string_view>
#include <type_traits>
#include <utility>

#include "pointsman/base/in_threads.hpp"
#include "pointsman/executor/executor.hpp"
#include "pointsman/executor/executor_properties.hpp"
#include "pointsman/property/occupancy.hpp"
#include "pointsman/property/outstanding_work.hpp"
#include "pointsman/resource/arena.hpp"

namespace pointsman {

namespace detail {
/// The arena of all cores, for executors constructed without an arena.
[[nodiscard]] inline const arena& shared_arena() {
    static const arena all_cores;
    return all_cores;
}
}  // namespace detail

/// Runs agents on the threads of a `pointsman::arena`, which is its context. Use it for loops that are
/// worth several threads, or to continue while the work runs. If it always blocks, the calling thread
/// takes part in the work. Otherwise the work becomes one task of the arena, whose handle is an
/// `arena_task<void>`, and `context().wait()` waits for it too.
///
/// The memory of a task is returned when its last handle is destroyed and the thread that ran it has
/// released it. That may be just after a wait for the task has returned, but not after
/// `context().wait()`: call it before the allocator's memory is destroyed.
///
/// The body of a bulk may call parallel algorithms, including algorithms on the same executor. An agent
/// may wait for tasks of the arena, but not for another agent of its bulk.
/// **Thread safety**: threads may share one object, but not while one of them assigns to it.
/// **Cost**: under `always`, that of `tbb::parallel_for` plus a microsecond; pointsman allocates nothing
/// while the arena has a free slot. Otherwise, one allocation from the executor's allocator.
/// **Example**:
///
///     pointsman::arena_executor<> cores;
///     bulk_execute(cores, [&](std::size_t i) { y[i] += a * x[i]; }, n);
///     auto task = execute(require(cores, pointsman::blocking.never), save);
/// Source: *Executor Design* in the executor document.
template <class Blocking = blocking_t::always_t, class ProtoAllocator = std::allocator<void>>
class arena_executor
    : public executor_properties<arena_executor, Blocking, ProtoAllocator, blocking_t::always_t,
                                 blocking_t::never_t, blocking_t::possibly_t> {
    using base =
        executor_properties<pointsman::arena_executor, Blocking, ProtoAllocator,
                            blocking_t::always_t, blocking_t::never_t, blocking_t::possibly_t>;
    static constexpr bool waits = std::is_same_v<Blocking, blocking_t::always_t>;

  public:
    using shape_type = std::size_t;
    using index_type = std::size_t;
    static constexpr std::string_view name = "arena";
    static constexpr int priority = 30;

    using base::query;
    using base::require;

    /// Uses the arena of all cores, which all executors constructed this way share.
    arena_executor() : arena_executor{ProtoAllocator{}} {}
    explicit arena_executor(const ProtoAllocator& proto)
        : arena_executor{detail::shared_arena(), proto} {}
    /// Uses the given arena.
    explicit arena_executor(arena where, const ProtoAllocator& proto = {})
        : base{proto}, arena_{std::move(where)} {}

    /// Calls `f()` once on the arena. **Throws**: what `f` throws, here or from the handle's wait.
    template <class F>
    auto execute(F&& f) const {
        if constexpr (waits) {
            arena_.call(f);
        } else {
            return start([work = std::decay_t<F>(std::forward<F>(f))]() mutable {
                static_cast<void>(std::invoke(std::move(work)));
            });
        }
    }

    /// Calls `f(i)` for each `i` below `n`, on several threads at a time.
    /// **Throws**: the first exception of an agent, after all started agents have finished, here or from
    /// the handle's wait. Agents that had not started may be skipped.
    template <class F>
    auto bulk_execute(F&& f, const shape_type& n) const {
        if constexpr (waits) {
            arena_.call([&] { loop(f, n); });
        } else {
            return start(
                [body = std::decay_t<F>(std::forward<F>(f)), n]() mutable { loop(body, n); });
        }
    }

    [[nodiscard]] const arena& context() const noexcept { return arena_; }
    [[nodiscard]] static constexpr mapping_t::thread_t query(const mapping_t&) noexcept {
        return {};
    }
    [[nodiscard]] std::size_t query(const occupancy_t&) const noexcept {
        return static_cast<std::size_t>(arena_.concurrency());
    }

    [[nodiscard]] outstanding_work_t query(const outstanding_work_t&) const noexcept {
        return tracked_ ? outstanding_work.tracked.value() : outstanding_work.untracked.value();
    }
    /// While a tracked executor exists, `context().wait()` does not return.
    [[nodiscard]] arena_executor require(const outstanding_work_t::tracked_t&) const {
        auto changed = *this;
        changed.tracked_ = arena_.hold_open();
        return changed;
    }
    [[nodiscard]] arena_executor require(const outstanding_work_t::untracked_t&) const {
        auto changed = *this;
        changed.tracked_ = {};
        return changed;
    }

    /// A copy with other properties.
    template <class OtherBlocking, class OtherAllocator>
    [[nodiscard]] arena_executor<OtherBlocking, OtherAllocator> rebind(
        const OtherAllocator& proto) const {
        const arena_executor<OtherBlocking, OtherAllocator> changed{arena_, proto};
        return tracked_ ? changed.require(outstanding_work.tracked) : changed;
    }

    friend bool operator==(const arena_executor&, const arena_executor&) = default;

  private:
    template <class F>
    [[nodiscard]] arena_task<void> start(F&& f) const {
        return arena_.run(std::allocator_arg, this->proto_allocator(), std::forward<F>(f));
    }

    template <class F>
    static void loop(F& f, std::size_t n) {
        detail::in_threads(n, 1, [&f](std::size_t i, std::size_t end) {
            for (; i < end; ++i) {
                f(i);
            }
        });
    }

    arena arena_;
    arena::hold_type tracked_;  // empty if untracked
};

using default_arena_executor = arena_executor<>;

static_assert(executor<default_arena_executor>);

}  // namespace pointsman
