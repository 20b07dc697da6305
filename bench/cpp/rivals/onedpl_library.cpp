// SPDX-License-Identifier: Apache-2.0
// oneDPL's algorithms under its host policy par_unseq.
#include <oneapi/dpl/algorithm>
#include <oneapi/dpl/execution>
#include <oneapi/dpl/numeric>

#include "library.hpp"
#include "standard_algorithms.hpp"

namespace bench::rivals {

BENCH_RIVALS_CALLS(onedpl_calls, oneapi::dpl, oneapi::dpl::execution::par_unseq);

library onedpl_library() { return {"oneDPL", standard_algorithms<onedpl_calls>()}; }

}  // namespace bench::rivals
