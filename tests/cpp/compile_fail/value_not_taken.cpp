// SPDX-License-Identifier: Apache-2.0
// A value may be reported only to a selection that takes it.
// expect: this selection does not take the value: ask report_value_v before reporting it
#include <chrono>
#include <vector>

#include "fairlead/dynamic_selection.hpp"

struct device {};

int main() {
    const std::vector<device> devices(2);
#ifdef FAIRLEAD_BAD
    fairlead::dynamic_load_policy<device> p{devices};
#else
    fairlead::auto_tune_policy<device> p{devices};
#endif
    auto selection = fairlead::select(p, [](device) {});
    fairlead::report(selection, fairlead::execution_info::task_time, std::chrono::nanoseconds{5});
}
