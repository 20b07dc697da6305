// SPDX-License-Identifier: Apache-2.0
// The drop-in included after all of oneDPL's headers that need no SYCL compiler.
#include <oneapi/dpl/algorithm>
#include <oneapi/dpl/array>
#include <oneapi/dpl/cmath>
#include <oneapi/dpl/complex>
#include <oneapi/dpl/cstddef>
#include <oneapi/dpl/cstring>
#include <oneapi/dpl/execution>
#include <oneapi/dpl/functional>
#include <oneapi/dpl/iterator>
#include <oneapi/dpl/limits>
#include <oneapi/dpl/memory>
#include <oneapi/dpl/numeric>
#include <oneapi/dpl/optional>
#include <oneapi/dpl/ranges>
#include <oneapi/dpl/ratio>
#include <oneapi/dpl/tuple>
#include <oneapi/dpl/type_traits>
#include <oneapi/dpl/utility>
#include <oneapi/dpl/version>

// A separate block, so that sorting keeps it after the one above.
#include <oneapi/dpl/dynamic_selection>

#include <gtest/gtest.h>

#include <vector>

#include "beside_onedpl/algorithms.hpp"
#include "compat/documented_names.hpp"

TEST(OneDplFirst, keeps_every_documented_name_of_the_drop_in) { documented::use_every_name(); }

TEST(OneDplFirst, runs_its_algorithms_on_resources_that_the_drop_in_selects) {
    EXPECT_EQ(beside_onedpl::sum_on_selected({1, 2, 3}), 6);
}
