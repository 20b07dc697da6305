// SPDX-License-Identifier: Apache-2.0
// Records the submission of a task, and which work belongs to it.
#pragma once

#include <cstdint>
#include <utility>

#include "pointsman/clock.hpp"
#include "pointsman/trace/event.hpp"
#include "pointsman/trace/recorder.hpp"

namespace pointsman::trace {

/// Records the submission of one task while this thread makes it. Work that is created meanwhile belongs to
/// the task (`current`).
class [[gnu::visibility("default")]] task_scope {
  public:
    /// Reads the time at which the task was submitted. `name` is the number of the kind of task.
    task_scope(std::uint32_t name, std::uint64_t sizes) noexcept
        : submission_{
              .time = clock::now(), .task = recorder::next_task(), .sizes = sizes, .name = name} {}
    task_scope(const task_scope&) = delete;
    task_scope& operator=(const task_scope&) = delete;

    /// Records the submission and the choice of a resource by `policy`.
    void chosen(std::uint32_t resource, std::uint32_t policy) noexcept {
        recorder::record(submission_);
        chosen_at_ = clock::now();
        recorder::record({.time = chosen_at_,
                          .task = submission_.task,
                          .resource = resource,
                          .policy = policy,
                          .kind = event_kind::selection});
    }

    /// Returns `place()`, which submits the task. If nothing that it created is watched, the task ends with it.
    template <class Place>
    [[nodiscard]] auto call(Place&& place) {
        const entered inside{*this};
        try {
            auto submission = std::forward<Place>(place)();
            ended_here(true);
            return submission;
        } catch (...) {
            ended_here(false);
            throw;
        }
    }

    /// Returns the task that this thread submits; 0 if none.
    [[nodiscard]] static std::uint64_t current() noexcept {
        return current_ == nullptr ? 0 : current_->submission_.task;
    }
    /// As `current`; the caller will record the end of the task.
    [[nodiscard]] static std::uint64_t take_over() noexcept {
        if (current_ != nullptr) {
            current_->is_watched_ = true;
        }
        return current();
    }

  private:
    class entered {
      public:
        explicit entered(task_scope& scope) noexcept : outer_{std::exchange(current_, &scope)} {}
        entered(const entered&) = delete;
        entered& operator=(const entered&) = delete;
        ~entered() { current_ = outer_; }

      private:
        task_scope* outer_;
    };

    void ended_here(bool succeeded) const noexcept {
        if (is_watched_) {
            return;
        }
        recorder::record({.time = chosen_at_, .task = submission_.task, .kind = event_kind::start});
        recorder::record({.time = clock::now(),
                          .task = submission_.task,
                          .kind = event_kind::end,
                          .succeeded = succeeded});
    }

    static inline constinit thread_local task_scope* current_ = nullptr;

    event submission_;
    clock::time_point chosen_at_{};
    bool is_watched_ = false;
};

/// The number of the submission to which the work that contains this belongs; 0 unless it is traced.
class task_mark {
  public:
    [[nodiscard]] std::uint64_t task() const noexcept { return task_; }
    [[nodiscard]] explicit operator bool() const noexcept { return task_ != 0; }

    /// Called by a thread that begins to run the work.
    [[gnu::always_inline]] void started() const noexcept {
        if (task_ != 0) [[unlikely]] {
            recorder::record({.time = clock::now(), .task = task_, .kind = event_kind::start});
        }
    }

  protected:
    explicit task_mark(std::uint64_t task) noexcept : task_{task} {}

  private:
    std::uint64_t task_;
};

/// Of work that a resource runs.
struct run_mark : task_mark {
    run_mark() noexcept : task_mark{recorder::is_on() ? task_scope::current() : 0} {}
};

/// Of work whose end is watched.
struct watch_mark : task_mark {
    explicit watch_mark(bool is_watched) noexcept
        : task_mark{is_watched && recorder::is_on() ? task_scope::take_over() : 0} {}

    [[gnu::always_inline]] void ended(clock::time_point time, bool succeeded,
                                      bool exact) const noexcept {
        recorder::record({.time = time,
                          .task = task(),
                          .kind = event_kind::end,
                          .succeeded = succeeded,
                          .exact = exact});
    }
};

}  // namespace pointsman::trace
