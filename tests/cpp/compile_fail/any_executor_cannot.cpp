// SPDX-License-Identifier: Apache-2.0
// The executor held by any_executor must support the properties that its list requires.
// expect: any_executor: the executor cannot have a property of the list
// expect: wrap it in prefer_only, or leave it out
#include "pointsman/executor/any_executor.hpp"
#include "pointsman/executor/inline_executor.hpp"

int main() {
    using namespace pointsman;
#ifdef POINTSMAN_BAD
    const any_executor<blocking_t::never_t> any{inline_executor<>{}};
#else
    const any_executor<prefer_only<blocking_t::never_t>> any{inline_executor<>{}};
#endif
    any.execute([] {}).wait();
}
