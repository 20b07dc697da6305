// SPDX-License-Identifier: Apache-2.0
// A submitted function must take the resource.
// expect: the submitted function cannot be called with the resource and these arguments
// expect: its first parameter must take the policy's resource type
#include "pointsman/dynamic_selection.hpp"

struct device {};

int main() {
    pointsman::round_robin_policy p{{device{}, device{}}};
#ifdef POINTSMAN_BAD
    p.submit([](int) {});
#else
    p.submit([](device) {});
#endif
}
