// SPDX-License-Identifier: Apache-2.0
// Which tasks count as the same.
#include "fairlead/tuning/task_key.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "fairlead/tuning/named_task.hpp"

namespace {

using fairlead::size_class;
using fairlead::task_key_of;

void one(int) {}
void two(int) {}

TEST(TaskKey, tells_two_lambdas_apart_and_knows_copies_of_one) {
    auto a = [](int) {};
    auto b = [](int) {};
    const auto copy = a;
    EXPECT_NE(task_key_of(a), task_key_of(b));
    EXPECT_EQ(task_key_of(a), task_key_of(copy));
}

TEST(TaskKey, of_one_lambda_is_the_same_at_every_stack_depth) {
    auto at_depth = [](auto self, int depth) -> fairlead::task_key {
        auto task = [](int x) { return x; };
        volatile char room[64] = {};
        static_cast<void>(room);
        return depth == 0 ? task_key_of(task) : self(self, depth - 1);
    };
    EXPECT_EQ(at_depth(at_depth, 0), at_depth(at_depth, 20));
}

TEST(TaskKey, of_plain_functions_is_their_address) {
    EXPECT_NE(task_key_of(&one), task_key_of(&two));
    EXPECT_EQ(task_key_of(&one), task_key_of(one));
}

TEST(TaskKey, sees_sizes_by_powers_of_two) {
    auto f = [](int, const std::vector<float>&) {};
    EXPECT_EQ(task_key_of(f, 1000, std::vector<float>(1000)),
              task_key_of(f, 1023, std::vector<float>(1001)));
    EXPECT_NE(task_key_of(f, 1000, std::vector<float>(1000)),
              task_key_of(f, 1024, std::vector<float>(1000)));
    EXPECT_NE(task_key_of(f, 1000, std::vector<float>(1000)),
              task_key_of(f, 1000, std::vector<float>(2000)));
}

TEST(TaskKey, ignores_what_has_no_size) {
    struct opaque {};
    auto f = [](bool, double, opaque) {};
    EXPECT_EQ(task_key_of(f, true, 1.0, opaque{}), task_key_of(f, false, 2.0, opaque{}));
}

TEST(TaskKey, is_stated_by_a_callable_that_has_one) {
    struct named {
        std::uint64_t id;
        fairlead::task_key task_key() const { return {id, 0}; }
    };
    EXPECT_EQ(task_key_of(named{3}, 1), task_key_of(named{3}, 1000));
    EXPECT_NE(task_key_of(named{3}), task_key_of(named{4}));
}

TEST(TaskKey, tells_tasks_of_one_type_apart_by_name) {
    const auto task = [](int n) { return n + 1; };
    const fairlead::named_task small{"radius 3", task};
    const fairlead::named_task large{"radius 30", task};
    EXPECT_NE(task_key_of(small, 1), task_key_of(large, 1));
    EXPECT_EQ(task_key_of(small, 1), task_key_of(fairlead::named_task{"radius 3", task}, 1));
    EXPECT_NE(task_key_of(small, 1), task_key_of(small, 1000)) << "sizes matter as before";
    EXPECT_EQ(small(4), 5);
}

TEST(SizeClass, of_integers_is_their_magnitude) {
    EXPECT_EQ(size_class<int>::of(0), 0);
    EXPECT_EQ(size_class<int>::of(-8), size_class<int>::of(8));
    EXPECT_EQ(size_class<unsigned long long>::of(~0ULL), 64);
    EXPECT_EQ(size_class<long long>::of(INT64_MIN), 64);
}

TEST(SizeClass, of_ranges_counts_bytes) {
    EXPECT_EQ(size_class<std::string>::of("abcd"), 3);
    EXPECT_EQ(size_class<std::vector<double>>::of(std::vector<double>(4)), 6);
}

}  // namespace
