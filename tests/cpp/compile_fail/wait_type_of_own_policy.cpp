// SPDX-License-Identifier: Apache-2.0
// A user-defined policy may also name a wait_type.
// expect: the submitted function does not return the wait_type that its policy or backend names
#include <vector>

#include "pointsman/dynamic_selection.hpp"

struct event {
    void wait() {}
};

struct event_policy {
    using resource_type = int;
    using wait_type = event;
    std::vector<int> get_resources() { return {1}; }
    template <class F>
    auto submit(F&& f) {
        return pointsman::default_submission{f(1)};
    }
};

int main() {
    event_policy p;
#ifdef POINTSMAN_BAD
    pointsman::submit(p, [](int r) { return r; });
#else
    pointsman::submit(p, [](int) { return event{}; });
#endif
}
