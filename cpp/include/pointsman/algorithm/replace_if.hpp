// SPDX-License-Identifier: Apache-2.0
// Replaces the values that satisfy a predicate, on host or device.
#pragma once

#include "pointsman/algorithm/detail/auto_dispatch.hpp"
#include "pointsman/algorithm/host/replacement.hpp"
#ifndef POINTSMAN_WITHOUT_OPENCL
#include "pointsman/algorithm/function.hpp"
#include "pointsman/algorithm/opencl/memory.hpp"
#include "pointsman/algorithm/replace_copy_if.hpp"
#include "pointsman/execution/device_policy.hpp"
#endif

namespace pointsman {

/// Replaces each value of [`first`, `last`) for which `predicate` holds by `new_value`. Otherwise like
/// `replace_copy_if`.
template <execution::host_policy P, class It, class Predicate, class T>
void replace_if(const P& policy, It first, It last, Predicate predicate, const T& new_value) {
    detail::replace_in_blocks(policy, first, last, predicate, new_value);
}

#ifndef POINTSMAN_WITHOUT_OPENCL
template <execution::on_device P, device_iterator It, device_function Predicate, device_value T>
void replace_if(const P& policy, It first, It last, Predicate predicate, const T& new_value) {
    pointsman::replace_copy_if(policy, first, last, first, predicate, new_value);
}
#endif

POINTSMAN_TAKES_AUTO_POLICY(replace_if);

}  // namespace pointsman
