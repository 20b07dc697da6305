// SPDX-License-Identifier: Apache-2.0
// A user's program written against oneDPL's dynamic selection.
#include <oneapi/dpl/dynamic_selection>

#include <cstdlib>
#include <iostream>

namespace ex = oneapi::dpl::experimental;

int main() {
    ex::round_robin_policy policy{{1, 2, 3}};
    int sum = 0;
    for (int i = 0; i < 6; ++i) {
        ex::submit_and_wait(policy, [&](int resource) { sum += resource; });
    }
    ex::wait(policy.get_submission_group());
    std::cout << sum << '\n';
    return sum == 12 ? EXIT_SUCCESS : EXIT_FAILURE;
}
