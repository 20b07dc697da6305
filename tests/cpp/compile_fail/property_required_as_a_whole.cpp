// SPDX-License-Identifier: Apache-2.0
// One of the values of a property is required, not the property.
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
