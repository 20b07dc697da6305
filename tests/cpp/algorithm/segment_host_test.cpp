// SPDX-License-Identifier: Apache-2.0
// Algorithms by segment on the host: threads, any iterators and types, functions that are not commutative.
// not under thread: ThreadSanitizer cannot see the synchronization inside oneTBB and libstdc++
#include <gtest/gtest.h>
#include <tbb/task_arena.h>

#include <cstddef>
#include <cstdint>
#include <forward_list>
#include <iterator>
#include <list>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "pointsman/algorithm/exclusive_scan_by_segment.hpp"
#include "pointsman/algorithm/inclusive_scan_by_segment.hpp"
#include "pointsman/algorithm/reduce_by_segment.hpp"
#include "pointsman/execution/auto_policy.hpp"
#include "random_values.hpp"
#include "segment_model.hpp"

namespace pointsman::test {
namespace {

/// The function x -> scale * x + shift, without a default constructor.
struct affine {
    affine(std::uint32_t a, std::uint32_t b) : scale{a}, shift{b} {}
    std::uint32_t scale;
    std::uint32_t shift;
    friend bool operator==(const affine&, const affine&) = default;
};

/// Applies `a` first: associative, but not commutative.
affine then(const affine& a, const affine& b) {
    return {a.scale * b.scale, b.scale * a.shift + b.shift};
}

template <class Check>
void on_the_host(Check check) {
    check(execution::seq);
    check(execution::unseq);
    check(execution::par);
    check(execution::par_unseq);
    check(execution::auto_);
}

/// Keys with a new segment at each of about `segments` random indices.
std::vector<std::int64_t> keys_in(random_values& random, std::size_t size, std::size_t segments) {
    const auto draws = random.of<std::uint32_t>(size, static_cast<std::uint32_t>(size));
    std::vector<std::int64_t> keys(size);
    for (std::size_t i = 1; i < size; ++i) {
        keys[i] = keys[i - 1] + (draws[i] < segments ? 1 : 0);
    }
    return keys;
}

constexpr std::size_t count = 300'000;

TEST(SegmentOnTheHost, folds_in_order_across_the_parts_of_threads) {
    random_values random;
    const auto factors = random.of<std::uint32_t>(2 * count);
    std::vector<affine> x;
    for (std::size_t i = 0; i < count; ++i) {
        x.emplace_back(factors[2 * i], factors[2 * i + 1]);
    }
    const affine initial{3, 5};
    for (const std::size_t segments : {std::size_t{0}, std::size_t{5}, count / 3, count + 1}) {
        const auto keys = keys_in(random, count, segments);
        const auto expected = reduced(keys, x, equal_to{}, then);
        const auto inclusive = scanned_inclusively(keys, x, equal_to{}, then);
        const auto exclusive = scanned_exclusively(keys, x, initial, equal_to{}, then);
        on_the_host([&](const auto& policy) {
            std::vector<std::int64_t> keys_out(expected.first.size(), -1);
            std::vector<affine> folds(expected.first.size(), affine{0, 0});
            const auto ends = reduce_by_segment(policy, keys.begin(), keys.end(), x.begin(),
                                                keys_out.begin(), folds.begin(), equal_to{}, then);
            EXPECT_EQ(ends.first, keys_out.end()) << random.seed();
            EXPECT_EQ(ends.second, folds.end()) << random.seed();
            EXPECT_EQ(keys_out, expected.first) << random.seed();
            EXPECT_TRUE(folds == expected.second) << random.seed();
            auto out = x;
            EXPECT_EQ(inclusive_scan_by_segment(policy, keys.begin(), keys.end(), out.begin(),
                                                out.begin(), equal_to{}, then),
                      out.end());
            EXPECT_TRUE(out == inclusive) << random.seed();
            out = x;
            EXPECT_EQ(exclusive_scan_by_segment(policy, keys.begin(), keys.end(), out.begin(),
                                                out.begin(), initial, equal_to{}, then),
                      out.end());
            EXPECT_TRUE(out == exclusive) << random.seed();
        });
    }
}

TEST(SegmentOnTheHost, divides_one_segment_among_threads) {
    if (tbb::this_task_arena::max_concurrency() < 2) {
        GTEST_SKIP() << "one thread";
    }
    const std::vector<int> keys(1'000'000, 4);
    std::vector<std::int64_t> x(keys.size(), 1);
    for (std::size_t i = 999; i < x.size(); i += 1000) {
        x[i] = 2;
    }
    std::mutex mutex;
    std::set<std::thread::id> threads;
    const auto add = [&](std::int64_t a, std::int64_t b) {
        if (b == 2) {  // a thousandth of the values
            const std::lock_guard lock{mutex};
            threads.insert(std::this_thread::get_id());
        }
        return a + b;
    };
    std::int64_t fold = 0;
    int key = 0;
    for (int call = 0; call < 20 && threads.size() < 2; ++call) {
        reduce_by_segment(execution::par, keys.begin(), keys.end(), x.begin(), &key, &fold,
                          equal_to{}, add);
        EXPECT_EQ(fold, std::ssize(keys) + 1000);
        EXPECT_EQ(key, 4);
    }
    EXPECT_GE(threads.size(), 2U);
}

TEST(SegmentOnTheHost, takes_forward_iterators_and_any_types) {
    const std::forward_list<std::string> keys{"a", "a", "b", "b", "b", "a"};
    const std::list<std::string> x{"1", "2", "3", "4", "5", "6"};
    on_the_host([&](const auto& policy) {
        std::list<std::string> keys_out(3);
        std::vector<std::string> folds;
        const auto ends = reduce_by_segment(policy, keys.begin(), keys.end(), x.begin(),
                                            keys_out.begin(), std::back_inserter(folds));
        EXPECT_EQ(ends.first, keys_out.end());
        EXPECT_EQ(keys_out, (std::list<std::string>{"a", "b", "a"}));
        EXPECT_EQ(folds, (std::vector<std::string>{"12", "345", "6"}));
        auto out = x;
        EXPECT_EQ(
            inclusive_scan_by_segment(policy, keys.begin(), keys.end(), out.begin(), out.begin()),
            out.end());
        EXPECT_EQ(out, (std::list<std::string>{"1", "12", "3", "34", "345", "6"}));
        out = x;
        exclusive_scan_by_segment(policy, keys.begin(), keys.end(), out.begin(), out.begin(),
                                  std::string{"_"});
        EXPECT_EQ(out, (std::list<std::string>{"_", "_1", "_", "_3", "_34", "_"}));
    });
}

TEST(SegmentOnTheHost, writes_values_that_share_bytes_in_one_thread) {
    random_values random;
    const auto keys = keys_in(random, count, count / 2);
    const auto x = random.of<std::int8_t>(count, 1);
    const auto either = [](std::int8_t a, std::int8_t b) -> std::int8_t { return a | b; };
    const auto expected = reduced(keys, x, equal_to{}, either);
    std::vector<std::int64_t> keys_out(expected.first.size());
    std::vector<bool> folds(expected.first.size());
    reduce_by_segment(execution::par, keys.begin(), keys.end(), x.begin(), keys_out.begin(),
                      folds.begin(), equal_to{}, either);
    for (std::size_t i = 0; i < folds.size(); ++i) {
        ASSERT_EQ(folds[i], expected.second[i] != 0) << i << ", " << random.seed();
    }
}

TEST(SegmentOnTheHost, folds_no_last_value_of_an_exclusive_scan) {
    const std::vector<int> keys{1, 1, 2, 3, 3, 3};
    const std::vector<int> x{1, 9, 9, 1, 1, 9};
    const auto add = [](int a, int b) {
        EXPECT_NE(b, 9) << "the last value of a segment: its sum may overflow";
        return a + b;
    };
    on_the_host([&](const auto& policy) {
        std::vector<int> sums(keys.size());
        exclusive_scan_by_segment(policy, keys.begin(), keys.end(), x.begin(), sums.begin(), 5,
                                  equal_to{}, add);
        EXPECT_EQ(sums, (std::vector<int>{5, 6, 5, 5, 6, 7}));
    });
}

TEST(SegmentOnTheHost, gives_the_key_before_to_the_predicate_first) {
    std::vector<int> keys(count);
    for (std::size_t i = 0; i < count; ++i) {
        keys[i] = static_cast<int>(i / 3);
    }
    const std::vector<int> x(count, 1);
    const auto is_not_above = [](int before, int key) { return before >= key; };
    std::vector<int> keys_out(count / 3);
    std::vector<int> folds(count / 3);
    on_the_host([&](const auto& policy) {
        const auto ends = reduce_by_segment(policy, keys.begin(), keys.end(), x.begin(),
                                            keys_out.begin(), folds.begin(), is_not_above);
        EXPECT_EQ(ends.second, folds.end());
        EXPECT_EQ(folds, std::vector<int>(count / 3, 3));
    });
}

}  // namespace
}  // namespace pointsman::test
