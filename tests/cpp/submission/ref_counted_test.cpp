// SPDX-License-Identifier: Apache-2.0
// Long chains of objects that own one another are freed without deep recursion.
#include "pointsman/base/ref_counted.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "pointsman/dynamic_selection.hpp"
#include "support/counted.hpp"
#include "support/manual_work.hpp"

namespace pointsman::test {
namespace {

using detail::make_ref;
using detail::ref;
using detail::ref_counted;

constexpr int length = 300'000;

struct chained : ref_counted, counted<chained> {
    explicit chained(ref<chained> after) : next{std::move(after)} {}
    ref<chained> next;
};

TEST(RefCounted, frees_a_long_chain) {
    ref<chained> first;
    for (int i = 0; i < length; ++i) {
        first = make_ref<chained>(std::move(first));
    }
    EXPECT_EQ(chained::alive(), length);
    first = {};
    EXPECT_EQ(chained::alive(), 0);
}

TEST(RefCounted, frees_chains_that_branch) {
    struct tree : ref_counted, counted<tree> {
        std::vector<ref<tree>> branches;
    };
    ref<tree> root;
    for (int i = 0; i < length / 2; ++i) {
        auto next = make_ref<tree>();
        next->branches.push_back(make_ref<tree>());
        next->branches.push_back(std::move(root));
        root = std::move(next);
    }
    root = {};
    EXPECT_EQ(tree::alive(), 0);
}

TEST(RefCounted, is_not_shared_once_its_deletion_is_deferred) {
    struct looking : ref_counted {
        explicit looking(ref<looking> after, int& found) : next{std::move(after)}, shared{&found} {}
        ~looking() override {
            const looking* const watched = next.get();
            next = {};
            // At the greatest depth, the deletion of `next` is deferred.
            if (is_last && ref<const looking>::share_if_alive(watched)) {
                ++*shared;
            }
        }
        ref<looking> next;
        int* shared;
        bool is_last = false;
    };
    int shared = 0;
    ref<looking> first;
    std::vector<looking*> all;
    for (int i = 0; i < 33; ++i) {
        first = make_ref<looking>(std::move(first), shared);
        all.push_back(first.get());
    }
    all[1]->is_last = true;  // it is destroyed 32nd and defers the 33rd
    first = {};
    EXPECT_EQ(shared, 0);
}

/// A result that keeps the previous submission.
struct kept_result : calling_work {
    std::shared_ptr<void> before;
};

TEST(RefCounted, frees_a_long_chain_of_submissions_that_keep_one_another) {
    dynamic_load_policy p{std::vector{1}};
    std::shared_ptr<void> last;
    kept_result ended;
    ended.succeed();
    for (int i = 0; i < length / 4; ++i) {
        auto submission = p.submit([&](int) {
            kept_result result = ended;
            result.before = std::move(last);
            return result;
        });
        last = std::make_shared<decltype(submission)>(std::move(submission));
    }
    last.reset();
    EXPECT_EQ(p.loads(), std::vector<std::size_t>{0});
}

}  // namespace
}  // namespace pointsman::test
