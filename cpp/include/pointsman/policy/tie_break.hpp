// SPDX-License-Identifier: Apache-2.0
// How load-balancing policies choose among equally loaded resources.
#pragma once

namespace pointsman {

/// Which of several equally loaded resources a policy chooses.
///
/// `rotate`, the default, takes them in turn: work that is submitted one task at a time uses every
/// resource, and simultaneous submitters begin their scans at different resources.
/// `first` always takes the first resource from the policy's offset on: use it when the set lists
/// preferred resources first, so that the other resources get only the tasks that exceed their capacity.
/// Source: *dynamic_load_policy* in the dynamic selection document, whose rule is `first`.
enum class tie_break { rotate, first };

}  // namespace pointsman
