// SPDX-License-Identifier: Apache-2.0
// Type-erases the handles that executors return, so that any_executor returns one type.
#pragma once

#include <memory>
#include <utility>

#include "pointsman/submission/completion.hpp"
#include "pointsman/submission/waitable.hpp"

namespace pointsman {

/// Holds the handle of a non-blocking executor, whatever its type; is empty for work that was complete
/// when the executor returned. Copies refer to the same work.
/// **Thread safety**: that of the held handle.
class any_handle {
  public:
    /// Work that is complete.
    any_handle() = default;

    template <waitable Work>
    explicit any_handle(Work work) {
        static_assert(detail::waits<Work> && detail::calls_back<Work> && detail::pollable<Work> &&
                          detail::tells_outcome<Work>,
                      "any_handle: the executor's handle has to have wait(), is_ready(), "
                      "on_completion(callback) and outcome(), as arena_task and opencl::event do: "
                      "add what is missing, or specialise waitable_traits for it");
        held_ = std::make_shared<model<Work>>(std::move(work));
    }

    /// Blocks until the work is complete. **Throws**: the work's error.
    void wait() const {
        if (held_) {
            held_->wait();
        }
    }
    [[nodiscard]] bool is_ready() const { return !held_ || held_->is_ready(); }
    /// Calls `callback` once, when the work completes; immediately if it is already complete.
    void on_completion(completion_callback callback) const {
        if (held_) {
            held_->on_completion(callback);
        } else {
            callback(completion::noticed_now());
        }
    }
    /// When and how completed work ended.
    [[nodiscard]] completion outcome() const noexcept {
        return held_ ? held_->outcome() : completion::noticed_now();
    }
    /// Returns true if the work was complete when the executor returned.
    [[nodiscard]] bool was_complete_at_return() const noexcept { return held_ == nullptr; }

  private:
    struct interface {
        interface() = default;
        interface(const interface&) = delete;
        interface& operator=(const interface&) = delete;
        virtual ~interface() = default;
        virtual void wait() = 0;
        virtual bool is_ready() = 0;
        virtual void on_completion(completion_callback callback) = 0;
        virtual completion outcome() noexcept = 0;
    };
    template <class Work>
    struct model final : interface {
        explicit model(Work held) : work{std::move(held)} {}
        void wait() override { waitable_traits<Work>::wait(work); }
        bool is_ready() override { return waitable_traits<Work>::is_ready(work); }
        void on_completion(completion_callback callback) override {
            waitable_traits<Work>::on_completion(work, callback);
        }
        completion outcome() noexcept override { return waitable_traits<Work>::outcome(work); }
        Work work;
    };

    std::shared_ptr<interface> held_;
};

template <>
struct waitable_traits<any_handle> {
    static void wait(any_handle& work) { work.wait(); }
    static bool is_ready(any_handle& work) { return work.is_ready(); }
    static void on_completion(any_handle& work, completion_callback callback) {
        work.on_completion(callback);
    }
    static completion outcome(any_handle& work) noexcept { return work.outcome(); }
    static waitable_rung rung(const any_handle& work) noexcept {
        return work.was_complete_at_return() ? waitable_rung::complete_at_return
                                             : waitable_rung::calls_back;
    }
};

static_assert(waitable<any_handle>);

}  // namespace pointsman
