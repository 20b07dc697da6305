// SPDX-License-Identifier: Apache-2.0
// The resources to which the empty work is submitted.
#include <numeric>

#include "measure.hpp"

std::vector<int> bench::resources(std::int64_t count) {
    std::vector<int> all(static_cast<std::size_t>(count));
    std::iota(all.begin(), all.end(), 0);
    return all;
}
