// SPDX-License-Identifier: Apache-2.0
// An event may be reported only to a selection that takes it.
// expect: this selection does not take the event: ask report_info_v before reporting it
#include <vector>

#include "fairlead/dynamic_selection.hpp"

struct device {};

int main() {
    const std::vector<device> devices(2);
#ifdef FAIRLEAD_BAD
    fairlead::round_robin_policy<device> p{devices};
#else
    fairlead::dynamic_load_policy<device> p{devices};
#endif
    auto selection = fairlead::select(p);
    fairlead::report(selection, fairlead::execution_info::task_submission);
}
