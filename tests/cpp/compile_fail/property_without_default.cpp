// SPDX-License-Identifier: Apache-2.0
// Every property has a default.
// expect: pointsman::query: this property has no default
// expect: give it a static default_value()
#include "pointsman/executor/inline_executor.hpp"
#include "pointsman/property/query.hpp"

struct priority_t {
    static constexpr bool is_requirable = true;
    static constexpr bool is_preferable = true;
#ifndef POINTSMAN_BAD
    static constexpr int default_value() { return 0; }
#endif
};

int main() { return pointsman::query(pointsman::inline_executor<>{}, priority_t{}); }
