// SPDX-License-Identifier: Apache-2.0
// Tests which callables and arguments give equal task keys.
#include "pointsman/tuning/task_key.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "pointsman/tuning/named_task.hpp"

namespace {

using pointsman::size_class;
using pointsman::task_key_of;

void one(int) {}
void two(int) {}

TEST(TaskKey, distinguishes_two_lambdas_and_recognises_copies_of_one) {
    auto a = [](int) {};
    auto b = [](int) {};
    const auto copy = a;
    EXPECT_NE(task_key_of(a), task_key_of(b));
    EXPECT_EQ(task_key_of(a), task_key_of(copy));
}

TEST(TaskKey, of_one_lambda_is_the_same_at_every_stack_depth) {
    auto at_depth = [](auto self, int depth) -> pointsman::task_key {
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

TEST(TaskKey, groups_sizes_by_powers_of_two) {
    auto f = [](int, const std::vector<float>&) {};
    EXPECT_EQ(task_key_of(f, 1000, std::vector<float>(1000)),
              task_key_of(f, 1023, std::vector<float>(1001)));
    EXPECT_NE(task_key_of(f, 1000, std::vector<float>(1000)),
              task_key_of(f, 1024, std::vector<float>(1000)));
    EXPECT_NE(task_key_of(f, 1000, std::vector<float>(1000)),
              task_key_of(f, 1000, std::vector<float>(2000)));
}

TEST(TaskKey, ignores_arguments_without_a_size) {
    struct opaque {};
    auto f = [](double, opaque) {};
    EXPECT_EQ(task_key_of(f, 1.0, opaque{}), task_key_of(f, 2e9, opaque{}));
}

TEST(TaskKey, distinguishes_the_targets_of_a_std_function) {
    using erased = std::function<int(int)>;
    const erased small = [](int r) { return r; };
    const erased large = [](int r) { return 2 * r; };
    EXPECT_NE(task_key_of(small), task_key_of(large));
    EXPECT_EQ(task_key_of(small), task_key_of(erased{small}));
    EXPECT_NE(task_key_of(small), task_key_of(erased{}));
}

TEST(TaskKey, of_a_plain_function_in_a_std_function_is_that_of_the_function) {
    using erased = std::function<void(int)>;
    EXPECT_NE(task_key_of(erased{one}), task_key_of(erased{two}));
    EXPECT_EQ(task_key_of(erased{one}), task_key_of(one));
}

TEST(TaskKey, of_a_reference_to_a_callable_is_that_of_the_callable) {
    const auto task = [](int) {};
    EXPECT_EQ(task_key_of(std::ref(task)), task_key_of(task));
    EXPECT_EQ(task_key_of(std::ref(one)), task_key_of(one));
    EXPECT_NE(task_key_of(std::ref(one)), task_key_of(std::ref(two)));
}

TEST(TaskKey, distinguishes_the_members_of_a_class) {
    struct device {
        int small() { return 1; }
        int large() { return 2; }
        int first;
        int second;
    };
    EXPECT_NE(task_key_of(&device::small), task_key_of(&device::large));
    EXPECT_EQ(task_key_of(&device::small), task_key_of(&device::small));
    EXPECT_NE(task_key_of(&device::first), task_key_of(&device::second));
}

TEST(TaskKey, distinguishes_flags_and_enumerators) {
    enum class mode : std::uint8_t { fast, exact, thorough };
    auto f = [](bool, mode) {};
    EXPECT_NE(task_key_of(f, true, mode::fast), task_key_of(f, false, mode::fast));
    EXPECT_NE(task_key_of(f, true, mode::exact), task_key_of(f, true, mode::thorough));
    EXPECT_EQ(task_key_of(f, true, mode::exact), task_key_of(f, true, mode::exact));
}

TEST(TaskKey, distinguishes_neighbouring_arguments) {
    enum class option : std::int64_t { largest = INT64_MAX };
    auto f = [](auto, auto) {};
    EXPECT_NE(task_key_of(f, 0, option::largest), task_key_of(f, 1, option{63}));
    EXPECT_NE(task_key_of(f, false, 'C'), task_key_of(f, true, '\0'));
}

TEST(TaskKey, sees_the_size_behind_a_reference_wrapper) {
    auto f = [](const std::vector<float>&) {};
    const std::vector<float> small(10);
    std::vector<float> large(1000);
    EXPECT_NE(task_key_of(f, std::ref(small)), task_key_of(f, std::ref(large)));
    EXPECT_EQ(task_key_of(f, std::ref(large)), task_key_of(f, large));
}

TEST(TaskKey, is_given_by_a_callable_that_has_one) {
    struct named {
        std::uint64_t id;
        pointsman::task_key task_key() const { return {id, 0}; }
    };
    EXPECT_EQ(task_key_of(named{3}, 1), task_key_of(named{3}, 1000));
    EXPECT_NE(task_key_of(named{3}), task_key_of(named{4}));
}

TEST(TaskKey, distinguishes_tasks_of_one_type_by_name) {
    const auto task = [](int n) { return n + 1; };
    const pointsman::named_task small{"radius 3", task};
    const pointsman::named_task large{"radius 30", task};
    EXPECT_NE(task_key_of(small, 1), task_key_of(large, 1));
    EXPECT_EQ(task_key_of(small, 1), task_key_of(pointsman::named_task{"radius 3", task}, 1));
    EXPECT_NE(task_key_of(small, 1), task_key_of(small, 1000)) << "the size is part of the key";
    EXPECT_EQ(small(4), 5);
}

TEST(SizeClass, of_integers_is_their_magnitude) {
    EXPECT_EQ(size_class<int>::of(0), 0);
    EXPECT_EQ(size_class<int>::of(-8), size_class<int>::of(8));
    EXPECT_EQ(size_class<unsigned long long>::of(~0ULL), 64);
    EXPECT_EQ(size_class<long long>::of(INT64_MIN), 64);
}

TEST(SizeClass, of_small_enumerators_is_their_value_and_of_others_their_magnitude) {
    enum class wide : std::int64_t {};
    std::set<int> seen;
    for (std::int64_t value = 0; value < 64; ++value) {
        seen.insert(size_class<wide>::of(wide{value}));
    }
    for (int bit = 6; bit < 63; ++bit) {
        seen.insert(size_class<wide>::of(wide{std::int64_t{1} << bit}));
        seen.insert(size_class<wide>::of(wide{-(std::int64_t{1} << bit)}));
    }
    EXPECT_EQ(seen.size(), 64U + 2 * 57U);
    EXPECT_EQ(size_class<wide>::of(wide{1000}), size_class<wide>::of(wide{1023}));
    enum class flag : bool { off, on };
    EXPECT_NE(size_class<flag>::of(flag::off), size_class<flag>::of(flag::on));
}

TEST(SizeClass, of_a_value_is_above_those_of_sizes) {
    enum class level : std::uint8_t { low };
    for (const int of_value : {size_class<bool>::of(false), size_class<char>::of('\0'),
                               size_class<level>::of(level::low)}) {
        EXPECT_GE(of_value, pointsman::first_value_class);
    }
    EXPECT_LT(size_class<unsigned long long>::of(~0ULL), pointsman::first_value_class);
}

TEST(SizeClass, of_a_character_is_its_value_and_of_a_byte_its_magnitude) {
    EXPECT_NE(size_class<char>::of('N'), size_class<char>::of('T'));
    EXPECT_EQ(size_class<std::byte>::of(std::byte{200}), size_class<std::byte>::of(std::byte{255}));
    EXPECT_NE(size_class<std::byte>::of(std::byte{1}), size_class<std::byte>::of(std::byte{255}));
}

TEST(SizeClass, of_ranges_counts_bytes) {
    EXPECT_EQ(size_class<std::string>::of("abcd"), 3);
    EXPECT_EQ(size_class<std::vector<double>>::of(std::vector<double>(4)), 6);
}

}  // namespace
