// SPDX-License-Identifier: Apache-2.0
// An executor of the calling thread blocks always.
// expect: this executor runs its work on the thread that calls it, so it always blocks
// expect: let its Blocking be blocking_t::always_t, or take an arena_executor
#include "fairlead/executor/inline_executor.hpp"

int main() {
#ifdef FAIRLEAD_BAD
    fairlead::inline_executor<fairlead::blocking_t::never_t>{}.execute([] {});
#else
    fairlead::inline_executor<fairlead::blocking_t::always_t>{}.execute([] {});
#endif
}
