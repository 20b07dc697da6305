// SPDX-License-Identifier: Apache-2.0
// A backend that cannot see its submissions complete needs resources with a wait().
// expect: this backend cannot see the end of its submissions and its resource has no
// expect: give the resource a wait(), or the backend a get_submission_group()
#include <vector>

#include "pointsman/backend/backend_base.hpp"

struct device {
#ifndef POINTSMAN_BAD
    void wait() {}
#endif
};

int main() {
    pointsman::backend_base<device> backend{std::vector<device>(1)};
    backend.get_submission_group().wait();
}
