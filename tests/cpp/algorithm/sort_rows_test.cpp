// SPDX-License-Identifier: Apache-2.0
// Sorts of the rows of a zip_iterator equal the standard's of tuples under parallel and device policies.
// not under thread: ThreadSanitizer cannot see the synchronization inside oneTBB and libstdc++
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <tuple>
#include <vector>

#include "every_execution_policy.hpp"
#include "pointsman/algorithm/function.hpp"
#include "pointsman/algorithm/nth_element.hpp"
#include "pointsman/algorithm/partial_sort.hpp"
#include "pointsman/algorithm/partial_sort_copy.hpp"
#include "pointsman/algorithm/sort_by_key.hpp"
#include "pointsman/algorithm/stable_sort.hpp"
#include "pointsman/algorithm/structure.hpp"
#include "pointsman/algorithm/zip_iterator.hpp"
#include "pointsman/execution/auto_policy.hpp"
#include "random_values.hpp"
#include "sorted_values.hpp"
#ifndef POINTSMAN_WITHOUT_OPENCL
#include "pointsman/resource/opencl/buffer.hpp"
#endif

namespace pointsman::test {
namespace {

POINTSMAN_STRUCT(priced, {
    int32_t kind;
    float price;
});
POINTSMAN_FUNCTION(bool, is_cheaper, (priced a, priced b), { return a.price < b.price; });

/// Two columns of a table.
struct table {
    std::vector<std::int32_t> kinds;
    std::vector<float> prices;

    table(random_values& random, std::size_t size)
        : kinds{few_values<std::int32_t>(random, size, 20)},
          prices{few_values<float>(random, size, 20)} {}
    /// The rows of a sorted table.
    explicit table(const std::vector<std::tuple<std::int32_t, float>>& rows) {
        for (const auto& [kind, price] : rows) {
            kinds.push_back(kind);
            prices.push_back(price);
        }
    }

    [[nodiscard]] auto begin() { return zip_iterator{kinds.begin(), prices.begin()}; }
    [[nodiscard]] auto end() { return begin() + std::ssize(kinds); }
    [[nodiscard]] std::vector<std::tuple<std::int32_t, float>> rows() const {
        std::vector<std::tuple<std::int32_t, float>> all;
        for (std::size_t i = 0; i < kinds.size(); ++i) {
            all.emplace_back(kinds[i], prices[i]);
        }
        return all;
    }
    bool operator==(const table&) const = default;
};

/// A table whose rows `compare` has sorted stably.
template <class Compare>
table sorted_table(const table& all, Compare compare) {
    auto rows = all.rows();
    std::ranges::stable_sort(rows, compare);
    return table{rows};
}

using SortRows = ParallelAndDevicePolicies;

TEST_F(SortRows, of_a_zip_iterator_keeps_the_order_of_equivalent_rows) {
    random_values random;
    for (const std::size_t size : moderate_sizes) {
        table all{random, size};
        const auto check = [&](const auto& compare) {
            const table expected = sorted_table(all, compare);
            under_policies([&](const auto& policy, const std::string& name) {
                SCOPED_TRACE(name + ", size " + std::to_string(size) + ", " + random.seed());
                table sorted = all;
                stable_sort(policy, sorted.begin(), sorted.end(), compare);
                EXPECT_TRUE(sorted == expected);
            });
        };
        check(less{});
        check(greater{});
        check(std::greater<>{});
        check(is_cheaper);
    }
}

TEST_F(SortRows, puts_the_least_rows_first) {
    random_values random;
    const std::size_t size = 5000;
    table all{random, size};
    const table expected = sorted_table(all, less{});
    under_policies([&](const auto& policy, const std::string& name) {
        SCOPED_TRACE(name + random.seed());
        const auto starts_as_expected = [&](const table& sorted) {
            return std::equal(sorted.kinds.begin(), sorted.kinds.begin() + 2000,
                              expected.kinds.begin()) &&
                   std::equal(sorted.prices.begin(), sorted.prices.begin() + 2000,
                              expected.prices.begin());
        };
        table sorted = all;
        partial_sort(policy, sorted.begin(), sorted.begin() + 2000, sorted.end());
        EXPECT_TRUE(starts_as_expected(sorted));
        sorted = all;
        nth_element(policy, sorted.begin(), sorted.begin() + 1999, sorted.end());
        EXPECT_EQ(sorted.rows()[1999], expected.rows()[1999]);
        table copied{random, 2000};
        partial_sort_copy(policy, all.begin(), all.end(), copied.begin(), copied.end());
        EXPECT_TRUE(starts_as_expected(copied));
    });
}

TEST_F(SortRows, takes_them_as_keys_and_as_values) {
    random_values random;
    for (const std::size_t size : moderate_sizes) {
        table all{random, size};
        const auto order_of = [&](const auto& compare) {
            auto order = indices(size);
            const auto rows = all.rows();
            std::ranges::stable_sort(order, [&](std::int32_t a, std::int32_t b) {
                return compare(rows[std::size_t(a)], rows[std::size_t(b)]);
            });
            return order;
        };
        const auto by_price = order_of(is_cheaper);
        const auto falling = order_of(greater{});
        auto kinds_by_tens = indices(size);
        std::ranges::stable_sort(kinds_by_tens, [&](std::int32_t a, std::int32_t b) {
            return has_less_tens(all.kinds[std::size_t(a)], all.kinds[std::size_t(b)]);
        });
        under_policies([&](const auto& policy, const std::string& name) {
            SCOPED_TRACE(name + ", size " + std::to_string(size) + ", " + random.seed());
            table keys = all;
            auto values = indices(size);
            sort_by_key(policy, keys.begin(), keys.end(), values.begin(), is_cheaper);
            EXPECT_TRUE(keys == sorted_table(all, is_cheaper));
            EXPECT_EQ(values, by_price);

            keys = all;
            values = indices(size);
            std::vector<double> wide(values.begin(), values.end());
            sort_by_key(policy, keys.begin(), keys.end(),
                        zip_iterator{wide.begin(), values.begin()}, greater{});
            EXPECT_TRUE(keys == sorted_table(all, greater{}));
            EXPECT_EQ(values, falling);
            EXPECT_TRUE(std::ranges::equal(wide, falling));

            table of_keys = all;
            values = indices(size);
            sort_by_key(policy, of_keys.kinds.begin(), of_keys.kinds.end(),
                        zip_iterator{values.begin(), of_keys.prices.begin()}, has_less_tens);
            EXPECT_EQ(values, kinds_by_tens);
            for (std::size_t i = 0; i < size; ++i) {
                const auto from = std::size_t(kinds_by_tens[i]);
                EXPECT_EQ(of_keys.kinds[i], all.kinds[from]);
                EXPECT_EQ(of_keys.prices[i], all.prices[from]);
            }
        });
    }
}

#ifndef POINTSMAN_WITHOUT_OPENCL
TEST_F(SortRows, of_the_middle_of_buffers_changes_no_others) {
    random_values random;
    for (const std::size_t size : sizes_of_parts) {
        table all{random, size + 8};
        auto rows = all.rows();
        std::stable_sort(rows.begin() + 3, rows.end() - 5, is_cheaper);
        const table expected{rows};
        on_every_device([&](const auto& policy) {
            const opencl::buffer<std::int32_t> kinds{policy.queue(), all.kinds};
            const opencl::buffer<float> prices{policy.queue(), all.prices};
            const zip_iterator first{begin(kinds), begin(prices)};
            stable_sort(policy, first + 3, first + 3 + std::ptrdiff_t(size), is_cheaper);
            EXPECT_EQ(values_of(policy.queue(), kinds), expected.kinds) << random.seed();
            EXPECT_EQ(values_of(policy.queue(), prices), expected.prices) << random.seed();
        });
    }
}

TEST_F(SortRows, of_buffers_run_on_their_device_under_auto_policy) {
    random_values random;
    const execution::auto_policy anywhere;
    const table all{random, 3000};
    const table expected = sorted_table(all, is_cheaper);
    on_every_device([&](const auto& policy) {
        const opencl::buffer<std::int32_t> kinds{policy.queue(), all.kinds};
        const opencl::buffer<float> prices{policy.queue(), all.prices};
        const zip_iterator first{begin(kinds), begin(prices)};
        stable_sort(anywhere, first, first + 3000, is_cheaper);
        EXPECT_EQ(values_of(policy.queue(), kinds), expected.kinds) << random.seed();
        EXPECT_EQ(values_of(policy.queue(), prices), expected.prices) << random.seed();
    });
}
#endif

}  // namespace
}  // namespace pointsman::test
