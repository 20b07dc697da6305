// SPDX-License-Identifier: Apache-2.0
// A policy that offers only submit_and_wait has no submit.
// expect: this policy can only submit and wait: call submit_and_wait
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
    pointsman::submit(p, [](int) {});
}
