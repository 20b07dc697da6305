// SPDX-License-Identifier: Apache-2.0
// The provided properties: their values, their defaults, and which of them may be required.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <type_traits>

#include "pointsman/property/allocator.hpp"
#include "pointsman/property/blocking.hpp"
#include "pointsman/property/mapping.hpp"
#include "pointsman/property/occupancy.hpp"
#include "pointsman/property/outstanding_work.hpp"
#include "pointsman/property/prefer.hpp"
#include "pointsman/property/query.hpp"
#include "pointsman/property/require.hpp"

namespace pointsman::test {
namespace {

/// Has none of the properties.
struct without_properties {};

/// Has a blocking property that is known only at run time.
struct settable {
    blocking_t how = blocking.possibly;
    [[nodiscard]] blocking_t query(const blocking_t&) const { return how; }
    [[nodiscard]] settable require(const blocking_t::never_t& value) const { return {value}; }
    [[nodiscard]] settable require(const blocking_t::always_t& value) const { return {value}; }
};

template <class T>
concept tells_blocking_when_compiled = requires { static_query_v<T, blocking_t>; };

}  // namespace

TEST(PropertyValues, are_equal_only_to_themselves) {
    static_assert(blocking.always == blocking.always && blocking.always != blocking.never);
    static_assert(blocking_t{blocking.never} == blocking.never && blocking != blocking.never);
    static_assert(mapping.thread == mapping_t::thread && mapping.new_thread != mapping.other);
    static_assert(outstanding_work.tracked != outstanding_work.untracked);
    static_assert(allocator(std::allocator<int>{}) == allocator(std::allocator<int>{}));
}

TEST(PropertyValues, have_defaults) {
    static_assert(static_query_v<without_properties, blocking_t> == blocking.always);
    static_assert(static_query_v<without_properties, outstanding_work_t> ==
                  outstanding_work.untracked);
    static_assert(static_query_v<without_properties, mapping_t> == mapping.thread);
    static_assert(static_query_v<without_properties, occupancy_t> == 1);
    static_assert(
        std::is_same_v<decltype(query(without_properties{}, allocator)), std::allocator<void>>);
}

TEST(PropertyValues, may_be_required_if_they_are_the_default) {
    static_assert(can_require_v<without_properties, blocking_t::always_t, mapping_t::thread_t,
                                allocator_t<>>);
    static_assert(!can_require_v<without_properties, blocking_t::never_t>);
    static_assert(!can_require_v<without_properties, blocking_t::always_t, blocking_t::never_t>);
    static_assert(std::is_same_v<decltype(require(without_properties{}, blocking.always)),
                                 without_properties>);
}

TEST(PropertyValues, may_depend_on_the_object) {
    static_assert(!tells_blocking_when_compiled<settable> &&
                  tells_blocking_when_compiled<without_properties>);
    EXPECT_EQ(query(settable{}, blocking), blocking.possibly);
    EXPECT_EQ(query(require(settable{}, blocking.never), blocking), blocking.never);
    EXPECT_EQ(query(require(settable{}, blocking.never, blocking.always), blocking.never),
              blocking.always);
}

TEST(PropertyValues, are_preferred_if_possible) {
    static_assert(can_prefer_v<without_properties, blocking_t::never_t>);
    static_assert(!can_prefer_v<without_properties, blocking_t> &&
                  !can_prefer_v<without_properties, occupancy_t>);
    static_assert(!can_require_v<without_properties, blocking_t> &&
                  !can_require_v<without_properties, occupancy_t>);
    EXPECT_EQ(query(prefer(without_properties{}, blocking.never), blocking), blocking.always);
    EXPECT_EQ(query(prefer(settable{}, mapping.other, blocking.never), blocking), blocking.never);
}

}  // namespace pointsman::test
