// SPDX-License-Identifier: Apache-2.0
// A value may be reported only to a selection that accepts it.
// expect: this selection does not accept the value: check report_value_v before
#include <chrono>
#include <vector>

#include "pointsman/dynamic_selection.hpp"

struct device {};

int main() {
    const std::vector<device> devices(2);
#ifdef POINTSMAN_BAD
    pointsman::dynamic_load_policy<device> p{devices};
#else
    pointsman::auto_tune_policy<device> p{devices};
#endif
    auto selection = pointsman::select(p, [](device) {});
    pointsman::report(selection, pointsman::execution_info::task_time, std::chrono::nanoseconds{5});
}
