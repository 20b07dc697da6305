// SPDX-License-Identifier: Apache-2.0
// Parts of nested work have to be over when the inner executor returns.
// expect: nested_executor: the inner executor does not always block
// expect: pass require(inner, blocking.always)
#include "fairlead/executor/inline_executor.hpp"
#include "fairlead/executor/nested_executor.hpp"

struct own_executor {
    void execute(auto&& f) const { f(); }
    void bulk_execute(auto&& f, std::size_t n) const { f(n); }
#ifdef FAIRLEAD_BAD
    static constexpr auto query(fairlead::blocking_t) { return fairlead::blocking.never; }
#endif
    friend bool operator==(const own_executor&, const own_executor&) = default;
};

int main() {
    const fairlead::nested_executor both{fairlead::inline_executor<>{}, own_executor{}};
    both.bulk_execute([](std::size_t) {}, 3);
}
