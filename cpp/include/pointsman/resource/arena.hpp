// SPDX-License-Identifier: Apache-2.0
// A pool of threads with a share of the machine's cores, on which functions run as tasks.
#pragma once

#include <tbb/info.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "pointsman/base/ref_counted.hpp"
#include "pointsman/clock.hpp"
#include "pointsman/error.hpp"
#include "pointsman/resource/arena_task.hpp"
#include "pointsman/resource/default_universe.hpp"
#include "pointsman/resource/detail/arena_core.hpp"
#include "pointsman/resource/detail/cores.hpp"
#include "pointsman/resource/hold.hpp"
#include "pointsman/tuning/domain.hpp"

namespace pointsman {

/// A pool of threads: at most `concurrency()` tasks run at a time, and that many can always run, whatever
/// other arenas and TBB are doing, even if each task blocks. A task is a function that runs once on a
/// thread of the arena, optionally bound to a NUMA node. TBB algorithms that it calls
/// (`tbb::parallel_for`) spread over TBB's workers, with at most `concurrency()` threads per loop. Tasks
/// start in the order in which they were submitted.
///
/// Threads are started when a task finds no idle thread, are shared by all arenas, and end after being
/// idle for ten seconds. TBB's own settings are left unchanged.
///
/// An arena is a handle: copies share its threads and compare equal. The last copy may be destroyed
/// while work is in flight, even from inside that work, which still runs to completion.
///
/// Waits do not deadlock: a thread that waits inside a task or a parallel loop runs the awaited task
/// itself if it has not started, in the arena that the thread is in. Only in that case does a task run
/// outside its arena's threads and beyond `concurrency()`.
///
/// A child forked after the first use of an arena or a parallel algorithm has none of the threads: every
/// function that needs a thread, including the constructor, throws `forked_process` there. Uses of TBB that
/// do not go through pointsman are not detected.
/// **Thread safety**: all members may be called from any thread.
class arena {
  public:
    static constexpr std::nullopt_t automatic = std::nullopt;  ///< as many threads as cores
    static constexpr std::nullopt_t any_node = std::nullopt;   ///< not bound to a NUMA node
    static constexpr int max_concurrency = 1 << 14;

    /// An arena of `concurrency` threads (`automatic`: one for each core of the node or machine)
    /// on NUMA node `numa_node`. **Throws**: `invalid_option` for a concurrency outside 1 to
    /// `max_concurrency` or a node that TBB does not list. **Cost**: one allocation; threads start with
    /// the first work.
    explicit arena(std::optional<int> concurrency = automatic,
                   std::optional<int> numa_node = any_node)
        : numa_node_{numa_node},
          core_{detail::make_ref<detail::arena_core>(limits(concurrency, numa_node))} {}

    /// Starts `f()` on the arena and returns at once. `f` may be move-only; it is destroyed after it
    /// has run. An exception of `f` is thrown where the task is waited for.
    /// **Throws**: what copying or moving `f` throws; `std::system_error` if the arena has no thread
    /// and none can be started. **Cost**: one allocation, and waking a thread if none is at work.
    template <class F>
        requires std::invocable<std::decay_t<F>>
    auto run(F&& f) const {
        return run(std::allocator_arg, std::allocator<void>{}, std::forward<F>(f));
    }

    /// Like `run`, with the task allocated by `source`. Memory for threads is not allocated by `source`.
    template <class Allocator, class F>
        requires std::invocable<std::decay_t<F>>
    auto run(std::allocator_arg_t, const Allocator& source, F&& f) const {
        using function = std::decay_t<F>;
        using result = std::invoke_result_t<function>;
        auto job = detail::allocate_ref<detail::arena_job<result, function>>(source, core_,
                                                                             std::forward<F>(f));
        auto state = detail::ref<detail::arena_result<result>>::share(job.get());
        core_->submit(std::move(job));
        return arena_task<result>{std::move(state)};
    }

    /// Calls `f()` in the arena and returns when it is complete; its parallel loops are limited like those
    /// of a task. Use it instead of `run` if the caller would only wait: the calling thread itself runs `f`
    /// in a slot of the arena if one is free, and then allocates no memory except in the thread's first
    /// call.
    /// **Throws**: what `f` throws. **Cost**: some 50 ns if the arena has room.
    template <std::invocable F>
    void call(F&& f) const {
        const auto core = core_;
        if (!core->try_call(f)) {
            run(std::ref(f)).wait();
        }
    }

    /// Starts work whose state is an object of the caller's type, made by `make(core)`, and returns it.
    template <class Make>
    auto start(Make&& make) const {
        auto work = std::forward<Make>(make)(core_);
        core_->submit(detail::ref<detail::arena_work>::share(work.get()));
        return work;
    }

    /// Blocks until all submitted tasks are complete; does not throw their errors. Inside a task of the
    /// arena, waits for the other tasks, except those that are also in `wait`. Must not be called from
    /// the body of a parallel loop inside a task, since the loop is part of the awaited work. When it
    /// returns, the memory of tasks without a handle has been freed.
    void wait() const {
        const auto core = core_;
        core->await_all(std::nullopt, true);
    }

    /// Waits until `deadline` at most; returns true if all tasks are complete. Inside a task the calling
    /// thread runs queued tasks, as in `wait`; elsewhere only if it `helps`. A task that it is running at
    /// the deadline is completed first.
    [[nodiscard]] bool wait_until(clock::time_point deadline, bool helps = false) const {
        const auto core = core_;
        return core->await_all(deadline, helps);
    }

    /// Announces work to come: `wait` does not return while the returned object or a copy of it exists.
    /// **Cost**: no allocation; a mutex for each copy and each destruction.
    using hold_type = hold<detail::ref<detail::arena_core>>;
    [[nodiscard]] hold_type hold_open() const noexcept { return hold_type{core_}; }

    /// The maximum number of tasks that run at a time.
    [[nodiscard]] int concurrency() const noexcept { return core_->concurrency(); }

    /// The NUMA node that was requested.
    [[nodiscard]] std::optional<int> numa_node() const noexcept { return numa_node_; }
    /// The cores that the arena shares with other arenas and with OpenCL devices that run on them. For an
    /// arena bound to one of several NUMA nodes: the cores of the node.
    [[nodiscard]] pointsman::domain domain() const {
        auto cores = detail::all_cores(static_cast<std::size_t>(concurrency()), 1);
        if (numa_node_ && tbb::info::numa_nodes().size() > 1) {
            cores.id += 1 + static_cast<std::uint64_t>(*numa_node_);
            cores.capacity = std::max(tbb::info::default_concurrency(*numa_node_), 1);
        }
        return cores;
    }

    /// The NUMA nodes that an arena can be bound to; none if TBB does not know them.
    [[nodiscard]] static std::vector<int> numa_nodes() {
        std::vector<int> nodes = tbb::info::numa_nodes();
        std::erase_if(nodes, [](int node) { return node < 0; });
        return nodes;
    }

    friend bool operator==(const arena& a, const arena& b) noexcept {
        return a.core_.get() == b.core_.get();
    }
    /// For example "arena of 8 threads on NUMA node 1".
    friend std::ostream& operator<<(std::ostream& out, const arena& a) {
        out << "arena of " << a.concurrency() << (a.concurrency() == 1 ? " thread" : " threads");
        return a.numa_node_ ? out << " on NUMA node " << *a.numa_node_ : out;
    }

  private:
    [[nodiscard]] static detail::arena_entrance::limits limits(std::optional<int> concurrency,
                                                               std::optional<int> numa_node) {
        if (concurrency && (*concurrency < 1 || *concurrency > max_concurrency)) {
            throw invalid_option{"an arena cannot have a concurrency of " +
                                 std::to_string(*concurrency) + ": pass a number from 1 to " +
                                 std::to_string(max_concurrency) + ", or none for all cores"};
        }
        if (numa_node && std::ranges::count(numa_nodes(), *numa_node) == 0) {
            throw invalid_option{"NUMA node " + std::to_string(*numa_node) +
                                 " is not known: pass " + known_nodes() + ", or none for any node"};
        }
        const int any = tbb::task_arena::automatic;  // a copy: TBB's constant has no address
        const int node = numa_node.value_or(any);
        return {.threads = concurrency ? *concurrency : tbb::info::default_concurrency(node),
                .numa_node = node};
    }

    [[nodiscard]] static std::string known_nodes() {
        std::string text;
        for (const int node : numa_nodes()) {
            text += (text.empty() ? "one of " : ", ") + std::to_string(node);
        }
        return text.empty() ? "no node (TBB lists none; its library tbbbind finds them)" : text;
    }

    std::optional<int> numa_node_;
    detail::ref<detail::arena_core> core_;
};

static_assert(std::copyable<arena> && std::equality_comparable<arena>);

/// One arena for each NUMA node, or one for the machine if TBB does not know its nodes.
template <>
struct default_universe<arena> {
    [[nodiscard]] static std::vector<arena> get() {
        std::vector<arena> found;
        for (const int node : arena::numa_nodes()) {
            found.emplace_back(arena::automatic, node);
        }
        if (found.empty()) {
            found.emplace_back();
        }
        return found;
    }
};

}  // namespace pointsman
