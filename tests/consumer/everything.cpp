// SPDX-License-Identifier: Apache-2.0
// A user's program on all of fairlead: work on arenas, and what the machine has.
#include <cstdlib>
#include <iostream>

#include "fairlead/fairlead.hpp"

int main() {
    fairlead::dynamic_load_policy<fairlead::arena> policy{{fairlead::arena{1}, fairlead::arena{2}}};
    auto submission = policy.submit(
        [](fairlead::arena on, int value) { return on.run([value] { return 6 * value; }); }, 7);
    const int result = submission.unwrap().get();
    std::cout << result << " from one of " << policy.get_resources().size() << " arenas; "
              << fairlead::discover().size() << " resources on this machine\n";
    return result == 42 ? EXIT_SUCCESS : EXIT_FAILURE;
}
