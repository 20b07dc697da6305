// SPDX-License-Identifier: Apache-2.0
// A final class is a policy if it supports the operation that is called.
// expect: this policy has no submit that can be called with the function and these arguments, no
// expect: try_submit, and no select: give it one of them, as public members
#include <vector>

#include "pointsman/dynamic_selection.hpp"

struct final_policy final {
    using resource_type = int;
    std::vector<int> get_resources() { return {1}; }
#ifndef POINTSMAN_BAD
    template <class F>
    auto submit(F&& f) {
        return pointsman::default_submission{f(1)};
    }
#endif
};

int main() {
    final_policy p;
    pointsman::submit(p, [](int r) { return r; });
}
