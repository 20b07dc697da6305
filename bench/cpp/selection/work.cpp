// SPDX-License-Identifier: Apache-2.0
// The empty work, out of the optimiser's sight, and the resources that it is submitted to.
#include <numeric>

#include "measure.hpp"

int bench::empty_work::operator()(int resource) const { return resource; }

std::vector<int> bench::resources(std::int64_t count) {
    std::vector<int> all(static_cast<std::size_t>(count));
    std::iota(all.begin(), all.end(), 0);
    return all;
}
