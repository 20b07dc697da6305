// SPDX-License-Identifier: Apache-2.0
// A policy without resources uses the default set of the machine, which needs another header.
// expect: include pointsman/pointsman.hpp for any_resource
#include <vector>

#include "pointsman/dynamic_selection.hpp"

int main() {
#ifdef POINTSMAN_BAD
    pointsman::round_robin_policy p;
#else
    pointsman::round_robin_policy p{std::vector{1}};
#endif
    static_cast<void>(p.select());
}
