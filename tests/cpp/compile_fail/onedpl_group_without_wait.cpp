// SPDX-License-Identifier: Apache-2.0
// In the drop-in, a backend that inherits its group from its base needs a resource with a wait().
// expect: this backend cannot see the end of its submissions and its resource has no
// expect: give the resource a wait(), or the backend a get_submission_group()
#include <oneapi/dpl/dynamic_selection>
#include <vector>

namespace ex = oneapi::dpl::experimental;

struct device {
#ifndef POINTSMAN_BAD
    void wait() {}
#endif
};

class device_backend : public ex::backend_base<device> {
  public:
    template <class... Reqs>
    device_backend(const std::vector<device>& devices, oneapi::dpl::identity, Reqs...)
        : backend_base{devices} {}
};

int main() {
    ex::round_robin_policy<device, oneapi::dpl::identity, device_backend> p{std::vector<device>(1)};
    ex::wait(ex::get_submission_group(p));
}
