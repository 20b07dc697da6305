// SPDX-License-Identifier: Apache-2.0
// try_submit cannot be derived from another way of submitting.
// expect: this policy cannot tell that no resource is free: call submit or
// expect: submit_and_wait, or give the policy a try_submit
#include <optional>
#include <vector>

#include "pointsman/dynamic_selection.hpp"

struct waiting_policy {
    using resource_type = int;
    std::vector<int> get_resources() { return {1}; }
    template <class F>
    void submit_and_wait(F&& f) {
        f(1);
    }
#ifndef POINTSMAN_BAD
    template <class F>
    auto try_submit(F&& f) {
        f(1);
        return std::optional{pointsman::default_submission<void>{}};
    }
#endif
};

int main() {
    waiting_policy p;
    static_cast<void>(pointsman::try_submit(p, [](int) {}));
}
