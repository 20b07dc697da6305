// SPDX-License-Identifier: Apache-2.0
// A derived executor with state needs its own comparison.
// expect: this executor cannot run this callable
// expect: an executor that can be copied and compared
#include "pointsman/executor/execute.hpp"
#include "pointsman/executor/inline_executor.hpp"

struct levelled_executor : pointsman::inline_executor<> {
    int level = 0;
#ifndef POINTSMAN_BAD
    friend bool operator==(const levelled_executor&, const levelled_executor&) = default;
#endif
};

int main() {
    pointsman::execute(levelled_executor{}, [] {});
}
