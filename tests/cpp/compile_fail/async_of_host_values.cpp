// SPDX-License-Identifier: Apache-2.0
// An asynchronous algorithm does not take values in host memory, which might be gone before it begins.
// expect: the values of an asynchronous algorithm stay on the device: pass iterators of an opencl::buffer
#include <vector>

#include "pointsman/algorithm/async.hpp"

int main() {
    std::vector<int> x(3);
    const auto run = [&](const pointsman::execution::device_policy<>& policy) {
#ifdef POINTSMAN_BAD
        return pointsman::reduce_async(policy, x.begin(), x.end(), 0);
#else
        const pointsman::opencl::buffer<int> values{policy.queue(), x};
        using pointsman::begin, pointsman::end;
        return pointsman::reduce_async(policy, begin(values), end(values), 0);
#endif
    };
    static_cast<void>(run);
}
