// SPDX-License-Identifier: Apache-2.0
// Runs functions in a TBB arena that limits the threads and the NUMA node of their parallel loops.
#pragma once

#include <tbb/info.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "pointsman/base/tbb_threads.hpp"

namespace pointsman::detail {

/// A TBB arena in which the calling thread runs functions. Each thread caches one TBB arena for each
/// recently used combination of limits. One slot of it is reserved for the thread, so the thread never
/// waits for a slot whose holder may be waiting for the thread; the other slots are for TBB's workers,
/// which join the thread's loops. Since the TBB arenas belong to threads, an unused arena has none.
class arena_entrance {
  public:
    struct limits {
        int threads;    ///< of one loop
        int numa_node;  ///< or `tbb::task_arena::automatic`
        friend bool operator==(const limits&, const limits&) = default;
    };

    /// The entrance of the calling thread. **Throws**: `std::bad_alloc`.
    /// **Cost**: a lookup; microseconds for limits that are new to the thread.
    explicit arena_entrance(const limits& wanted) {
        if (is_gone_) {
            own_ = std::make_unique<passage>(wanted);
            passage_ = own_.get();
        } else {
            passage_ = &mine_.find(wanted);
        }
        ++passage_->users;
    }
    arena_entrance(arena_entrance&& other) noexcept
        : own_{std::move(other.own_)}, passage_{std::exchange(other.passage_, nullptr)} {}
    arena_entrance& operator=(arena_entrance&&) = delete;
    ~arena_entrance() {
        if (passage_ != nullptr) {
            --passage_->users;
        }
    }

    /// Calls `function()` in it. **Throws**: what `function` or TBB throws; destructors release slots.
    template <class F>
    void call(F&& function) {
        passage_->threads->execute(std::forward<F>(function));
    }

  private:
    struct passage {
        explicit passage(const limits& wanted)
            : kind{wanted},
              threads{std::make_unique<tbb::task_arena>(
                  tbb::task_arena::constraints{}
                      .set_max_concurrency(
                          std::min(wanted.threads, tbb::info::default_concurrency()))
                      .set_numa_id(wanted.numa_node),
                  1)} {
            threads->initialize();
        }
        passage(const passage&) = delete;
        passage& operator=(const passage&) = delete;
        /// A forked child leaks the TBB arena, which other TBB threads may have locked.
        ~passage() {
            if (tbb_threads::are_missing()) {
                static_cast<void>(threads.release());
            }
        }

        const limits kind;
        std::unique_ptr<tbb::task_arena> threads;
        int users = 0;  // nested calls of the thread
    };

    class passages {
      public:
        passages() = default;
        passages(const passages&) = delete;
        passages& operator=(const passages&) = delete;
        ~passages() { is_gone_ = true; }

        [[nodiscard]] passage& find(const limits& wanted) {
            for (const auto& each : kept_) {
                if (each->kind == wanted) {
                    return *each;
                }
            }
            auto made = std::make_unique<passage>(wanted);
            const auto oldest =
                std::ranges::find_if(kept_, [](const auto& p) { return p->users == 0; });
            if (kept_.size() >= most_kept && oldest != kept_.end()) {
                kept_.erase(oldest);
            }
            kept_.push_back(std::move(made));
            return *kept_.back();
        }

      private:
        static constexpr std::size_t most_kept = 4;
        std::vector<std::unique_ptr<passage>> kept_;
    };

    static inline thread_local passages mine_;
    /// A destructor may call an arena after the thread-local objects are destroyed.
    static inline thread_local bool is_gone_ = false;

    std::unique_ptr<passage> own_;
    passage* passage_;
};

}  // namespace pointsman::detail
