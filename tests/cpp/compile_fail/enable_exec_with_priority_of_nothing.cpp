// SPDX-License-Identifier: Apache-2.0
// enable_exec_with_priority needs at least one executor.
// expect: there is no executor to choose from
// expect: pass at least one, such as inline_executor
#include "pointsman/executor/enable_exec.hpp"
#include "pointsman/executor/inline_executor.hpp"

int main() {
#ifdef POINTSMAN_BAD
    pointsman::enable_exec_with_priority([](const auto&) {});
#else
    pointsman::enable_exec_with_priority([](const auto&) {}, pointsman::inline_executor<>{});
#endif
}
