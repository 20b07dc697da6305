// SPDX-License-Identifier: Apache-2.0
// A policy that learns per kind of task must be given the task to select.
// expect: this policy looks at the task: pass select(policy, f, args...)
#include "pointsman/dynamic_selection.hpp"

int main() {
    pointsman::auto_tune_policy p{{1, 2}};
#ifdef POINTSMAN_BAD
    static_cast<void>(pointsman::select(p));
#else
    static_cast<void>(pointsman::select(p, [](int) {}));
#endif
}
