// SPDX-License-Identifier: Apache-2.0
// A policy over a type without a default set must be given its resources.
// expect: this resource type has no default set: pass the resources to the policy, or
#include <vector>

#include "pointsman/dynamic_selection.hpp"

struct device {};

int main() {
#ifdef POINTSMAN_BAD
    pointsman::round_robin_policy<device> p;
#else
    pointsman::round_robin_policy<device> p{std::vector<device>(1)};
#endif
    p.submit([](device) {});
}
