// SPDX-License-Identifier: Apache-2.0
// Wraps an executor as a scheduler of P2300: makes a sender from it.
#pragma once

#include <version>
#ifdef __cpp_lib_senders
#include <execution>
#endif

#include <concepts>
#include <exception>
#include <utility>

#include "pointsman/executor/execute.hpp"
#include "pointsman/executor/executor.hpp"

namespace pointsman {

// The tag types by which P2300 recognises senders: those of the standard library, if it has them.
#ifdef __cpp_lib_senders
using std::execution::completion_signatures;
using std::execution::get_completion_scheduler_t;
using std::execution::operation_state_t;
using std::execution::sender_t;
using std::execution::set_error_t;
using std::execution::set_value_t;
#else
struct sender_t {};
struct operation_state_t {};
struct set_value_t {};
struct set_error_t {};
template <class... Signatures>
struct completion_signatures {};
template <class Completion>
struct get_completion_scheduler_t {};
#endif

/// A sender of P2300 that completes on an agent of the executor. `connect` it to a receiver and `start`
/// the result: this calls `set_value()` of the receiver on an agent of the executor, or
/// `set_error(std::exception_ptr)` if `execute` throws.
/// **Thread safety**: a value; any thread.
/// **Cost**: `start` costs one `execute` and allocates nothing itself.
template <executor_of<detail::sample_task> Executor>
class executor_sender {
  public:
    using sender_concept = sender_t;
    using completion_signatures =
        pointsman::completion_signatures<set_value_t(), set_error_t(std::exception_ptr)>;

    explicit executor_sender(Executor where) : executor_{std::move(where)} {}

    /// The sender connected to a receiver. It must stay alive until the receiver is called.
    template <class Receiver>
    class operation {
      public:
        using operation_state_concept = operation_state_t;

        operation(Executor where, Receiver receiver)
            : executor_{std::move(where)}, receiver_{std::move(receiver)} {}
        operation(const operation&) = delete;
        operation& operator=(const operation&) = delete;
        ~operation() = default;

        void start() noexcept {
            const Executor where = executor_;  // the receiver may destroy the operation
            try {
                static_cast<void>(pointsman::execute(
                    where, [this]() noexcept { std::move(receiver_).set_value(); }));
            } catch (...) {
                std::move(receiver_).set_error(std::current_exception());
            }
        }

      private:
        Executor executor_;
        Receiver receiver_;
    };

    template <class Receiver>
    [[nodiscard]] operation<std::remove_cvref_t<Receiver>> connect(Receiver&& receiver) const {
        return {executor_, std::forward<Receiver>(receiver)};
    }

    /// Attributes of the sender: the scheduler on which it completes.
    struct environment {
        [[nodiscard]] Executor query(
            const get_completion_scheduler_t<set_value_t>&) const noexcept {
            return scheduler;
        }
        Executor scheduler;
    };
    [[nodiscard]] environment get_env() const { return {executor_}; }

  private:
    Executor executor_;
};

/// Returns a sender that completes on `executor`. Use it for code written against P2300.
/// **Example**: `auto work = schedule(arena_executor<>{}).connect(receiver); work.start();`
/// Source: forward compatibility in *Design Considerations* of the executor document.
template <executor_of<detail::sample_task> Executor>
[[nodiscard]] executor_sender<Executor> schedule(Executor executor) {
    return executor_sender<Executor>{std::move(executor)};
}

}  // namespace pointsman
