// SPDX-License-Identifier: Apache-2.0
// Random operations on every policy, on one thread, agree with the reference model.
#include "model/policy_walk.hpp"

#include <gtest/gtest.h>

#include <cstdint>

#include "model/run_length.hpp"
#include "support/eventually.hpp"

namespace pointsman::test {
namespace {

template <class Kind>
struct PolicyWalk : ::testing::Test {};
TYPED_TEST_SUITE(PolicyWalk, policy_kinds, kind_names);

TYPED_TEST(PolicyWalk, agrees_with_the_reference_model) {
    const std::uint64_t seed = run_seed();
    SCOPED_TRACE(seed_message(seed));
    {
        policy_walk<TypeParam> walk{seed};
        for (std::uint64_t i = 0; i < run_length() && !this->HasFailure(); ++i) {
            SCOPED_TRACE("operation " + std::to_string(i));
            walk.step();
        }
        walk.finish();
    }
    EXPECT_TRUE(eventually([] { return model_resource::alive() == 0; }))
        << model_resource::alive() << " resources outlived their policies";
}

}  // namespace
}  // namespace pointsman::test
