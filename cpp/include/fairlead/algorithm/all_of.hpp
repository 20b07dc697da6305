// SPDX-License-Identifier: Apache-2.0
// The algorithm all_of.
#pragma once

#include <functional>

#include "fairlead/algorithm/auto_dispatch.hpp"
#include "fairlead/algorithm/count_if.hpp"
#include "fairlead/algorithm/find_if.hpp"
#include "fairlead/execution/host_policies.hpp"
#ifndef FAIRLEAD_WITHOUT_OPENCL
#include "fairlead/algorithm/function.hpp"
#include "fairlead/algorithm/opencl_memory.hpp"
#include "fairlead/execution/device_policy.hpp"
#endif

namespace fairlead {

/// Whether `predicate` holds for every value of [`first`, `last`); true where there is none.
/// Otherwise as `find_if`.
template <execution::host_policy P, class It, class Predicate>
bool all_of(const P& policy, It first, It last, Predicate predicate) {
    return fairlead::find_if(policy, first, last, std::not_fn(predicate)) == last;
}

#ifndef FAIRLEAD_WITHOUT_OPENCL
template <execution::on_device P, device_iterator It, device_function Predicate>
bool all_of(const P& policy, It first, It last, Predicate predicate) {
    return fairlead::count_if(policy, first, last, predicate) == last - first;
}
#endif

FAIRLEAD_TAKES_AUTO_POLICY(all_of);

}  // namespace fairlead
