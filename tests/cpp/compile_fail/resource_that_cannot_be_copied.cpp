// SPDX-License-Identifier: Apache-2.0
// Resource sets are copied: move-only resources must be passed by pointer.
// expect: a resource has to be copyable: pass pointers to the resources, or
#include <memory>
#include <vector>

#include "pointsman/dynamic_selection.hpp"

struct device {};

int main() {
#ifdef POINTSMAN_BAD
    using handle = std::unique_ptr<device>;
#else
    using handle = std::shared_ptr<device>;
#endif
    const std::vector<handle> devices(2);
    pointsman::default_backend<handle> backend{devices};
}
