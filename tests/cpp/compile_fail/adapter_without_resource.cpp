// SPDX-License-Identifier: Apache-2.0
// An adapter must take the resource.
// expect: the adapter cannot be called with the resource: it must take a const reference
// expect: to the policy's resource type and return what the backend works with
#include <vector>

#include "pointsman/dynamic_selection.hpp"

struct device {};

int main() {
    const std::vector<device*> devices(1);
#ifdef POINTSMAN_BAD
    auto adapter = [](device& d) { return d; };
#else
    auto adapter = [](device* d) { return *d; };
#endif
    pointsman::round_robin_policy p{devices, adapter};
    p.submit([](device*) {});
}
