// SPDX-License-Identifier: Apache-2.0
// The required and optional members of a policy's state, which holds the policy's rule.
#pragma once

#include <concepts>
#include <cstddef>

namespace pointsman {

/// Requirements on the `state_type` of a policy whose rule is a member of its state. `policy_base`
/// constructs it as `state_type(resources, args...)`.
///
/// The state has a type `choice`, whose `index` is the index of the chosen resource in the set, and
/// `choose(thread, f, args...)`, which returns a `choice`, or a `std::optional` of it, empty if no
/// resource is free. `thread` is the index of the calling thread, counted from 0 and reused after the
/// thread has ended; it is `detail::no_thread` while the thread is ending. `choose` is checked only at
/// the call.
///
/// The state may have `choose_among(thread, suits, f, args...)`, which returns a `std::optional` of a
/// choice for whose index the predicate `suits` is true. Without it, `choose` is called again after a
/// choice that the task refuses, unless the state has a `chooses_one` that is true.
///
/// The state may also have these members:
///
/// | member                               | called                                                |
/// |--------------------------------------|-------------------------------------------------------|
/// | `add(choice)`                        | on each submission beyond the one that `choose` counted |
/// | `give_back(choice)`                  | on completion, or when an unused choice is dropped    |
/// | `learn(choice, nanoseconds, exact)`  | with the time of a task, or an upper bound of it      |
/// | `fail(choice)`                       | when a task has failed                                |
/// | `refuse(choice)`                     | instead of `fail`, when the task refuses the resource |
/// | `wants_time(choice)`                 | before the clock is read                              |
/// | `prepare(backend, args...)`, static  | before the resources are read from the backend        |
/// | `explain(choice)`                    | for the reason of a choice, as a sentence             |
/// | `use_time(now)`                      | in a simulation, before the first choice: `now`, a `clock::duration` that changes, stands for the clock |
/// | `inherit(before, origins)`           | on a new state with the one that it replaces, before it is used |
///
/// `origins` has for each resource the index of an equal one in the set before, as a `std::optional`.
///
/// A `notifies_always` that is true promises that `choose` is empty only until the next `give_back`:
/// waiting threads then sleep until they are woken.
template <class T>
concept policy_state =
    std::move_constructible<typename T::choice> && requires(const typename T::choice& chosen) {
        { chosen.index } -> std::convertible_to<std::size_t>;
    };

}  // namespace pointsman
