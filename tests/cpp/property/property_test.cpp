// SPDX-License-Identifier: Apache-2.0
// User-defined properties, on executors that support them and on executors that do not.
#include "pointsman/property/property.hpp"

#include <gtest/gtest.h>

#include <string>

#include "pointsman/property/blocking.hpp"
#include "pointsman/property/mapping.hpp"
#include "pointsman/property/prefer.hpp"
#include "pointsman/property/query.hpp"
#include "pointsman/property/require.hpp"

namespace pointsman::test {
namespace {

struct priority_t {
    static constexpr bool is_requirable = true;
    static constexpr bool is_preferable = true;
    using polymorphic_query_result_type = int;
    static constexpr int default_value() { return 0; }
    [[nodiscard]] int value() const { return level; }
    int level = 0;
};
/// Cannot be required.
struct place_t {
    static constexpr bool is_requirable = false;
    static constexpr bool is_preferable = false;
    static constexpr int default_value() { return 0; }
};
struct hint_t {
    static constexpr bool is_requirable = false;
    static constexpr bool is_preferable = true;
    static constexpr bool default_value() { return false; }
};
struct without_default {
    static constexpr bool is_requirable = true;
    static constexpr bool is_preferable = true;
};

struct plain {};
struct urgent {
    int level = 7;
    [[nodiscard]] int query(priority_t) const { return level; }
    [[nodiscard]] urgent require(const priority_t& p) const { return {p.level}; }
    static constexpr int query(place_t) { return 3; }
};
struct hinted {
    bool taken = false;
    [[nodiscard]] hinted prefer(hint_t) const { return {true}; }
};
/// Changes its type when a priority is required.
struct lazy {
    [[nodiscard]] urgent require(const priority_t& p) const { return {p.level}; }
};

}  // namespace

TEST(Property, has_its_default_on_an_executor_without_it) {
    static_assert(can_query_v<plain, priority_t>);
    static_assert(static_query_v<plain, priority_t> == 0);
    EXPECT_EQ(query(plain{}, priority_t{}), 0);
    EXPECT_EQ(query(urgent{}, priority_t{}), 7);
}

TEST(Property, without_a_default_is_not_a_property) {
    static_assert(!property<without_default>);
    static_assert(!can_query_v<plain, without_default> && !can_require_v<plain, without_default> &&
                  !can_prefer_v<plain, without_default>);
}

TEST(Property, that_is_only_queried_is_answered_by_executors_that_have_it) {
    static_assert(static_query_v<plain, place_t> == 0);
    static_assert(static_query_v<urgent, place_t> == 3);
    EXPECT_EQ(query(urgent{}, place_t{}), 3);
}

TEST(Property, is_required_of_an_executor_that_can_have_it) {
    static_assert(can_require_v<urgent, priority_t>);
    static_assert(!can_require_v<plain, priority_t>);
    static_assert(!can_require_v<urgent, place_t>);
    EXPECT_EQ(query(require(urgent{}, priority_t{9}), priority_t{}), 9);
}

TEST(Property, may_yield_an_executor_of_another_type) {
    static_assert(can_require_v<lazy, priority_t>);
    static_assert(can_require_v<lazy, priority_t, priority_t>);
    static_assert(std::is_same_v<decltype(require(lazy{}, priority_t{2})), urgent>);
    EXPECT_EQ(require(lazy{}, priority_t{2}, priority_t{4}).level, 4);
}

TEST(Property, that_is_preferred_leaves_other_executors_unchanged) {
    static_assert(can_prefer_v<plain, priority_t>);
    static_assert(!can_prefer_v<plain, place_t>);
    static_assert(std::is_same_v<decltype(prefer(plain{}, priority_t{2})), plain>);
    EXPECT_EQ(prefer(urgent{}, priority_t{5}).level, 5);
}

TEST(Property, may_be_preferable_only) {
    static_assert(can_prefer_v<hinted, hint_t> && !can_require_v<hinted, hint_t>);
    EXPECT_TRUE(prefer(hinted{}, hint_t{}).taken);
    EXPECT_TRUE(prefer(hinted{}, priority_t{1}, hint_t{}).taken);
}

/// Executors with one value of a property, fixed at compile time or at run time.
struct never_blocking {
    static constexpr blocking_t::never_t query(blocking_t::never_t) { return {}; }
};
struct blocking_at_run_time {
    [[nodiscard]] blocking_t query(blocking_t::possibly_t) const { return value; }
    blocking_t value;
};

TEST(Property, has_the_value_of_the_executor) {
    static_assert(static_query_v<never_blocking, blocking_t> == blocking_t::never);
    static_assert(static_query_v<never_blocking, blocking_t::always_t> == blocking_t::never);
    static_assert(!can_require_v<never_blocking, blocking_t::always_t>);
    static_assert(can_require_v<never_blocking, blocking_t::never_t>);
    EXPECT_EQ(query(prefer(never_blocking{}, blocking.always), blocking), blocking.never);
    const blocking_at_run_time settable{blocking.possibly.value()};
    EXPECT_EQ(query(settable, blocking), blocking.possibly);
    EXPECT_EQ(query(settable, blocking.always), blocking.possibly);
    static_assert(!can_require_v<blocking_at_run_time, blocking_t::always_t>);
    static_assert(static_query_v<never_blocking, mapping_t> == mapping_t::thread);
}

TEST(Property, says_to_which_types_it_applies) {
    static_assert(property<priority_t> && !property<int>);
    static_assert(!can_query_v<plain, int> && !can_require_v<plain, int>);
}

}  // namespace pointsman::test

namespace elsewhere {
namespace {

/// A property defined by free functions of its namespace, only for the executors of that namespace.
struct executor_base {};
struct colour_t {
    static constexpr bool is_requirable = true;
    static constexpr bool is_preferable = true;
    template <class T>
    static constexpr bool is_applicable_property_v = std::is_base_of_v<executor_base, T>;
    static constexpr const char* default_value() { return "none"; }
    const char* name = default_value();
};
struct painted : executor_base {
    std::string colour = "white";
};
std::string query(const painted& executor, colour_t) { return executor.colour; }
painted require(const painted&, const colour_t& colour) { return {{}, colour.name}; }

}  // namespace

TEST(Property, is_found_in_the_namespace_of_the_executor) {
    static_assert(!pointsman::can_query_v<int, colour_t>);
    EXPECT_EQ(pointsman::query(pointsman::require(painted{}, colour_t{"red"}), colour_t{}), "red");
    EXPECT_EQ(pointsman::prefer(painted{}, colour_t{"blue"}).colour, "blue");
}

}  // namespace elsewhere
