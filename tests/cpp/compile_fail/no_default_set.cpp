// SPDX-License-Identifier: Apache-2.0
// A policy over a type without a default set has to be given its resources.
// expect: this resource type has no default set: pass the resources to the policy, or
#include <vector>

#include "fairlead/dynamic_selection.hpp"

struct device {};

int main() {
#ifdef FAIRLEAD_BAD
    fairlead::round_robin_policy<device> p;
#else
    fairlead::round_robin_policy<device> p{std::vector<device>(1)};
#endif
    p.submit([](device) {});
}
