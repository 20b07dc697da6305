// SPDX-License-Identifier: Apache-2.0
// A property that an executor does not know needs a default.
// expect: the executor does not know this property, which has no default
// expect: give the property a static default_value(), or the executor a query(property)
#include "fairlead/executor/inline_executor.hpp"
#include "fairlead/property/query.hpp"

struct priority_t {
    static constexpr bool is_requirable = true;
    static constexpr bool is_preferable = true;
#ifndef FAIRLEAD_BAD
    static constexpr int default_value() { return 0; }
#endif
};

int main() { return fairlead::query(fairlead::inline_executor<>{}, priority_t{}); }
