// SPDX-License-Identifier: Apache-2.0
// 0, 1, 2 and so on, for the tests of algorithms.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace pointsman::test {

/// The numbers from 0 up to `size`, without it.
inline std::vector<std::int32_t> counting(std::size_t size) {
    std::vector<std::int32_t> values(size);
    std::iota(values.begin(), values.end(), 0);
    return values;
}

}  // namespace pointsman::test
