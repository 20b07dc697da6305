// SPDX-License-Identifier: Apache-2.0
// Algorithms read ranges that can be read once, and those without access by index, under every host policy.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <iterator>
#include <list>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "every_execution_policy.hpp"
#include "pointsman/algorithm/adjacent_difference.hpp"
#include "pointsman/algorithm/copy.hpp"
#include "pointsman/algorithm/copy_if.hpp"
#include "pointsman/algorithm/count.hpp"
#include "pointsman/algorithm/equal.hpp"
#include "pointsman/algorithm/exclusive_scan.hpp"
#include "pointsman/algorithm/find.hpp"
#include "pointsman/algorithm/for_each.hpp"
#include "pointsman/algorithm/includes.hpp"
#include "pointsman/algorithm/inclusive_scan.hpp"
#include "pointsman/algorithm/lexicographical_compare.hpp"
#include "pointsman/algorithm/merge.hpp"
#include "pointsman/algorithm/mismatch.hpp"
#include "pointsman/algorithm/partition_copy.hpp"
#include "pointsman/algorithm/reduce.hpp"
#include "pointsman/algorithm/remove_copy.hpp"
#include "pointsman/algorithm/remove_copy_if.hpp"
#include "pointsman/algorithm/replace_copy.hpp"
#include "pointsman/algorithm/set_union.hpp"
#include "pointsman/algorithm/transform.hpp"
#include "pointsman/algorithm/transform_reduce.hpp"
#include "pointsman/algorithm/unique_copy.hpp"

namespace pointsman::test {
namespace {

using testing::ElementsAre;
using word_list = std::vector<std::string>;

/// A range that can be read once.
class stream_of {
  public:
    explicit stream_of(const std::string& text) : in_{text} {}
    std::istream_iterator<std::string> begin() { return std::istream_iterator<std::string>{in_}; }
    static std::istream_iterator<std::string> end() { return {}; }

  private:
    std::istringstream in_;
};

/// A range that can be read more than once, but not by index.
class list_of {
  public:
    explicit list_of(const std::string& text) {
        stream_of all{text};
        values_.assign(all.begin(), all.end());
    }
    auto begin() const { return values_.begin(); }
    auto end() const { return values_.end(); }

  private:
    std::list<std::string> values_;
};

template <class Range>
class SinglePass : public testing::Test {};
using without_index = testing::Types<stream_of, list_of>;
TYPED_TEST_SUITE(SinglePass, without_index);

const auto is_b = [](const std::string& word) { return word == "b"; };

TYPED_TEST(SinglePass, ranges_are_copied_and_compacted) {
    under_host_policies([](const auto& policy) {
        const auto written = [&](const auto& algorithm) {
            TypeParam x{"a b b c"};
            word_list out(8);
            return word_list(out.begin(), algorithm(x.begin(), x.end(), out.begin()));
        };
        EXPECT_THAT(written([&](auto a, auto b, auto to) { return copy(policy, a, b, to); }),
                    ElementsAre("a", "b", "b", "c"));
        EXPECT_THAT(
            written([&](auto a, auto b, auto to) { return copy_if(policy, a, b, to, is_b); }),
            ElementsAre("b", "b"));
        EXPECT_THAT(
            written([&](auto a, auto b, auto to) { return remove_copy(policy, a, b, to, "b"); }),
            ElementsAre("a", "c"));
        EXPECT_THAT(written([&](auto a, auto b, auto to) {
                        return remove_copy_if(policy, a, b, to, is_b);
                    }),
                    ElementsAre("a", "c"));
        EXPECT_THAT(written([&](auto a, auto b, auto to) {
                        return replace_copy(policy, a, b, to, std::string{"b"}, std::string{"d"});
                    }),
                    ElementsAre("a", "d", "d", "c"));
        EXPECT_THAT(written([&](auto a, auto b, auto to) { return unique_copy(policy, a, b, to); }),
                    ElementsAre("a", "b", "c"));
        EXPECT_THAT(written([&](auto a, auto b, auto to) {
                        word_list others(8);
                        return partition_copy(policy, a, b, to, others.begin(), is_b).first;
                    }),
                    ElementsAre("b", "b"));
        EXPECT_THAT(written([&](auto a, auto b, auto to) {
                        return adjacent_difference(policy, a, b, to, std::plus{});
                    }),
                    ElementsAre("a", "ba", "bb", "cb"));
        EXPECT_THAT(written([&](auto a, auto b, auto to) {
                        return transform(policy, a, b, to,
                                         [](const std::string& s) { return s + s; });
                    }),
                    ElementsAre("aa", "bb", "bb", "cc"));
        EXPECT_THAT(written([&](auto a, auto b, auto to) {
                        return inclusive_scan(policy, a, b, to, std::plus{});
                    }),
                    ElementsAre("a", "ab", "abb", "abbc"));
        EXPECT_THAT(written([&](auto a, auto b, auto to) {
                        return exclusive_scan(policy, a, b, to, std::string{"0"}, std::plus{});
                    }),
                    ElementsAre("0", "0a", "0ab", "0abb"));
    });
}

TYPED_TEST(SinglePass, ranges_are_appended_to_containers) {
    under_host_policies([](const auto& policy) {
        const auto appended = [&](const auto& algorithm) {
            TypeParam x{"a b b c"};
            word_list out;
            algorithm(x.begin(), x.end(), std::back_inserter(out));
            return out;
        };
        EXPECT_THAT(appended([&](auto a, auto b, auto to) { copy(policy, a, b, to); }),
                    ElementsAre("a", "b", "b", "c"));
        EXPECT_THAT(appended([&](auto a, auto b, auto to) { copy_if(policy, a, b, to, is_b); }),
                    ElementsAre("b", "b"));
        EXPECT_THAT(
            appended([&](auto a, auto b, auto to) { remove_copy_if(policy, a, b, to, is_b); }),
            ElementsAre("a", "c"));
    });
}

TYPED_TEST(SinglePass, pairs_of_ranges_are_read) {
    under_host_policies([](const auto& policy) {
        const auto written = [&](const auto& algorithm) {
            TypeParam x{"a c e"};
            TypeParam y{"b c d"};
            word_list out(8);
            return word_list(out.begin(),
                             algorithm(x.begin(), x.end(), y.begin(), y.end(), out.begin()));
        };
        EXPECT_THAT(written([&](auto... all) { return merge(policy, all...); }),
                    ElementsAre("a", "b", "c", "c", "d", "e"));
        EXPECT_THAT(written([&](auto... all) { return set_union(policy, all...); }),
                    ElementsAre("a", "b", "c", "d", "e"));
        EXPECT_THAT(written([&](auto a, auto b, auto c, auto, auto to) {
                        return transform(policy, a, b, c, to, std::plus{});
                    }),
                    ElementsAre("ab", "cc", "ed"));
        const auto asked = [&](const auto& algorithm) {
            TypeParam x{"a c e"};
            TypeParam y{"a c d"};
            return algorithm(x.begin(), x.end(), y.begin(), y.end());
        };
        EXPECT_FALSE(asked([&](auto a, auto b, auto c, auto) { return equal(policy, a, b, c); }));
        EXPECT_FALSE(asked([&](auto... all) { return includes(policy, all...); }));
        EXPECT_FALSE(asked([&](auto... all) { return lexicographical_compare(policy, all...); }));
        const auto differ = [&](auto... all) { return *mismatch(policy, all...).second; };
        EXPECT_EQ(asked(differ), "d");
    });
}

TYPED_TEST(SinglePass, ranges_are_folded_and_searched) {
    under_host_policies([](const auto& policy) {
        const auto result = [&](const auto& algorithm) {
            TypeParam x{"a b b c"};
            return algorithm(x.begin(), x.end());
        };
        EXPECT_EQ(result([&](auto a, auto b) {
                      return reduce(policy, a, b, std::string{},
                                    [](auto x, auto y) { return x < y ? y : x; });
                  }),
                  "c");
        EXPECT_EQ(result([&](auto a, auto b) {
                      return transform_reduce(policy, a, b, 0, std::plus{},
                                              [](const std::string& s) { return s[0] - 'a'; });
                  }),
                  4);
        EXPECT_EQ(result([&](auto a, auto b) { return pointsman::count(policy, a, b, "b"); }), 2);
        EXPECT_EQ(result([&](auto a, auto b) { return *find(policy, a, b, "b"); }), "b");
        word_list seen;
        result([&](auto a, auto b) {
            for_each(policy, a, b, [&](const std::string& word) { seen.push_back(word); });
            return 0;
        });
        EXPECT_THAT(seen, ElementsAre("a", "b", "b", "c"));
    });
}

}  // namespace
}  // namespace pointsman::test
