// SPDX-License-Identifier: Apache-2.0
// A non-blocking executor needs its own bulk_execute.
// expect: pointsman::bulk_execute: this executor cannot run this bulk work
// expect: give it a bulk_execute(f, shape), or make its blocking always
#include "pointsman/executor/bulk_execute.hpp"

struct own_executor {
    void execute(auto&& f) const { f(); }
#ifdef POINTSMAN_BAD
    static constexpr auto query(pointsman::blocking_t) { return pointsman::blocking.never; }
#endif
    friend bool operator==(const own_executor&, const own_executor&) = default;
};

int main() {
    pointsman::bulk_execute(own_executor{}, [](std::size_t) {}, 3);
}
