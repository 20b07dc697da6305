// SPDX-License-Identifier: Apache-2.0
// The pending work of all policies, in which a group finds what it cancels.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "pointsman/binding/base.hpp"
#include "pointsman/binding/submission.hpp"

namespace pointsman::python {

class pending_work;

/// A list of the work that has not ended, whether or not a `Submission` holds it. Never destroyed: work may
/// end while the process does. A forked child begins with an empty list, since another thread of the parent
/// may have held the lock, and the work runs in the parent.
/// **Thread safety**: any thread, with or without the GIL.
class outstanding_work {
  public:
    /// Base of pending work.
    class entry {
      public:
        entry(const entry&) = delete;
        entry& operator=(const entry&) = delete;

      protected:
        entry() = default;
        ~entry() = default;

        /// Called once: work of the policy whose group this is has begun.
        void join(const binding::submission_group_state& group);
        /// The work has ended, or is destroyed. Further calls have no effect.
        void leave() noexcept;

      private:
        friend outstanding_work;
        outstanding_work* list_ = nullptr;
        std::weak_ptr<const void> group_;  // is not confused with a later group at its address
        entry* next_ = nullptr;
        entry** link_ = nullptr;  // in the list, the pointer to this
    };

    [[nodiscard]] static outstanding_work& instance();
    /// Returns the work of a group, the most recent first.
    [[nodiscard]] std::vector<binding::ref<pending_work>> of(
        const binding::submission_group_state& group);

  private:
    binding::fork_mark mark_;
    std::mutex mutex_;
    entry* first_ = nullptr;
};

}  // namespace pointsman::python
