// SPDX-License-Identifier: Apache-2.0
// The members that a policy's state must and may have.
#pragma once

#include <concepts>
#include <cstddef>

namespace pointsman {

/// The `state_type` of a policy whose rule is a member of its state. `policy_base` makes it as
/// `state_type(resources, args...)`.
///
/// The state has a type `choice`, whose `index` is the position of the chosen resource in the set, and
/// `choose(thread, f, args...)`, which returns a `choice`, or a `std::optional` of it, empty when no
/// resource is free; `thread` is an index in the order in which threads came, `detail::no_thread` while
/// the thread ends. `choose` is checked where it is called.
///
/// It may have `choose_among(thread, suits, f, args...)`, which returns the `std::optional` of a choice
/// whose index `suits`, a predicate. Without it, `choose` is asked again after a choice that does not
/// suit the task, unless the state says `chooses_one`.
///
/// It may also have these members, by which reports reach it:
///
/// | member                               | called on                                         |
/// |--------------------------------------|---------------------------------------------------|
/// | `add(choice)`                        | a submission beyond the one that `choose` counted |
/// | `give_back(choice)`                  | completion, or a choice that is dropped unused    |
/// | `learn(choice, nanoseconds, exact)`  | the time of a task, or an upper bound of it       |
/// | `fail(choice)`                       | a task that failed                                |
/// | `wants_time(choice)`                 | asked before the clock is read                    |
/// | `prepare(backend, args...)`, static  | before the backend is asked for its resources     |
/// | `explain(choice)`                    | asked for the reason for a choice, as a sentence  |
/// | `notifies_always`                    | true: `choose` is empty only until `give_back`, so |
/// |                                      | waiting threads sleep until they are woken        |
template <class T>
concept policy_state =
    std::move_constructible<typename T::choice> && requires(const typename T::choice& chosen) {
        { chosen.index } -> std::convertible_to<std::size_t>;
    };

}  // namespace pointsman
