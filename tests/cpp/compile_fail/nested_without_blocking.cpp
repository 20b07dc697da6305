// SPDX-License-Identifier: Apache-2.0
// The inner executor of nested work must have finished it when it returns.
// expect: nested_executor: the inner executor does not always block
// expect: pass require(inner, blocking.always)
#include "pointsman/executor/inline_executor.hpp"
#include "pointsman/executor/nested_executor.hpp"

struct own_executor {
    void execute(auto&& f) const { f(); }
    void bulk_execute(auto&& f, std::size_t n) const { f(n); }
#ifdef POINTSMAN_BAD
    static constexpr auto query(pointsman::blocking_t) { return pointsman::blocking.never; }
#endif
    friend bool operator==(const own_executor&, const own_executor&) = default;
};

int main() {
    const pointsman::nested_executor both{pointsman::inline_executor<>{}, own_executor{}};
    both.bulk_execute([](std::size_t) {}, 3);
}
