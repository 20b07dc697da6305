// SPDX-License-Identifier: Apache-2.0
// search, search_n, find_end and find_first_of equal the standard algorithms under every policy.
// not under thread: ThreadSanitizer cannot see the synchronization inside oneTBB and libstdc++
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <forward_list>
#include <limits>
#include <string>
#include <vector>

#include "counting.hpp"
#include "every_execution_policy.hpp"
#include "pointsman/algorithm/find_end.hpp"
#include "pointsman/algorithm/find_first_of.hpp"
#include "pointsman/algorithm/search.hpp"
#include "pointsman/algorithm/search_n.hpp"
#include "random_values.hpp"

namespace pointsman::test {
namespace {

POINTSMAN_FUNCTION(bool, are_in_one_ten, (int32_t a, int32_t b), { return a / 10 == b / 10; });
POINTSMAN_FUNCTION(bool, is_twice, (double a, double b), { return a == 2 * b; });

template <class T>
class SearchSequences : public ExecutionPoliciesFor<T> {
  protected:
    random_values random;

    std::string message(const std::string& policy, std::size_t size, std::size_t length) const {
        return policy + ", size " + std::to_string(size) + ", length " + std::to_string(length) +
               ", " + random.seed();
    }

    /// Compares the searches for `sought` in `x` with the standard's.
    void check(const std::vector<T>& x, const std::vector<T>& sought) {
        const auto first = std::search(x.begin(), x.end(), sought.begin(), sought.end());
        const auto last = std::find_end(x.begin(), x.end(), sought.begin(), sought.end());
        const std::size_t few =
            std::min<std::size_t>(sought.size(), 40);  // each is compared with all
        const auto few_end = sought.begin() + static_cast<std::ptrdiff_t>(few);
        const auto any = std::find_first_of(x.begin(), x.end(), sought.begin(), few_end);
        this->under_policies([&](const auto& policy, const std::string& name) {
            const std::string message = this->message(name, x.size(), sought.size());
            EXPECT_EQ(search(policy, x.begin(), x.end(), sought.begin(), sought.end()), first)
                << message;
            EXPECT_EQ(find_end(policy, x.begin(), x.end(), sought.begin(), sought.end()), last)
                << message;
            EXPECT_EQ(find_first_of(policy, x.begin(), x.end(), sought.begin(), few_end), any)
                << message;
        });
    }
};

TYPED_TEST_SUITE(SearchSequences, few_types);

TYPED_TEST(SearchSequences, are_found_first_and_last_or_not_at_all) {
    for (const std::size_t size : algorithm_sizes) {
        const auto x = this->random.template of<TypeParam>(size, 3);
        for (const std::size_t length : {0, 1, 2, 5, 40}) {
            this->check(x, this->random.template of<TypeParam>(length, 3));
        }
        const auto quarter = static_cast<std::ptrdiff_t>(size / 4);
        this->check(x, {x.begin() + quarter, x.begin() + 3 * quarter});
        this->check(x, x);
        this->check(x, {TypeParam{77}, TypeParam{78}});
    }
}

TYPED_TEST(SearchSequences, of_one_value_are_found_by_search_n) {
    for (const std::size_t size : algorithm_sizes) {
        auto x = this->random.template of<TypeParam>(size, 3);
        for (std::size_t i = size / 2; i < size && i < size / 2 + 20; ++i) {
            x[i] = TypeParam{1};
        }
        const auto all = static_cast<std::ptrdiff_t>(size);
        for (const std::ptrdiff_t length :
             {std::ptrdiff_t{-1}, std::ptrdiff_t{0}, std::ptrdiff_t{1}, std::ptrdiff_t{4},
              std::ptrdiff_t{19}, all, all + 1}) {
            const auto expected = std::search_n(x.begin(), x.end(), length, TypeParam{1});
            this->under_policies([&](const auto& policy, const std::string& name) {
                EXPECT_EQ(search_n(policy, x.begin(), x.end(), length, TypeParam{1}), expected)
                    << this->message(name, size, static_cast<std::size_t>(length));
            });
        }
    }
}

using SearchSequencesOf = EveryExecutionPolicy;

TEST_F(SearchSequencesOf, values_alike_by_a_predicate_are_found) {
    const auto x = counting(70'000);
    const std::vector<std::int32_t> sought{60'000, 60'007, 60'003};
    const std::vector<float> halves{30'000, 30'000.5f};
    under_policies([&](const auto& policy, const std::string& name) {
        EXPECT_EQ(*search(policy, x.begin(), x.end(), sought.begin(), sought.end(), are_in_one_ten),
                  60'000)
            << name;
        EXPECT_EQ(
            *find_end(policy, x.begin(), x.end(), sought.begin(), sought.end(), are_in_one_ten),
            60'007)
            << name;
        EXPECT_EQ(*find_first_of(policy, x.begin(), x.end(), sought.begin(), sought.end(),
                                 are_in_one_ten),
                  60'000)
            << name;
        EXPECT_EQ(*search(policy, x.begin(), x.end(), halves.begin(), halves.end(), is_twice),
                  60'000)
            << name;
        EXPECT_EQ(*find_end(policy, x.begin(), x.end(), halves.begin(), halves.end(), is_twice),
                  60'000)
            << name;
        EXPECT_EQ(
            *find_first_of(policy, x.begin(), x.end(), halves.begin(), halves.end(), is_twice),
            60'000)
            << name;
        EXPECT_EQ(*search_n(policy, x.begin(), x.end(), 10, 60'001, are_in_one_ten), 60'000)
            << name;
    });
}

TEST_F(SearchSequencesOf, values_are_compared_in_their_own_type) {
    std::vector<float> x(70'000, 0.5f);
    x[60'000] = x[60'001] = 0;
    under_policies([&](const auto& policy, const std::string& name) {
        EXPECT_EQ(search_n(policy, x.begin(), x.end(), 2, 0) - x.begin(), 60'000) << name;
        EXPECT_EQ(search_n(policy, x.begin(), x.end(), std::int8_t{112}, 0), x.end()) << name;
    });
}

TEST_F(SearchSequencesOf, nan_are_never_found) {
    const std::vector<float> x(20'000, std::numeric_limits<float>::quiet_NaN());
    under_policies([&](const auto& policy, const std::string& name) {
        EXPECT_EQ(search(policy, x.begin(), x.end(), x.begin(), x.begin() + 2), x.end()) << name;
        EXPECT_EQ(find_end(policy, x.begin(), x.end(), x.begin(), x.end()), x.end()) << name;
        EXPECT_EQ(find_first_of(policy, x.begin(), x.end(), x.begin(), x.begin() + 2), x.end());
        EXPECT_EQ(search_n(policy, x.begin(), x.end(), 2, x[0]), x.end()) << name;
    });
}

TEST(SearchSequencesOfForwardIterators, are_found) {
    const auto values = counting(40'000);
    const std::forward_list<std::int32_t> x(values.begin(), values.end());
    const std::forward_list<std::int32_t> sought{30'000, 30'001};
    const auto check = [&](const auto& policy) {
        EXPECT_EQ(*search(policy, x.begin(), x.end(), sought.begin(), sought.end()), 30'000);
        EXPECT_EQ(*find_end(policy, x.begin(), x.end(), sought.begin(), sought.end()), 30'000);
        EXPECT_EQ(*find_first_of(policy, x.begin(), x.end(), sought.begin(), sought.end()), 30'000);
        EXPECT_EQ(*search_n(policy, x.begin(), x.end(), 1, 7), 7);
    };
    check(execution::seq);
    check(execution::unseq);
    check(execution::par);
    check(execution::par_unseq);
}

#ifndef POINTSMAN_WITHOUT_OPENCL

TEST_F(SearchSequencesOf, a_buffer_are_iterators_into_it) {
    on_every_device([&](const auto& policy) {
        const std::vector<std::int32_t> x{3, 1, 4, 1, 5, 1, 4, 4};
        const std::vector<std::int32_t> sought{1, 4};
        const opencl::buffer<std::int32_t> values{policy.queue(), x};
        const auto from = begin(values) + 2;
        EXPECT_EQ(search(policy, from, end(values), sought.begin(), sought.end()), from + 3);
        EXPECT_EQ(find_end(policy, begin(values), from + 1, sought.begin(), sought.end()),
                  begin(values) + 1);
        EXPECT_EQ(search_n(policy, from, end(values), 2, 4), from + 4);
        EXPECT_EQ(find_first_of(policy, from + 1, end(values), begin(values), begin(values) + 1),
                  end(values));
    });
}

#endif

}  // namespace
}  // namespace pointsman::test
