// SPDX-License-Identifier: Apache-2.0
// A specialised backend that keeps its base's submit cannot serve a policy that measures.
// expect: this backend cannot report what the policy needs: give it a
// expect: submit(selection, f, args...) that reports, or use default_backend, which
#include <vector>

#include "pointsman/dynamic_selection.hpp"

struct device {};

template <class Resource, class Adapter>
class pointsman::core_resource_backend<device, Resource, Adapter>
    : public pointsman::backend_base<Resource> {
  public:
    template <class... ReportReqs>
    core_resource_backend(const std::vector<Resource>& resources, Adapter, ReportReqs... reqs)
        : pointsman::backend_base<Resource>{resources, reqs...} {}
};

int main() {
    const std::vector<device> devices(2);
#ifdef POINTSMAN_BAD
    pointsman::auto_tune_policy<device> p{devices};
#else
    pointsman::fixed_resource_policy<device> p{devices};
#endif
    p.submit([](device) {});
}
