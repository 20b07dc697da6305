// SPDX-License-Identifier: Apache-2.0
// Records, per thread, the arena tasks that it is running, innermost first.
#pragma once

#include <cstddef>
#include <utility>

namespace pointsman::detail {

/// Marks the calling thread, for a scope, as running a task of `core`; null for a call, which is no task.
/// Exported from every shared library, as tasks of one arena may come from several.
class [[gnu::visibility("default")]] arena_frame {
  public:
    explicit arena_frame(const void* core = nullptr) noexcept
        : core_{core}, outer_{std::exchange(innermost_, this)} {}
    arena_frame(const arena_frame&) = delete;
    arena_frame& operator=(const arena_frame&) = delete;
    ~arena_frame() { innermost_ = outer_; }

    [[nodiscard]] static bool is_inside() noexcept { return innermost_ != nullptr; }

    /// The number of nested tasks of `core` that the calling thread is running.
    [[nodiscard]] static std::size_t count(const void* core) noexcept {
        std::size_t found = 0;
        for (const arena_frame* f = innermost_; f != nullptr; f = f->outer_) {
            found += f->core_ == core ? 1 : 0;
        }
        return found;
    }

  private:
    static inline thread_local const arena_frame* innermost_ = nullptr;
    const void* core_;
    const arena_frame* outer_;
};

}  // namespace pointsman::detail
