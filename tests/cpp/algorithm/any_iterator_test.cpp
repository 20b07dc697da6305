// SPDX-License-Identifier: Apache-2.0
// Host algorithms accept forward iterators and types without a default constructor.
// not under thread: ThreadSanitizer cannot see the synchronization inside oneTBB and libstdc++
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <forward_list>
#include <functional>
#include <iterator>
#include <list>
#include <numeric>
#include <vector>

#include "pointsman/algorithm/all_of.hpp"
#include "pointsman/algorithm/any_of.hpp"
#include "pointsman/algorithm/binary_search.hpp"
#include "pointsman/algorithm/copy.hpp"
#include "pointsman/algorithm/copy_if.hpp"
#include "pointsman/algorithm/count_if.hpp"
#include "pointsman/algorithm/exclusive_scan.hpp"
#include "pointsman/algorithm/find_if.hpp"
#include "pointsman/algorithm/for_each_n.hpp"
#include "pointsman/algorithm/histogram.hpp"
#include "pointsman/algorithm/inclusive_scan.hpp"
#include "pointsman/algorithm/lower_bound.hpp"
#include "pointsman/algorithm/max_element.hpp"
#include "pointsman/algorithm/merge.hpp"
#include "pointsman/algorithm/none_of.hpp"
#include "pointsman/algorithm/reduce.hpp"
#include "pointsman/algorithm/reduce_by_segment.hpp"
#include "pointsman/algorithm/transform.hpp"
#include "pointsman/algorithm/transform_inclusive_scan.hpp"
#include "pointsman/algorithm/transform_reduce.hpp"
#include "pointsman/algorithm/unique.hpp"
#include "pointsman/execution/auto_policy.hpp"

namespace pointsman::test {
namespace {

template <class Check>
void on_the_host(Check check) {
    check(execution::seq);
    check(execution::unseq);
    check(execution::par);
    check(execution::par_unseq);
    check(execution::auto_);
}

constexpr std::size_t count = 100'000;

std::forward_list<int> long_list() {
    std::forward_list<int> values(count);
    std::iota(values.begin(), values.end(), 0);
    return values;
}

TEST(ForwardIterators, are_searched) {
    const auto x = long_list();
    on_the_host([&](const auto& policy) {
        EXPECT_TRUE(all_of(policy, x.begin(), x.end(), [](int v) { return v >= 0; }));
        EXPECT_FALSE(all_of(policy, x.begin(), x.end(), [](int v) { return v != 99'999; }));
        EXPECT_TRUE(any_of(policy, x.begin(), x.end(), [](int v) { return v == 99'999; }));
        EXPECT_TRUE(none_of(policy, x.begin(), x.end(), [](int v) { return v < 0; }));
        EXPECT_EQ(count_if(policy, x.begin(), x.end(), [](int v) { return v % 2 == 0; }), 50'000);
        EXPECT_EQ(*find_if(policy, x.begin(), x.end(), [](int v) { return v > 500; }), 501);
        EXPECT_EQ(*max_element(policy, x.begin(), x.end()), 99'999);
        const std::list<int> sought{-1, 20'000, 100'000};
        std::forward_list<long> indices(3);
        EXPECT_EQ(
            lower_bound(policy, x.begin(), x.end(), sought.begin(), sought.end(), indices.begin()),
            indices.end());
        EXPECT_EQ(indices, (std::forward_list<long>{0, 20'000, 100'000}));
        binary_search(policy, x.begin(), x.end(), sought.begin(), sought.end(), indices.begin());
        EXPECT_EQ(indices, (std::forward_list<long>{0, 1, 0}));
    });
}

TEST(ForwardIterators, are_reduced) {
    const auto x = long_list();
    const std::vector<int> ones(count, 1);
    on_the_host([&](const auto& policy) {
        EXPECT_EQ(reduce(policy, x.begin(), x.end(), 0L), 4'999'950'000);
        EXPECT_EQ(reduce(policy, x.begin(), x.begin(), 5L), 5);
        EXPECT_EQ(transform_reduce(policy, x.begin(), x.end(), ones.begin(), 0L), 4'999'950'000);
        EXPECT_EQ(transform_reduce(policy, ones.begin(), ones.end(), x.begin(), 0L), 4'999'950'000);
    });
}

TEST(ForwardIterators, are_scanned_also_in_place) {
    const auto x = long_list();
    std::vector<long> expected(count);
    std::exclusive_scan(x.begin(), x.end(), expected.begin(), 7L);
    on_the_host([&](const auto& policy) {
        std::list<long> out(count);
        EXPECT_EQ(exclusive_scan(policy, x.begin(), x.end(), out.begin(), 7L), out.end());
        EXPECT_TRUE(std::ranges::equal(out, expected));
        std::vector<long> in_vector(count);
        EXPECT_EQ(exclusive_scan(policy, x.begin(), x.end(), in_vector.begin(), 7L),
                  in_vector.end());
        EXPECT_EQ(in_vector, expected);
        std::forward_list<int> small{1, 2, 3};
        inclusive_scan(policy, small.begin(), small.end(), small.begin());
        EXPECT_EQ(small, (std::forward_list<int>{1, 3, 6}));
        transform_inclusive_scan(policy, small.begin(), small.end(), small.begin(), plus{},
                                 std::negate<>{}, 10);
        EXPECT_EQ(small, (std::forward_list<int>{9, 6, 0}));
    });
}

TEST(ForwardIterators, are_written_selected_and_merged) {
    const auto x = long_list();
    on_the_host([&](const auto& policy) {
        std::list<int> out(count);
        copy(policy, x.begin(), x.end(), out.begin());
        EXPECT_TRUE(std::ranges::equal(out, x));
        transform(policy, x.begin(), x.end(), out.begin(), out.begin(), plus{});
        EXPECT_EQ(out.back(), 199'998);
        for_each_n(policy, out.begin(), 2, [](int& v) { v = -1; });
        EXPECT_EQ(out.front(), -1);
        const auto past =
            copy_if(policy, x.begin(), x.end(), out.begin(), [](int v) { return v % 1000 == 0; });
        EXPECT_EQ(std::distance(out.begin(), past), 100);
        std::list<int> runs{1, 1, 2, 2, 1};
        runs.erase(unique(policy, runs.begin(), runs.end()), runs.end());
        EXPECT_EQ(runs, (std::list<int>{1, 2, 1}));
        std::list<int> merged(5);
        const std::list<int> odd{1, 3};
        const std::forward_list<int> even{0, 2, 4};
        merge(policy, odd.begin(), odd.end(), even.begin(), even.end(), merged.begin());
        EXPECT_EQ(merged, (std::list<int>{0, 1, 2, 3, 4}));
        std::forward_list<int> firsts(100);
        std::list<int> lengths(100);
        const std::vector<int> ones(count, 1);
        const auto are_of_one_thousand = [](int a, int b) { return a / 1000 == b / 1000; };
        reduce_by_segment(policy, x.begin(), x.end(), ones.begin(), firsts.begin(), lengths.begin(),
                          are_of_one_thousand);
        EXPECT_EQ(*std::next(firsts.begin(), 7), 7000);
        EXPECT_EQ(lengths, std::list<int>(100, 1000));
        std::vector<int> counts(2);
        histogram(policy, x.begin(), x.end(), 2, 0, 100'000, counts.begin());
        EXPECT_EQ(counts, std::vector<int>(2, 50'000));
    });
}

/// A number without a default constructor.
class given {
  public:
    explicit given(long value) : value_{value} {}
    given operator+(const given& other) const { return given{value_ + other.value_}; }
    bool operator==(const given&) const = default;

  private:
    long value_;
};

TEST(TypesWithoutDefaultConstructor, are_reduced_and_scanned) {
    for (const std::size_t size : {0, 5, 40, 1000, 200'000}) {
        const std::vector<given> x(size, given{2});
        std::vector<given> expected(size, given{0});
        std::inclusive_scan(x.begin(), x.end(), expected.begin());
        on_the_host([&](const auto& policy) {
            EXPECT_EQ(reduce(policy, x.begin(), x.end(), given{1}),
                      given{static_cast<long>(2 * size + 1)});
            auto out = x;
            inclusive_scan(policy, x.begin(), x.end(), out.begin());
            EXPECT_EQ(out, expected);
            exclusive_scan(policy, x.begin(), x.end(), out.begin(), given{2});
            EXPECT_EQ(out, expected);
        });
    }
}

}  // namespace
}  // namespace pointsman::test
