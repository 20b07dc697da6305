// SPDX-License-Identifier: Apache-2.0
// A policy that learns kinds of task has to be told of which kind the task is.
// expect: this policy looks at the task: pass select(policy, f, args...)
#include "fairlead/dynamic_selection.hpp"

int main() {
    fairlead::auto_tune_policy p{{1, 2}};
#ifdef FAIRLEAD_BAD
    static_cast<void>(fairlead::select(p));
#else
    static_cast<void>(fairlead::select(p, [](int) {}));
#endif
}
