// SPDX-License-Identifier: Apache-2.0
// What an executor cannot have is preferred, not required.
// expect: fairlead::require: this executor cannot have this property
// expect: use prefer, which leaves the executor as it is then
#include "fairlead/executor/inline_executor.hpp"
#include "fairlead/property/prefer.hpp"
#include "fairlead/property/require.hpp"

int main() {
#ifdef FAIRLEAD_BAD
    const auto executor =
        fairlead::require(fairlead::inline_executor<>{}, fairlead::blocking.never);
#else
    const auto executor = fairlead::prefer(fairlead::inline_executor<>{}, fairlead::blocking.never);
#endif
    static_cast<void>(executor);
}
