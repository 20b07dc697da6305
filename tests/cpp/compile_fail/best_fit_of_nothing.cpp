// SPDX-License-Identifier: Apache-2.0
// best_fit needs at least one executor.
// expect: there is no executor to choose from
// expect: pass at least one, such as inline_executor
#include "pointsman/executor/best_fit.hpp"
#include "pointsman/executor/inline_executor.hpp"

int main() {
#ifdef POINTSMAN_BAD
    pointsman::best_fit([](const auto&) {}, 10);
#else
    pointsman::best_fit([](const auto&) {}, 10, pointsman::inline_executor<>{});
#endif
}
