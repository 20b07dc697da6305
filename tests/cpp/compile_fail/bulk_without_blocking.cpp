// SPDX-License-Identifier: Apache-2.0
// An executor that does not block needs a bulk_execute of its own.
// expect: fairlead::bulk_execute: this executor takes no such bulk work
// expect: give it a bulk_execute(f, shape), or let its blocking be always
#include "fairlead/executor/bulk_execute.hpp"

struct own_executor {
    void execute(auto&& f) const { f(); }
#ifdef FAIRLEAD_BAD
    static constexpr auto query(fairlead::blocking_t) { return fairlead::blocking.never; }
#endif
    friend bool operator==(const own_executor&, const own_executor&) = default;
};

int main() {
    fairlead::bulk_execute(own_executor{}, [](std::size_t) {}, 3);
}
