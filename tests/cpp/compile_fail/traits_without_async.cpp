// SPDX-License-Identifier: Apache-2.0
// The traits of a final class may declare that it offers only submit_and_wait.
// expect: this policy can only submit and wait: call submit_and_wait
#include <vector>

#include "pointsman/dynamic_selection.hpp"

struct waiting_policy final {
    std::vector<int> get_resources() { return {1}; }
    template <class F>
    void submit_and_wait(F&& f) {
        f(1);
    }
};

template <>
struct pointsman::policy_traits<waiting_policy> {
    using resource_type = int;
    static constexpr bool has_async_submit = false;
};

int main() {
    waiting_policy p;
#ifdef POINTSMAN_BAD
    pointsman::submit(p, [](int) {});
#else
    pointsman::submit_and_wait(p, [](int) {});
#endif
}
