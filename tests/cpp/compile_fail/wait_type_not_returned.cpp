// SPDX-License-Identifier: Apache-2.0
// A backend that names a wait_type accepts functions returning only that type.
// expect: the submitted function does not return the wait_type that its policy or backend names
#include <vector>

#include "pointsman/dynamic_selection.hpp"

struct event {
    void wait() {}
};

class event_backend : public pointsman::backend_base<int> {
  public:
    using backend_base::backend_base;
    using wait_type = event;
};

int main() {
    pointsman::round_robin_policy<int, pointsman::identity, event_backend> p{{1, 2}};
#ifdef POINTSMAN_BAD
    p.submit([](int r) { return r; });
#else
    p.submit([](int) { return event{}; });
#endif
}
