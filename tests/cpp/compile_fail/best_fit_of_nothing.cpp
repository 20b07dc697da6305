// SPDX-License-Identifier: Apache-2.0
// best_fit needs an executor to choose.
// expect: there is no executor to choose from
// expect: pass one at least, such as inline_executor
#include "fairlead/executor/best_fit.hpp"
#include "fairlead/executor/inline_executor.hpp"

int main() {
#ifdef FAIRLEAD_BAD
    fairlead::best_fit([](const auto&) {}, 10);
#else
    fairlead::best_fit([](const auto&) {}, 10, fairlead::inline_executor<>{});
#endif
}
