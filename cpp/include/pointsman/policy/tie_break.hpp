// SPDX-License-Identifier: Apache-2.0
// The setting of load-balancing policies for equally loaded resources.
#pragma once

namespace pointsman {

/// Which resource a policy takes among those with the same load.
///
/// `rotate`, the default, takes them in turn: work that is submitted one task at a time uses every
/// resource, and simultaneous submitters begin their scans at different resources.
/// `first` always takes the first one from the policy's offset on: use it when the set
/// lists preferred resources first, so that the others get only tasks that these have no room for.
/// Source: *dynamic_load_policy* in the dynamic selection document, whose rule is `first`.
enum class tie_break { rotate, first };

}  // namespace pointsman
