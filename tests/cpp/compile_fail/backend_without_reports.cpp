// SPDX-License-Identifier: Apache-2.0
// A backend that reports nothing cannot serve a policy that counts.
// expect: this backend cannot report what the policy needs: give it a
// expect: submit(selection, f, args...) that reports, or use default_backend, which
#include <vector>

#include "pointsman/dynamic_selection.hpp"

struct device {};

class device_backend : public pointsman::backend_base<device> {
  public:
    using backend_base::backend_base;
};

int main() {
    const std::vector<device> devices(2);
#ifdef POINTSMAN_BAD
    pointsman::dynamic_load_policy<device, pointsman::identity, device_backend> p{devices};
#else
    pointsman::round_robin_policy<device, pointsman::identity, device_backend> p{devices};
#endif
    p.submit([](device) {});
}
