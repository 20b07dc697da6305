// SPDX-License-Identifier: Apache-2.0
// Marks threads that run an arena's function: a wait there may run other work of the arena.
#pragma once

namespace pointsman::python {

/// True while this thread is inside a Python function that an arena runs. Set by the arena's calls.
inline thread_local bool is_inside_arena_call = false;

}  // namespace pointsman::python
