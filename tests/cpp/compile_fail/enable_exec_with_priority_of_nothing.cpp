// SPDX-License-Identifier: Apache-2.0
// enable_exec_with_priority needs an executor to choose.
// expect: there is no executor to choose from
// expect: pass one at least, such as inline_executor
#include "fairlead/executor/enable_exec.hpp"
#include "fairlead/executor/inline_executor.hpp"

int main() {
#ifdef FAIRLEAD_BAD
    fairlead::enable_exec_with_priority([](const auto&) {});
#else
    fairlead::enable_exec_with_priority([](const auto&) {}, fairlead::inline_executor<>{});
#endif
}
