// SPDX-License-Identifier: Apache-2.0
// The algorithms of the standard library under par_unseq.
#include <algorithm>
#include <execution>
#include <numeric>

#include "library.hpp"
#include "standard_algorithms.hpp"

namespace bench::rivals {

BENCH_RIVALS_CALLS(standard_calls, std, std::execution::par_unseq);

library standard_library() { return {"libstdc++", standard_algorithms<standard_calls>()}; }

}  // namespace bench::rivals
