// SPDX-License-Identifier: Apache-2.0
// A policy's group over a backend that cannot see completions needs resources with a wait().
// expect: this backend cannot see the end of its submissions and its resource has no
// expect: give the resource a wait(), or the backend a get_submission_group()
#include <vector>

#include "pointsman/dynamic_selection.hpp"

struct device {
#ifndef POINTSMAN_BAD
    void wait() {}
#endif
};

class device_backend : public pointsman::backend_base<device> {
  public:
    using backend_base::backend_base;
};

int main() {
    pointsman::round_robin_policy<device, pointsman::identity, device_backend> p{
        std::vector<device>(1)};
    pointsman::get_submission_group(p).wait();
}
