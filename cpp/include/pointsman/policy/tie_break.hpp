// SPDX-License-Identifier: Apache-2.0
// Which of several equally loaded resources a policy takes.
#pragma once

namespace pointsman {

/// Which resource a policy takes among those with the same load.
///
/// `rotate` takes them in turn: work that is submitted one piece at a time uses every resource, none of
/// them grows cold, and simultaneous submitters begin their scans apart. It is the default.
/// `first` always takes the first one from the policy's offset on: use it when the order of the set says
/// which resource is preferred, so that the others get only what overflows.
/// Source: *dynamic_load_policy* in the dynamic selection document, whose rule is `first`.
enum class tie_break { rotate, first };

}  // namespace pointsman
