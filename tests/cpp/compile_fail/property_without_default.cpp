// SPDX-License-Identifier: Apache-2.0
// Every property has a default.
// expect: fairlead::query: this property has no default
// expect: give it a static default_value()
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
