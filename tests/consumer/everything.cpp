// SPDX-License-Identifier: Apache-2.0
// A user's program on all of pointsman: runs work on arenas and lists the machine's resources.
#include <cstdlib>
#include <iostream>

#include "pointsman/pointsman.hpp"

int main() {
    pointsman::dynamic_load_policy<pointsman::arena> policy{
        {pointsman::arena{1}, pointsman::arena{2}}};
    auto submission = policy.submit(
        [](pointsman::arena on, int value) { return on.run([value] { return 6 * value; }); }, 7);
    const int result = submission.unwrap().get();
    std::cout << result << " from one of " << policy.get_resources().size() << " arenas; "
              << pointsman::discover().size() << " resources on this machine\n";
    return result == 42 ? EXIT_SUCCESS : EXIT_FAILURE;
}
