// SPDX-License-Identifier: Apache-2.0
// In the drop-in, a backend that reports nothing cannot serve dynamic_load_policy.
// expect: dynamic_load_policy needs a backend that reports execution_info::task_submission and
// expect: execution_info::task_completion: give it a submit(selection, f, args...) that
#include <oneapi/dpl/dynamic_selection>
#include <vector>

namespace ex = oneapi::dpl::experimental;

struct device {};

class device_backend : public ex::backend_base<device> {
  public:
    template <class... Reqs>
    device_backend(const std::vector<device>& devices, oneapi::dpl::identity, Reqs...)
        : backend_base{devices} {}
};

int main() {
    const std::vector<device> devices(2);
#ifdef POINTSMAN_BAD
    ex::dynamic_load_policy<device, oneapi::dpl::identity, device_backend> p{devices};
#else
    ex::round_robin_policy<device, oneapi::dpl::identity, device_backend> p{devices};
#endif
    ex::submit(p, [](device) {});
}
