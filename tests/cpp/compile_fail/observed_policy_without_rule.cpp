// SPDX-License-Identifier: Apache-2.0
// Only policies that have a rule can be observed.
// expect: only a policy with a rule can be observed
// expect: put one of the provided policies into observed_policy
#include "pointsman/dynamic_selection.hpp"

namespace pm = pointsman;

#ifdef POINTSMAN_BAD
using observed = pm::observed_policy<int>;
#else
using observed = pm::observed_policy<pm::round_robin_policy<int>>;
#endif

int main() { observed policy{pm::deferred_initialization}; }
