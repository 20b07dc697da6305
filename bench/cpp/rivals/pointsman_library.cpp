// SPDX-License-Identifier: Apache-2.0
// pointsman's algorithms under par_unseq.
#include "library.hpp"
#include "pointsman/pointsman.hpp"
#include "standard_algorithms.hpp"

namespace bench::rivals {

BENCH_RIVALS_CALLS(pointsman_calls, pointsman, pointsman::execution::par_unseq);

library pointsman_library() { return {"ours", standard_algorithms<pointsman_calls>()}; }

}  // namespace bench::rivals
