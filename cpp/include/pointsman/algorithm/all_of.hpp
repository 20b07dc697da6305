// SPDX-License-Identifier: Apache-2.0
// Tests on host or device whether a predicate holds for every value of a range.
#pragma once

#include <functional>

#include "pointsman/algorithm/count_if.hpp"
#include "pointsman/algorithm/detail/auto_dispatch.hpp"
#include "pointsman/algorithm/find_if.hpp"
#include "pointsman/execution/host_policies.hpp"
#ifndef POINTSMAN_WITHOUT_OPENCL
#include "pointsman/algorithm/function.hpp"
#include "pointsman/algorithm/opencl/memory.hpp"
#include "pointsman/execution/device_policy.hpp"
#endif

namespace pointsman {

/// Returns true if `predicate` holds for every value of [`first`, `last`), or if the
/// range is empty. Otherwise like `find_if`.
template <execution::host_policy P, class It, class Predicate>
bool all_of(const P& policy, It first, It last, Predicate predicate) {
    return pointsman::find_if(policy, first, last, std::not_fn(predicate)) == last;
}

#ifndef POINTSMAN_WITHOUT_OPENCL
template <execution::on_device P, device_iterator It, device_function Predicate>
bool all_of(const P& policy, It first, It last, Predicate predicate) {
    return pointsman::count_if(policy, first, last, predicate) == last - first;
}
#endif

POINTSMAN_TAKES_AUTO_POLICY(all_of);

}  // namespace pointsman
