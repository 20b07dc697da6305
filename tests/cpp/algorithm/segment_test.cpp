// SPDX-License-Identifier: Apache-2.0
// reduce_by_segment and the scans by segment equal loops over each segment, under every policy.
// not under thread: ThreadSanitizer cannot see the synchronization inside oneTBB and libstdc++
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <iterator>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "every_execution_policy.hpp"
#include "pointsman/algorithm/exclusive_scan_by_segment.hpp"
#include "pointsman/algorithm/inclusive_scan_by_segment.hpp"
#include "pointsman/algorithm/reduce_by_segment.hpp"
#include "pointsman/execution/auto_policy.hpp"
#include "random_values.hpp"
#include "segment_model.hpp"

namespace pointsman::test {
namespace {

POINTSMAN_FUNCTION(int32_t, later, (int32_t a, int32_t b), { return b != 0 ? b : a; });
POINTSMAN_FUNCTION(int, are_near, (int32_t a, int32_t b),
                   { return b - a < 3 && a - b < 3 ? 2 : 0; });

/// Whole numbers from -`limit` to `limit`, whose sums every type represents exactly.
template <class T>
std::vector<T> whole_values(random_values& random, std::size_t size, std::int32_t limit) {
    const auto whole = random.of<std::int32_t>(size, limit);
    std::vector<T> values(size);
    for (std::size_t i = 0; i < size; ++i) {
        values[i] = static_cast<T>(whole[i]);
    }
    return values;
}

/// Arrays of `size` keys, each with segments of other lengths.
template <class Key>
std::vector<std::pair<std::string, std::vector<Key>>> all_keys(random_values& random,
                                                               std::size_t size) {
    std::vector<Key> single(size);
    std::vector<Key> longer(size);
    const auto steps = random.of<std::uint32_t>(size, 9'999);
    for (std::size_t i = 1; i < size; ++i) {
        single[i] = static_cast<Key>(i % 100);
        longer[i] = steps[i] < 3 ? longer[i - 1] + 1 : longer[i - 1];
    }
    return {{"random keys", whole_values<Key>(random, size, 1)},
            {"one segment", std::vector<Key>(size, 7)},
            {"single values", single},
            {"long segments", longer}};
}

template <class T>
class Segment : public ExecutionPoliciesFor<T> {
  protected:
    random_values random;

    std::string message(const std::string& policy, const std::string& keys,
                        std::size_t size) const {
        return policy + ", " + keys + ", size " + std::to_string(size) + ", " + random.seed();
    }
};

TYPED_TEST_SUITE(Segment, algorithm_types);

TYPED_TEST(Segment, folds_are_written_beside_the_first_key_of_each) {
    for (const std::size_t size : algorithm_sizes) {
        const auto x = whole_values<TypeParam>(this->random, size, 15);
        for (const auto& named : all_keys<TypeParam>(this->random, size)) {
            const auto& kind = named.first;
            const auto& keys = named.second;
            const auto expected = reduced(keys, x, equal_to{}, plus{});
            const std::size_t segments = expected.first.size();
            this->under_policies([&](const auto& policy, const std::string& name) {
                std::vector<TypeParam> keys_out(segments + 1, TypeParam{77});
                std::vector<TypeParam> out(segments + 1, TypeParam{77});
                const auto ends = reduce_by_segment(policy, keys.begin(), keys.end(), x.begin(),
                                                    keys_out.begin(), out.begin());
                const auto end = static_cast<std::ptrdiff_t>(segments);
                EXPECT_EQ(ends.first - keys_out.begin(), end) << this->message(name, kind, size);
                EXPECT_EQ(ends.second - out.begin(), end) << this->message(name, kind, size);
                EXPECT_EQ(keys_out.back(), TypeParam{77}) << this->message(name, kind, size);
                EXPECT_EQ(out.back(), TypeParam{77}) << this->message(name, kind, size);
                keys_out.pop_back();
                out.pop_back();
                EXPECT_EQ(keys_out, expected.first) << this->message(name, kind, size);
                EXPECT_EQ(out, expected.second) << this->message(name, kind, size);
            });
        }
    }
}

TYPED_TEST(Segment, inclusive_sums_start_anew_with_each) {
    for (const std::size_t size : algorithm_sizes) {
        const auto x = whole_values<TypeParam>(this->random, size, 15);
        for (const auto& named : all_keys<std::int32_t>(this->random, size)) {
            const auto& kind = named.first;
            const auto& keys = named.second;
            const auto expected = scanned_inclusively(keys, x, equal_to{}, plus{});
            this->under_policies([&](const auto& policy, const std::string& name) {
                std::vector<TypeParam> out(size);
                EXPECT_EQ(inclusive_scan_by_segment(policy, keys.begin(), keys.end(), x.begin(),
                                                    out.begin()),
                          out.end());
                EXPECT_EQ(out, expected) << this->message(name, kind, size);
                auto in_place = x;
                inclusive_scan_by_segment(policy, keys.begin(), keys.end(), in_place.begin(),
                                          in_place.begin());
                EXPECT_EQ(in_place, expected) << this->message(name, kind, size) << ", in place";
            });
        }
    }
}

TYPED_TEST(Segment, exclusive_sums_start_with_the_initial_value_in_each) {
    for (const std::size_t size : algorithm_sizes) {
        const auto x = whole_values<TypeParam>(this->random, size, 15);
        for (const auto& named : all_keys<std::int32_t>(this->random, size)) {
            const auto& kind = named.first;
            const auto& keys = named.second;
            const auto expected = scanned_exclusively(keys, x, TypeParam{3}, equal_to{}, plus{});
            this->under_policies([&](const auto& policy, const std::string& name) {
                std::vector<TypeParam> out(size);
                EXPECT_EQ(exclusive_scan_by_segment(policy, keys.begin(), keys.end(), x.begin(),
                                                    out.begin(), TypeParam{3}),
                          out.end());
                EXPECT_EQ(out, expected) << this->message(name, kind, size);
                auto in_place = x;
                exclusive_scan_by_segment(policy, keys.begin(), keys.end(), in_place.begin(),
                                          in_place.begin(), TypeParam{3});
                EXPECT_EQ(in_place, expected) << this->message(name, kind, size) << ", in place";
            });
        }
    }
}

using SegmentOf = EveryExecutionPolicy;

TEST_F(SegmentOf, an_exclusive_scan_starts_with_zero_of_the_type_of_the_values) {
    const std::vector<std::int32_t> keys{1, 1, 1, 2, 2};
    const std::vector<float> x{0.5F, 0.25F, 1, 2, 4};
    under_policies([&](const auto& policy, const std::string& name) {
        std::vector<float> out(x.size(), 9);
        exclusive_scan_by_segment(policy, keys.begin(), keys.end(), x.begin(), out.begin());
        EXPECT_EQ(out, (std::vector<float>{0, 0.5F, 0.75F, 0, 2})) << name;
        exclusive_scan_by_segment(policy, keys.begin(), keys.end(), x.begin(), out.begin(), 1);
        EXPECT_EQ(out, (std::vector<float>{1, 1, 1, 1, 3})) << name << ": folded as int";
    });
}

TEST_F(SegmentOf, neighbours_by_any_predicate_keeps_the_order_of_its_values) {
    random_values random;
    for (const std::size_t size : algorithm_sizes) {
        // Steps of -1 to 1 are near; a step of 3 begins a segment, though its key may equal an earlier one.
        auto keys = random.of<std::int32_t>(size, 500);
        for (std::size_t i = 1; i < size; ++i) {
            const std::int32_t step = keys[i];
            keys[i] = keys[i - 1] + (step == 500 ? -3 : step % 2);
        }
        auto x = random.of<std::int32_t>(size, 2'000);
        for (std::int32_t& value : x) {
            value = value % 3 == 0 ? value : 0;
        }
        const auto expected = reduced(keys, x, are_near, later);
        const auto inclusive = scanned_inclusively(keys, x, are_near, later);
        const auto exclusive = scanned_exclusively(keys, x, -9, are_near, later);
        under_policies([&](const auto& policy, const std::string& name) {
            const std::string message = name + ", " + std::to_string(size) + ", " + random.seed();
            std::pair<std::vector<std::int32_t>, std::vector<std::int32_t>> got{
                std::vector<std::int32_t>(expected.first.size()),
                std::vector<std::int32_t>(expected.second.size())};
            const auto ends =
                reduce_by_segment(policy, keys.begin(), keys.end(), x.begin(), got.first.begin(),
                                  got.second.begin(), are_near, later);
            EXPECT_EQ(ends.second, got.second.end()) << message;
            EXPECT_EQ(got, expected) << message;
            std::vector<std::int32_t> out(size);
            inclusive_scan_by_segment(policy, keys.begin(), keys.end(), x.begin(), out.begin(),
                                      are_near, later);
            EXPECT_EQ(out, inclusive) << message;
            exclusive_scan_by_segment(policy, keys.begin(), keys.end(), x.begin(), out.begin(), -9,
                                      are_near, later);
            EXPECT_EQ(out, exclusive) << message;
        });
    }
}

TEST_F(SegmentOf, nan_keys_is_one_value_long) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const std::vector<float> keys{1, 1, nan, nan, 0.0F, -0.0F};
    const std::vector<std::int32_t> x{1, 2, 4, 8, 16, 32};
    under_policies([&](const auto& policy, const std::string& name) {
        std::vector<float> keys_out(4);
        std::vector<std::int32_t> out(4);
        const auto ends = reduce_by_segment(policy, keys.begin(), keys.end(), x.begin(),
                                            keys_out.begin(), out.begin());
        EXPECT_EQ(ends.first, keys_out.end()) << name;
        EXPECT_EQ(out, (std::vector<std::int32_t>{3, 4, 8, 48})) << name;
        EXPECT_TRUE(keys_out[1] != keys_out[1] && keys_out[2] != keys_out[2]) << name;
        EXPECT_EQ(keys_out[3], 0.0F) << name;
    });
}

TEST_F(SegmentOf, narrow_keys_writes_wider_outputs) {
    random_values random;
    const auto keys = random.of<std::uint8_t>(70'000, 3);
    const auto x = random.of<std::int16_t>(keys.size(), 30'000);
    const auto expected = scanned_exclusively(keys, x, std::int64_t{1} << 40, equal_to{}, plus{});
    const auto folds = reduced(keys, x, equal_to{}, maximum{});
    under_policies([&](const auto& policy, const std::string& name) {
        std::vector<std::int64_t> out(keys.size());
        exclusive_scan_by_segment(policy, keys.begin(), keys.end(), x.begin(), out.begin(),
                                  std::int64_t{1} << 40);
        EXPECT_EQ(out, expected) << name << ", " << random.seed();
        std::vector<std::int32_t> keys_out(folds.first.size());
        out.resize(folds.second.size());
        reduce_by_segment(policy, keys.begin(), keys.end(), x.begin(), keys_out.begin(),
                          out.begin(), equal_to{}, maximum{});
        EXPECT_EQ(keys_out, std::vector<std::int32_t>(folds.first.begin(), folds.first.end()));
        EXPECT_EQ(out, std::vector<std::int64_t>(folds.second.begin(), folds.second.end()));
    });
}

TEST(SegmentUnderAuto, gives_the_results_of_other_policies) {
    const std::vector<std::int32_t> keys{5, 5, 6, 5};
    const std::vector<std::int32_t> x{1, 2, 3, 4};
    for (int call = 0; call < 30; ++call) {
        std::vector<std::int32_t> keys_out(3);
        std::vector<std::int32_t> out(3);
        const auto ends = reduce_by_segment(execution::auto_, keys.begin(), keys.end(), x.begin(),
                                            keys_out.begin(), out.begin());
        EXPECT_EQ(ends.second, out.end());
        EXPECT_EQ(keys_out, (std::vector<std::int32_t>{5, 6, 5}));
        EXPECT_EQ(out, (std::vector<std::int32_t>{3, 3, 4}));
        out.resize(4);
        inclusive_scan_by_segment(execution::auto_, keys.begin(), keys.end(), x.begin(),
                                  out.begin());
        EXPECT_EQ(out, (std::vector<std::int32_t>{1, 3, 3, 4}));
        exclusive_scan_by_segment(execution::auto_, keys.begin(), keys.end(), x.begin(),
                                  out.begin());
        EXPECT_EQ(out, (std::vector<std::int32_t>{0, 1, 0, 0}));
    }
}

TEST_F(SegmentOf, an_output_wider_than_the_values_is_scanned_and_then_folded) {
    random_values random;
    const std::size_t size = 3'000;
    const auto x = whole_values<float>(random, size, 9);
    std::vector<std::uint32_t> keys(size);
    std::vector<double> sums(size);
    std::vector<double> folds;
    for (std::size_t i = 0; i < size; ++i) {
        keys[i] = static_cast<std::uint32_t>(i / 7);
        sums[i] = x[i] + (i % 7 == 0 ? 0 : sums[i - 1]);
        folds.resize(keys[i] + std::size_t{1});
        folds.back() = sums[i];
    }
    under_policies([&](const auto& policy, const std::string& name) {
        std::vector<double> out(size);
        inclusive_scan_by_segment(policy, keys.begin(), keys.end(), x.begin(), out.begin());
        EXPECT_EQ(out, sums) << name << ", " << random.seed();
        std::vector<std::uint32_t> firsts(size);
        const auto ends = reduce_by_segment(policy, keys.begin(), keys.end(), x.begin(),
                                            firsts.begin(), out.begin());
        out.erase(ends.second, out.end());
        EXPECT_EQ(out, folds) << name << ", " << random.seed();
    });
}

POINTSMAN_FUNCTION(uint32_t, greater_of_positive, (uint32_t a, uint32_t b), {
    if (a == 0 || b == 0) {
        printf("given 0");
    }
    return a > b ? a : b;
});

TEST_F(SegmentOf, a_function_is_given_only_values_and_the_initial_one) {
    for (const std::size_t size : {33, 1'200}) {  // a work group has more items, and fewer values
        std::vector<std::uint32_t> keys(size);
        std::vector<std::uint32_t> x(size);
        std::vector<std::uint32_t> greatest(size);
        for (std::size_t i = 0; i < size; ++i) {
            keys[i] = static_cast<std::uint32_t>(i / 50);
            x[i] = static_cast<std::uint32_t>(1 + i * 7 % 40);
            greatest[i] = i % 50 == 0 ? x[i] : std::max(greatest[i - 1], x[i]);
        }
        under_policies([&](const auto& policy, const std::string& name) {
            std::vector<std::uint32_t> out(size);
            testing::internal::CaptureStdout();
            inclusive_scan_by_segment(policy, keys.begin(), keys.end(), x.begin(), out.begin(),
                                      equal_to{}, greater_of_positive);
            const std::string printed = testing::internal::GetCapturedStdout();
            EXPECT_EQ(printed, "") << name;
            EXPECT_EQ(out, greatest) << name;
            testing::internal::CaptureStdout();
            exclusive_scan_by_segment(policy, keys.begin(), keys.end(), x.begin(), out.begin(),
                                      std::uint32_t{1}, equal_to{}, greater_of_positive);
            EXPECT_EQ(testing::internal::GetCapturedStdout(), "") << name << ", exclusive";
            for (std::size_t i = 0; i < size; ++i) {
                ASSERT_EQ(out[i], i % 50 == 0 ? 1 : greatest[i - 1]) << name << ", index " << i;
            }
        });
    }
}

#ifndef POINTSMAN_WITHOUT_OPENCL

TEST_F(SegmentOf, a_buffer_stays_on_the_device) {
    on_every_device([&](const auto& policy) {
        const opencl::queue& queue = policy.queue();
        const std::vector<std::int32_t> numbers{9, 1, 1, 2, 2, 2, 1};
        const opencl::buffer<std::int32_t> keys{queue, numbers};
        const opencl::buffer<std::int32_t> x{queue, numbers};
        opencl::buffer<std::int32_t> keys_out{queue, numbers};
        opencl::buffer<std::int32_t> out{queue, numbers};
        const auto ends = reduce_by_segment(policy, begin(keys) + 1, end(keys), begin(x) + 1,
                                            begin(keys_out) + 2, begin(out) + 3);
        EXPECT_EQ(ends.first, begin(keys_out) + 5);
        EXPECT_EQ(ends.second, begin(out) + 6);
        std::vector<std::int32_t> got(7);
        keys_out.read(queue, got);
        EXPECT_EQ(got, (std::vector<std::int32_t>{9, 1, 1, 2, 1, 2, 1}));
        out.read(queue, got);
        EXPECT_EQ(got, (std::vector<std::int32_t>{9, 1, 1, 2, 6, 1, 1}));
        EXPECT_THROW(reduce_by_segment(policy, begin(keys), end(keys), begin(x), begin(keys_out),
                                       begin(out) + 4),
                     invalid_option);
        exclusive_scan_by_segment(policy, begin(keys), end(keys), begin(x), begin(x));
        x.read(queue, got);
        EXPECT_EQ(got, (std::vector<std::int32_t>{0, 0, 1, 0, 2, 4, 0}));
    });
}

#endif

}  // namespace
}  // namespace pointsman::test
