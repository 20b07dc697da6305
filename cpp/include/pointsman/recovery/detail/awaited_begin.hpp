// SPDX-License-Identifier: Apache-2.0
// Suspends a coroutine until its work has a place and a resource.
#pragma once

#include <coroutine>
#include <exception>
#include <memory>
#include <utility>

#include "pointsman/base/ref_counted.hpp"
#include "pointsman/recovery/detail/submission_line.hpp"

namespace pointsman::detail {

/// What `recovering_policy::submit_async` returns. `Work` is the planned work.
///
/// A coroutine may be destroyed while it waits: work that has not begun then does not begin.
/// **Thread safety**: one coroutine awaits it, once.
template <class Submission, class Work>
class [[nodiscard]] awaited_begin {
  public:
    awaited_begin(std::shared_ptr<submission_line> line, ref<Work> work)
        : line_{std::move(line)}, waiting_{make_ref<waiting>(std::move(work))} {}
    awaited_begin(const awaited_begin&) = delete;
    awaited_begin& operator=(const awaited_begin&) = delete;
    ~awaited_begin() {
        if (is_suspended_) {  // destroyed while it waited
            line_->leave(waiting_.get());
            static_cast<void>(waiting_->take_coroutine());
        }
    }

    [[nodiscard]] bool await_ready() {
        return line_->is_empty() && waiting_->try_begin(true) == begin_try::begun;
    }
    void await_suspend(std::coroutine_handle<> coroutine) {
        const auto line = line_;
        is_suspended_ = true;
        waiting_->leave(coroutine);
        try {
            line->join(ref<waiting_submission>::share(
                waiting_.get()));  // which may resume the coroutine and destroy this
        } catch (...) {
            static_cast<void>(waiting_->take_coroutine());
            is_suspended_ = false;
            throw;
        }
    }
    /// **Throws**: what `submit` throws.
    [[nodiscard]] Submission await_resume() {
        is_suspended_ = false;
        return Submission{waiting_->take()};
    }

  private:
    class waiting final : public waiting_submission {
      public:
        explicit waiting(ref<Work> work) noexcept : work_{std::move(work)} {}
        ~waiting() override {
            if (has_begun_ && work_) {
                work_->dropped();
            }
        }

        [[nodiscard]] begin_try try_begin(bool has_places) noexcept override {
            try {
                const begin_try tried = work_->start_if_possible(has_places);
                has_begun_ = tried == begin_try::begun;
                return tried;
            } catch (...) {
                error_ = std::current_exception();
                return begin_try::begun;
            }
        }
        [[nodiscard]] ref<Work> take() {
            if (error_) {
                std::rethrow_exception(error_);
            }
            return std::move(work_);
        }

      private:
        ref<Work> work_;
        bool has_begun_ = false;
        std::exception_ptr error_;
    };

    std::shared_ptr<submission_line> line_;
    ref<waiting> waiting_;
    bool is_suspended_ = false;
};

}  // namespace pointsman::detail
