// SPDX-License-Identifier: Apache-2.0
// A policy that can only submit and wait has no submit.
// expect: this policy can only submit and wait: call submit_and_wait
#include <optional>
#include <vector>

#include "fairlead/dynamic_selection.hpp"

struct waiting_policy {
    using resource_type = int;
    std::vector<int> get_resources() { return {1}; }
    template <class F>
    void submit_and_wait(F&& f) {
        f(1);
    }
#ifndef FAIRLEAD_BAD
    template <class F>
    auto try_submit(F&& f) {
        f(1);
        return std::optional{fairlead::default_submission<void>{}};
    }
#endif
};

int main() {
    waiting_policy p;
    fairlead::submit(p, [](int) {});
}
