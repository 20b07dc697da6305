// SPDX-License-Identifier: Apache-2.0
// The minimal backend and its traits.
#include "fairlead/backend/backend_base.hpp"

#include <gtest/gtest.h>

#include "fairlead/backend/backend.hpp"
#include "fairlead/backend/default_backend.hpp"
#include "support/tracked_backend.hpp"

namespace {

namespace info = fairlead::execution_info;

static_assert(fairlead::backend<fairlead::default_backend<int>>);
static_assert(!fairlead::backend<int>);
static_assert(fairlead::lazy_report_v<fairlead::test::tracked_backend<int>>);
static_assert(!fairlead::lazy_report_v<fairlead::default_backend<int>>);

struct with_scratch {
    using resource_type = int;
    using wait_type = float;
    template <class... Reqs>
    struct scratch_space_t {
        std::size_t requirements = sizeof...(Reqs);
    };
};
using traits = fairlead::backend_traits<with_scratch>;
static_assert(traits::has_wait_type_v);
static_assert(!fairlead::backend_traits<fairlead::default_backend<int>>::has_wait_type_v);

static_assert(std::is_same_v<traits::execution_resource_t, int>);
static_assert(std::is_same_v<traits::resource_container_t, std::vector<int>>);

TEST(BackendTraits, find_the_scratch_space_under_both_names) {
    EXPECT_EQ((traits::selection_scratch_t<info::task_time_t>{}.requirements), 1U);
    using lazy = fairlead::backend_traits<fairlead::test::tracked_backend<int>>;
    EXPECT_TRUE((std::is_empty_v<lazy::selection_scratch_t<info::task_time_t>>));
}

struct counted_resource {
    int* waits;
    void wait() const { ++*waits; }
};

TEST(BackendBase, calls_the_function_and_waits_for_whole_resources) {
    int waits = 0;
    fairlead::backend_base<counted_resource> backend{{{&waits}, {&waits}}};
    struct silent {
        counted_resource resource;
        counted_resource unwrap() const { return resource; }
    };
    const auto resources = backend.get_resources();
    EXPECT_EQ(backend.submit(silent{resources[0]}, [](counted_resource) { return 3; }).unwrap(), 3);
    backend.get_submission_group().wait();
    EXPECT_EQ(waits, 2);
}

}  // namespace
