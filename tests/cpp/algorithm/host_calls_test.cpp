// SPDX-License-Identifier: Apache-2.0
// How often algorithms call functions in the calling thread, and that an exception from one ends the program.
// not under thread: a program that ends while its threads run is reported
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "pointsman/algorithm/adjacent_difference.hpp"
#include "pointsman/algorithm/adjacent_find.hpp"
#include "pointsman/algorithm/count_if.hpp"
#include "pointsman/algorithm/equal.hpp"
#include "pointsman/algorithm/find_if.hpp"
#include "pointsman/algorithm/inclusive_scan.hpp"
#include "pointsman/algorithm/is_heap_until.hpp"
#include "pointsman/algorithm/is_sorted_until.hpp"
#include "pointsman/algorithm/lexicographical_compare.hpp"
#include "pointsman/algorithm/mismatch.hpp"
#include "pointsman/algorithm/partition.hpp"
#include "pointsman/algorithm/replace_if.hpp"
#include "pointsman/algorithm/stable_partition.hpp"
#include "pointsman/algorithm/transform.hpp"
#include "pointsman/algorithm/transform_reduce.hpp"
#include "random_values.hpp"

namespace pointsman::test {
namespace {

using integers = std::vector<int>;

/// How often `run(counted)` calls the function that `counted(f)` returns.
template <class Run>
std::size_t calls_by(const Run& run) {
    std::size_t calls = 0;
    run([&](auto f) {
        return [&calls, f](auto... values) {
            ++calls;
            return f(values...);
        };
    });
    return calls;
}

TEST(HostCalls, under_seq_are_no_more_than_those_of_the_standard) {
    random_values random;
    for (int trial = 0; trial < 200; ++trial) {
        const auto size = static_cast<std::size_t>(random.of<int>(1, 40)[0]) & 31U;
        const integers x = random.of<int>(size, 3);
        integers y = x;
        if (size != 0 && trial % 4 != 0) {
            y[size / 2] += trial % 3 - 1;
        }
        const auto compare = [&](const std::string& name, const auto& ours, const auto& standard) {
            EXPECT_LE(calls_by(ours), calls_by(standard)) << name << ", " << random.seed();
        };
        const auto& seq = execution::seq;
        const auto is_two = [](int v) { return v == 2; };
        // clang-format off
        compare("adjacent_difference",
            [&](auto counted) { integers to(size); adjacent_difference(seq, x.begin(), x.end(), to.begin(), counted(std::minus{})); },
            [&](auto counted) { integers to(size); std::adjacent_difference(x.begin(), x.end(), to.begin(), counted(std::minus{})); });
        compare("adjacent_find",
            [&](auto counted) { adjacent_find(seq, x.begin(), x.end(), counted(std::equal_to{})); },
            [&](auto counted) { static_cast<void>(std::adjacent_find(x.begin(), x.end(), counted(std::equal_to{}))); });
        compare("count_if",
            [&](auto counted) { count_if(seq, x.begin(), x.end(), counted(is_two)); },
            [&](auto counted) { static_cast<void>(std::count_if(x.begin(), x.end(), counted(is_two))); });
        compare("equal",
            [&](auto counted) { equal(seq, x.begin(), x.end(), y.begin(), counted(std::equal_to{})); },
            [&](auto counted) { static_cast<void>(std::equal(x.begin(), x.end(), y.begin(), counted(std::equal_to{}))); });
        compare("find_if",
            [&](auto counted) { find_if(seq, x.begin(), x.end(), counted(is_two)); },
            [&](auto counted) { static_cast<void>(std::find_if(x.begin(), x.end(), counted(is_two))); });
        compare("is_heap_until",
            [&](auto counted) { is_heap_until(seq, x.begin(), x.end(), counted(std::less{})); },
            [&](auto counted) { static_cast<void>(std::is_heap_until(x.begin(), x.end(), counted(std::less{}))); });
        compare("is_sorted_until",
            [&](auto counted) { is_sorted_until(seq, x.begin(), x.end(), counted(std::less{})); },
            [&](auto counted) { static_cast<void>(std::is_sorted_until(x.begin(), x.end(), counted(std::less{}))); });
        compare("lexicographical_compare",
            [&](auto counted) { lexicographical_compare(seq, x.begin(), x.end(), y.begin(), y.end(), counted(std::less{})); },
            [&](auto counted) { static_cast<void>(std::lexicographical_compare(x.begin(), x.end(), y.begin(), y.end(), counted(std::less{}))); });
        compare("mismatch",
            [&](auto counted) { mismatch(seq, x.begin(), x.end(), y.begin(), counted(std::equal_to{})); },
            [&](auto counted) { static_cast<void>(std::mismatch(x.begin(), x.end(), y.begin(), counted(std::equal_to{}))); });
        // clang-format on
    }
}

/// A sum that throws for a certain second number.
const auto add_or_throw = [](int a, int b) {
    if (b == 7) {
        throw std::runtime_error{"seven"};
    }
    return a + b;
};

class HostExceptions : public testing::Test {
  protected:
    HostExceptions() { GTEST_FLAG_SET(death_test_style, "threadsafe"); }

    /// Ends the program if `call(policy, x)` throws at the value 7, which is not among the first.
    template <class Call>
    static void end_the_program(const Call& call) {
        integers x(1'000'000, 1);
        x[800'000] = 7;
        EXPECT_DEATH(call(execution::seq, x), "terminate") << "seq";
        EXPECT_DEATH(call(execution::par, x), "terminate") << "par";
    }
};

TEST_F(HostExceptions, of_an_elementwise_algorithm_end_the_program) {
    end_the_program([](const auto& policy, integers& x) {
        transform(policy, x.begin(), x.end(), x.begin(), x.begin(), add_or_throw);
    });
}

TEST_F(HostExceptions, of_a_fold_end_the_program) {
    end_the_program([](const auto& policy, integers& x) {
        transform_reduce(policy, x.begin(), x.end(), 0, std::plus{},
                         [](int v) { return add_or_throw(0, v); });
    });
}

TEST_F(HostExceptions, of_a_scan_end_the_program_while_threads_wait_for_their_turns) {
    end_the_program([](const auto& policy, integers& x) {
        inclusive_scan(policy, x.begin(), x.end(), x.begin(), add_or_throw);
    });
}

TEST_F(HostExceptions, of_a_search_end_the_program) {
    end_the_program([](const auto& policy, integers& x) {
        adjacent_find(policy, x.begin(), x.end(),
                      [](int a, int b) { return add_or_throw(a, b) < 0; });
    });
}

TEST_F(HostExceptions, of_a_predicate_end_the_program) {
    const auto is_one = [](int value) { return add_or_throw(0, value) == 1; };
    end_the_program([=](const auto& policy, integers& x) {
        static_cast<void>(count_if(policy, x.begin(), x.end(), is_one));
    });
    end_the_program([=](const auto& policy, integers& x) {
        replace_if(policy, x.begin(), x.end(), is_one, 2);
    });
    end_the_program(
        [=](const auto& policy, integers& x) { partition(policy, x.begin(), x.end(), is_one); });
    end_the_program([=](const auto& policy, integers& x) {
        stable_partition(policy, x.begin(), x.end(), is_one);
    });
    end_the_program([=](const auto& policy, integers& x) {
        x.front() = 2;
        stable_partition(policy, x.begin(), x.end(), is_one);
    });
}

}  // namespace
}  // namespace pointsman::test
