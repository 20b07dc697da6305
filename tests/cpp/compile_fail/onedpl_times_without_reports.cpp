// SPDX-License-Identifier: Apache-2.0
// In the drop-in, a specialised backend that reports nothing cannot serve auto_tune_policy.
// expect: auto_tune_policy needs a backend that reports execution_info::task_time: give it a
#include <oneapi/dpl/dynamic_selection>
#include <vector>

namespace ex = oneapi::dpl::experimental;

struct device {};

template <class Resource, class Adapter>
class ex::core_resource_backend<device, Resource, Adapter> : public backend_base<Resource> {
  public:
    template <class... Reqs>
    core_resource_backend(const std::vector<Resource>& resources, Adapter, Reqs...)
        : backend_base<Resource>(resources) {}
};

int main() {
    const std::vector<device> devices(2);
#ifdef POINTSMAN_BAD
    ex::auto_tune_policy<device> p{devices};
#else
    ex::fixed_resource_policy<device> p{devices};
#endif
    ex::submit(p, [](device) {});
}
