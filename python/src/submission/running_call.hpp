// SPDX-License-Identifier: Apache-2.0
// Tells waits whether they are made by a function that an arena runs.
#pragma once

namespace pointsman::python {

/// True while this thread is inside a Python function that an arena runs: a wait there may run other
/// work of the arena. Set by the arena's calls.
inline thread_local bool is_inside_arena_call = false;

}  // namespace pointsman::python
