// SPDX-License-Identifier: Apache-2.0
// One of the values of a property is required, not the property.
// expect: fairlead::require: this property cannot be required, only queried
// expect: require one of its values, such as blocking.never
#include "fairlead/executor/inline_executor.hpp"
#include "fairlead/property/require.hpp"

int main() {
#ifdef FAIRLEAD_BAD
    const auto executor = fairlead::require(fairlead::inline_executor<>{}, fairlead::blocking);
#else
    const auto executor =
        fairlead::require(fairlead::inline_executor<>{}, fairlead::blocking.always);
#endif
    static_cast<void>(executor);
}
