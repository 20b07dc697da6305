// SPDX-License-Identifier: Apache-2.0
// A device sorts by functions whose text it knows.
// expect: a device sorts by less or greater, or by a POINTSMAN_FUNCTION of two values: pass one of these
#include <vector>

#include "pointsman/algorithm/function.hpp"
#include "pointsman/algorithm/sort.hpp"
#include "pointsman/execution/device_policy.hpp"

POINTSMAN_FUNCTION(bool, has_less_hundreds, (int a, int b), { return a / 100 < b / 100; });

int main() {
    std::vector<int> x(3);
    const auto run = [&](const pointsman::execution::device_policy<>& policy) {
#ifdef POINTSMAN_BAD
        pointsman::sort(policy, x.begin(), x.end(), [](int a, int b) { return a / 100 < b / 100; });
#else
        pointsman::sort(policy, x.begin(), x.end(), has_less_hundreds);
#endif
    };
    static_cast<void>(run);
}
