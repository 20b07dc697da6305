// SPDX-License-Identifier: Apache-2.0
// A policy that is given nothing takes the machine's resources, which another header has.
// expect: include fairlead/fairlead.hpp for any_resource
#include <vector>

#include "fairlead/dynamic_selection.hpp"

int main() {
#ifdef FAIRLEAD_BAD
    fairlead::round_robin_policy p;
#else
    fairlead::round_robin_policy p{std::vector{1}};
#endif
    static_cast<void>(p.select());
}
