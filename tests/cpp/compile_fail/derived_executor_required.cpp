// SPDX-License-Identifier: Apache-2.0
// Requiring a property must not lose what a derived executor adds.
// expect: pointsman::require: this executor is derived from another
// expect: give the derived class a require(property) that returns its own type
#include "pointsman/executor/arena_executor.hpp"
#include "pointsman/property/require.hpp"

struct logged_executor : pointsman::arena_executor<> {};

int main() {
#ifdef POINTSMAN_BAD
    static_cast<void>(pointsman::require(logged_executor{}, pointsman::blocking.never));
#else
    static_cast<void>(pointsman::require(logged_executor{}, pointsman::blocking.always));
#endif
}
