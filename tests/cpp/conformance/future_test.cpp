// SPDX-License-Identifier: Apache-2.0
// Runs the conformance suite of every policy over functions that return futures, which must be polled.
#include <future>

#include "conformance/policy_conformance.hpp"

namespace pointsman::test {

struct future_case {
    using resource_type = std::string;
    static std::vector<std::string> resources() { return {"a", "b"}; }
    static std::shared_future<int> work(const std::string&) {
        return std::async(std::launch::async, [] { return 1; }).share();
    }
    static std::shared_future<int> failing_work(const std::string&) {
        throw std::runtime_error{"the work failed"};
    }
};
INSTANTIATE_TYPED_TEST_SUITE_P(Future, PolicyConformance, all_policies<future_case>, policy_names);

}  // namespace pointsman::test
