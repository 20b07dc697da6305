// SPDX-License-Identifier: Apache-2.0
// A device does not write values that an iterator computes.
// expect: the values of this iterator are computed and cannot be written: pass an iterator
#include <vector>

#include "pointsman/algorithm/copy.hpp"
#include "pointsman/algorithm/counting_iterator.hpp"
#include "pointsman/execution/device_policy.hpp"

int main() {
    std::vector<int> x(3);
    const pointsman::counting_iterator first{0};
    const auto run = [&](const pointsman::execution::device_policy<>& policy) {
#ifdef POINTSMAN_BAD
        pointsman::copy(policy, x.begin(), x.end(), first);
#else
        pointsman::copy(policy, first, first + 3, x.begin());
#endif
    };
    static_cast<void>(run);
}
