// SPDX-License-Identifier: Apache-2.0
// A property that an executor cannot have may be preferred, not required.
// expect: pointsman::require: this executor cannot have this property
// expect: use prefer, which then returns the executor unchanged
#include "pointsman/executor/inline_executor.hpp"
#include "pointsman/property/prefer.hpp"
#include "pointsman/property/require.hpp"

int main() {
#ifdef POINTSMAN_BAD
    const auto executor =
        pointsman::require(pointsman::inline_executor<>{}, pointsman::blocking.never);
#else
    const auto executor =
        pointsman::prefer(pointsman::inline_executor<>{}, pointsman::blocking.never);
#endif
    static_cast<void>(executor);
}
