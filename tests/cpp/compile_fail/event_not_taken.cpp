// SPDX-License-Identifier: Apache-2.0
// An event may be reported only to a selection that accepts it.
// expect: this selection does not accept the event: check report_info_v before
#include <vector>

#include "pointsman/dynamic_selection.hpp"

struct device {};

int main() {
    const std::vector<device> devices(2);
#ifdef POINTSMAN_BAD
    pointsman::round_robin_policy<device> p{devices};
#else
    pointsman::dynamic_load_policy<device> p{devices};
#endif
    auto selection = pointsman::select(p);
    pointsman::report(selection, pointsman::execution_info::task_submission);
}
