// SPDX-License-Identifier: Apache-2.0
// Only a value of a property can be required, not the property itself.
// expect: pointsman::require: this property cannot be required, only queried
// expect: require one of its values, such as blocking.never
#include "pointsman/executor/inline_executor.hpp"
#include "pointsman/property/require.hpp"

int main() {
#ifdef POINTSMAN_BAD
    const auto executor = pointsman::require(pointsman::inline_executor<>{}, pointsman::blocking);
#else
    const auto executor =
        pointsman::require(pointsman::inline_executor<>{}, pointsman::blocking.always);
#endif
    static_cast<void>(executor);
}
