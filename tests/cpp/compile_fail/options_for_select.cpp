// SPDX-License-Identifier: Apache-2.0
// Submit options need a policy with try_submit, so that the wait can be limited.
// expect: this policy has no try_submit, so its wait for a resource cannot be limited
#include <vector>

#include "pointsman/dynamic_selection.hpp"

struct own_policy {
    using resource_type = int;
    struct selection_type {
        own_policy* chosen_by;
        int unwrap() const { return 1; }
        own_policy& get_policy() const { return *chosen_by; }
    };
    std::vector<int> get_resources() { return {1}; }
    template <class... Task>
    selection_type select(const Task&...) {
        return {this};
    }
    template <class F>
    auto submit(selection_type chosen, F&& f) {
        return pointsman::default_submission{f(chosen.unwrap())};
    }
};

int main() {
    own_policy p;
#ifdef POINTSMAN_BAD
    pointsman::submit(p, pointsman::submit_options{}, [](int r) { return r; });
#else
    pointsman::submit(p, [](int r) { return r; });
#endif
}
