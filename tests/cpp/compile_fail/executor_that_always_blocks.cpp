// SPDX-License-Identifier: Apache-2.0
// An executor of the calling thread always blocks.
// expect: this executor runs its work on the thread that calls it, so it always blocks
// expect: use blocking_t::always_t as its Blocking, or use an arena_executor
#include "pointsman/executor/inline_executor.hpp"

int main() {
#ifdef POINTSMAN_BAD
    pointsman::inline_executor<pointsman::blocking_t::never_t>{}.execute([] {});
#else
    pointsman::inline_executor<pointsman::blocking_t::always_t>{}.execute([] {});
#endif
}
