// SPDX-License-Identifier: Apache-2.0
// What a derived executor adds is not lost in a requirement.
// expect: fairlead::require: this executor is derived from another
// expect: give the derived one a require(property) that returns one of its own
#include "fairlead/executor/arena_executor.hpp"
#include "fairlead/property/require.hpp"

struct logged_executor : fairlead::arena_executor<> {};

int main() {
#ifdef FAIRLEAD_BAD
    static_cast<void>(fairlead::require(logged_executor{}, fairlead::blocking.never));
#else
    static_cast<void>(fairlead::require(logged_executor{}, fairlead::blocking.always));
#endif
}
