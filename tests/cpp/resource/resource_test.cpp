// SPDX-License-Identifier: Apache-2.0
// Any copyable type may be a resource.
#include "pointsman/resource/resource.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace {

using pointsman::resource;

TEST(Resource, is_any_copyable_value_or_object) {
    EXPECT_TRUE(resource<int> && resource<std::string> && resource<int*>);
    EXPECT_TRUE(resource<std::shared_ptr<int>>);
    EXPECT_FALSE(resource<std::unique_ptr<int>>);
    EXPECT_FALSE(resource<int&> || resource<const int> || resource<void>);
}

}  // namespace
