// SPDX-License-Identifier: Apache-2.0
// Runs the conformance suite of every policy over arenas.
#include "pointsman/resource/arena.hpp"
#include "conformance/policy_conformance.hpp"

namespace pointsman::test {

struct arena_case {
    using resource_type = arena;
    static std::vector<arena> resources() { return {arena{1}, arena{1}, arena{2}}; }
    static arena_task<int> work(const arena& a) {
        return a.run([] { return 1; });
    }
    static arena_task<int> failing_work(const arena& a) {
        return a.run([]() -> int { throw std::runtime_error{"the work failed"}; });
    }
};
INSTANTIATE_TYPED_TEST_SUITE_P(Arena, PolicyConformance, all_policies<arena_case>, policy_names);

}  // namespace pointsman::test
