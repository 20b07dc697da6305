// SPDX-License-Identifier: Apache-2.0
// An increasing sequence as the input of a test.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace pointsman::test {

/// Returns 0, 1, ..., `size` - 1.
inline std::vector<std::int32_t> counting(std::size_t size) {
    std::vector<std::int32_t> values(size);
    std::iota(values.begin(), values.end(), 0);
    return values;
}

}  // namespace pointsman::test
