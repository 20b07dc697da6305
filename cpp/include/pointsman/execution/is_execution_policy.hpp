// SPDX-License-Identifier: Apache-2.0
// Type trait: recognises pointsman's execution policies, which std::is_execution_policy does not.
#pragma once

#include <type_traits>

namespace pointsman {

/// True for pointsman's execution policies, but not for references to them or cv-qualified types: use
/// it with `std::remove_cvref_t`. `std::is_execution_policy` is false for them.
/// Source: *Execution Policy Type Trait* in the execution policies document.
template <class T>
struct is_execution_policy : std::false_type {};

template <class T>
inline constexpr bool is_execution_policy_v = is_execution_policy<T>::value;

namespace execution {
using pointsman::is_execution_policy;
using pointsman::is_execution_policy_v;
}  // namespace execution

}  // namespace pointsman
