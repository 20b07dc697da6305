// SPDX-License-Identifier: Apache-2.0
// Values that are sorted by a function, which takes many of them as equivalent, and sizes for sorts on devices.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "pointsman/algorithm/function.hpp"
#include "random_values.hpp"
#ifndef POINTSMAN_WITHOUT_OPENCL
#include "pointsman/resource/opencl/buffer.hpp"
#endif

namespace pointsman::test {

POINTSMAN_FUNCTION(bool, has_less_tens, (int64_t a, int64_t b), { return a / 10 < b / 10; });
POINTSMAN_FUNCTION(int, has_more_tens, (int64_t a, int64_t b), { return a / 10 > b / 10 ? 2 : 0; });

/// Random values in [-`limit`, `limit`].
template <class T>
std::vector<T> few_values(random_values& random, std::size_t size, std::int32_t limit = 120) {
    const auto numbers = random.of<std::int32_t>(size, limit);
    return std::vector<T>(numbers.begin(), numbers.end());
}

/// The numbers from 0 on.
inline std::vector<std::int32_t> indices(std::size_t size) {
    std::vector<std::int32_t> all(size);
    std::iota(all.begin(), all.end(), 0);
    return all;
}

/// Sizes around the runs and parts of devices: 32 and 1024 values, 256 times 15, 7 or 3 values, and multiples of these.
inline constexpr std::size_t sizes_of_parts[] = {1,    2,    31,   33,   767,  769,    1000,  1024,
                                                 1025, 1792, 1793, 2049, 3839, 3841,   4097,  7681,
                                                 7680, 5377, 8191, 8193, 9000, 11'521, 65'537};

#ifndef POINTSMAN_WITHOUT_OPENCL
/// The values of `buffer`.
template <class T>
std::vector<T> values_of(const opencl::queue& queue, const opencl::buffer<T>& buffer) {
    std::vector<T> values(buffer.size());
    buffer.read(queue, values);
    return values;
}
#endif

}  // namespace pointsman::test
