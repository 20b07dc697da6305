// SPDX-License-Identifier: Apache-2.0
// The traits of backend types, and the named requirements of the backend room.
#include "pointsman/backend/backend_traits.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <type_traits>
#include <vector>

#include "pointsman/backend/backend.hpp"
#include "pointsman/backend/default_backend.hpp"
#include "pointsman/backend/resource_adapter.hpp"
#include "support/tracked_backend.hpp"

namespace {

namespace pm = pointsman;
namespace info = pointsman::execution_info;

/// Stores copies of selections, although its base borrows them.
struct storing_backend : pm::default_backend<int> {
    using default_backend::default_backend;
    static constexpr bool borrows_selections = false;
};

TEST(BackendTraits, a_derived_backend_need_not_borrow_selections_as_its_base_does) {
    EXPECT_TRUE((pm::borrows_selections_v<pm::default_backend<int>>));
    EXPECT_FALSE((pm::borrows_selections_v<storing_backend>));
}

/// Defines every name that a backend may define, with the document's spelling of the scratch space.
struct with_scratch_space {
    using resource_type = int;
    using wait_type = float;
    template <class... Reqs>
    struct scratch_space_t {
        std::size_t requirements = sizeof...(Reqs);
    };
    void lazy_report() {}
};

/// Uses the other spelling of the scratch space.
struct with_scratch {
    using resource_type = int;
    template <class... Reqs>
    struct scratch_t {
        std::size_t requirements = 10 + sizeof...(Reqs);
    };
};

struct bare {
    using resource_type = int;
};

TEST(BackendTraits, find_the_scratch_space_under_both_names) {
    using named = pm::backend_traits<with_scratch_space>::selection_scratch_t<info::task_time_t>;
    using other = pm::backend_traits<with_scratch>::selection_scratch_t<info::task_time_t>;
    EXPECT_EQ(named{}.requirements, 1U);
    EXPECT_EQ(other{}.requirements, 11U);
}

TEST(BackendTraits, give_an_empty_scratch_space_to_a_backend_that_names_none) {
    using scratch = pm::backend_traits<bare>::selection_scratch_t<info::task_time_t>;
    EXPECT_TRUE((std::is_same_v<scratch, pm::no_scratch_t<info::task_time_t>>));
    EXPECT_TRUE(std::is_empty_v<pm::no_scratch_t<>>);
}

TEST(BackendTraits, give_the_wait_type_if_there_is_one) {
    using named = pm::backend_traits<with_scratch_space>;
    EXPECT_TRUE(named::has_wait_type_v);
    EXPECT_TRUE((std::is_same_v<named::wait_type, float>));
    EXPECT_FALSE(pm::backend_traits<bare>::has_wait_type_v);
    EXPECT_TRUE((std::is_same_v<pm::backend_traits<bare>::wait_type, void>));
    EXPECT_FALSE(pm::backend_traits<pm::default_backend<int>>::has_wait_type_v);
}

TEST(BackendTraits, say_whether_reports_must_be_requested) {
    EXPECT_TRUE(pm::backend_traits<with_scratch_space>::lazy_report_v);
    EXPECT_TRUE(pm::lazy_report<with_scratch_space>::value);
    EXPECT_TRUE(pm::lazy_report_v<pm::test::tracked_backend<int>>);
    EXPECT_FALSE(pm::lazy_report_v<bare>);
    EXPECT_FALSE(pm::lazy_report_v<pm::default_backend<int>>);
}

TEST(BackendTraits, give_the_types_of_stored_resources_and_their_container) {
    using traits = pm::backend_traits<const bare&>;
    EXPECT_TRUE((std::is_same_v<traits::resource_type, int>));
    EXPECT_TRUE((std::is_same_v<traits::execution_resource_t, int>));
    EXPECT_TRUE((std::is_same_v<traits::resource_container_t, std::vector<int>>));
}

TEST(Backend, names_its_resources_and_a_group_to_wait_for) {
    EXPECT_TRUE(pm::backend<pm::default_backend<int>>);
    EXPECT_TRUE(pm::backend<pm::backend_base<int>>);
    EXPECT_TRUE(pm::backend<pm::test::tracked_backend<int>>);
    EXPECT_FALSE(pm::backend<bare>);
    EXPECT_FALSE(pm::backend<int>);
}

TEST(ResourceAdapter, takes_the_resource_and_returns_something) {
    auto dereference = [](auto* p) { return *p; };
    auto nothing = [](int) {};
    EXPECT_TRUE((pm::resource_adapter<decltype(dereference), int*>));
    EXPECT_TRUE((pm::resource_adapter<pm::identity, int>));
    EXPECT_FALSE((pm::resource_adapter<decltype(nothing), int>));
    EXPECT_FALSE((pm::resource_adapter<decltype(nothing), std::vector<int>>));
}

}  // namespace
