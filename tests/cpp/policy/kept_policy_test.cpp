// SPDX-License-Identifier: Apache-2.0
// Submissions keep their policy alive, and a policy may be destroyed by the callable it runs.
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "pointsman/dynamic_selection.hpp"
#include "support/counted.hpp"
#include "support/eventually.hpp"
#include "support/every_policy.hpp"
#include "support/manual_work.hpp"
#include "support/on_threads.hpp"

namespace pointsman::test {
namespace {

struct counted_resource : counted<counted_resource> {};
const std::vector<int> two_resources{4, 5};

template <class Kind>
struct KeptPolicy : ::testing::Test {
    using over_ints = typename Kind::template policy<int>;
    using counted_policy = typename Kind::template policy<counted_resource>;
};
TYPED_TEST_SUITE(KeptPolicy, combined_policy_kinds, kind_names);

TYPED_TEST(KeptPolicy, is_returned_by_submissions_of_values) {
    std::optional p{TypeParam::over(two_resources)};
    auto s = p->submit([](int r) { return r; });
    p.reset();
    EXPECT_EQ(s.get_policy().get_resources(), two_resources);
    EXPECT_EQ(s.get_policy().submit([](int) { return 7; }).unwrap(), 7);
}

TYPED_TEST(KeptPolicy, is_returned_by_submissions_of_work_and_of_void_functions) {
    std::optional p{TypeParam::over(two_resources)};
    calling_work work;
    auto going_on = p->submit([&](int) { return work; });
    auto nothing = p->submit([](int) {});
    auto tried = p->try_submit([](int) {});
    auto selected = pointsman::submit(p->select([](int) {}), [](int) {});
    p.reset();
    EXPECT_EQ(going_on.get_policy().get_resources(), two_resources);
    work.succeed();
    going_on.wait();
    EXPECT_EQ(going_on.get_policy().get_resources(), two_resources);
    EXPECT_EQ(nothing.get_policy().get_resources(), two_resources);
    EXPECT_EQ(tried->get_policy().get_resources(), two_resources);
    EXPECT_EQ(selected.get_policy().get_resources(), two_resources);
}

TYPED_TEST(KeptPolicy, shares_its_state_while_there_is_a_copy) {
    std::optional p{TypeParam::over(two_resources)};
    auto s = p->submit([](int) {});
    auto copy = *p;
    p.reset();
    s.get_policy().initialize(std::vector{6});
    EXPECT_EQ(copy.get_resources(), std::vector{6});
}

TYPED_TEST(KeptPolicy, is_destroyed_with_the_last_copy_of_the_last_submission) {
    using policy = typename TestFixture::counted_policy;
    {
        std::optional<policy> p{std::vector<counted_resource>(2)};
        auto s = std::make_optional(p->submit([](const counted_resource&) { return 7; }));
        auto copy = s;
        auto moved = std::move(copy);
        p.reset();
        s.reset();
        EXPECT_EQ(moved->get_policy().get_resources().size(), 2U);
        EXPECT_GT(counted_resource::alive(), 0);
        moved.reset();
        EXPECT_EQ(counted_resource::alive(), 0);
    }
    EXPECT_EQ(counted_resource::alive(), 0);
}

TYPED_TEST(KeptPolicy, may_be_destroyed_by_its_own_callable) {
    using policy = typename TestFixture::counted_policy;
    calling_work work;
    {
        std::optional<policy> p{std::vector<counted_resource>(2)};
        auto s = p->submit([&](const counted_resource&) {
            p.reset();
            return work;
        });
        EXPECT_EQ(s.get_policy().get_resources().size(), 2U);
        p.emplace(std::vector<counted_resource>(1));
        EXPECT_THROW(p->submit([&](const counted_resource&) -> int {
            p.reset();
            throw 1;
        }),
                     int);
        p.emplace(std::vector<counted_resource>(1));
        EXPECT_TRUE(p->try_submit([&](const counted_resource&) { p.reset(); }));
        work.succeed();
    }
    EXPECT_EQ(counted_resource::alive(), 0);
}

/// Threads pass submissions on to each other while their policies are destroyed.
TYPED_TEST(KeptPolicy, is_freed_once_whichever_thread_drops_the_last_submission) {
    using policy = typename TestFixture::counted_policy;
    using submission =
        decltype(std::declval<policy&>().submit([](const counted_resource&) { return 7; }));
    const unsigned seed = std::random_device{}();
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mutex mutex;
    std::vector<std::optional<submission>> passed(16);
    on_threads(7, [&](int thread) {
        std::minstd_rand random{seed + static_cast<unsigned>(thread)};
        for (int i = 0; i < 50; ++i) {
            policy p{std::vector<counted_resource>(2)};
            for (int n = 0; n < 4; ++n) {
                std::optional mine{p.submit([](const counted_resource&) { return 7; })};
                auto copy = mine;
                const std::lock_guard lock{mutex};
                passed[random() % passed.size()].swap(mine);
            }
            std::optional<submission> other;
            {
                const std::lock_guard lock{mutex};
                other.swap(passed[random() % passed.size()]);
            }
            if (other) {
                EXPECT_EQ(other->get_policy().get_resources().size(), 2U);
            }
        }
    });
    passed.clear();
    EXPECT_EQ(counted_resource::alive(), 0);
}

/// Counts its choices in its own member.
class counting_policy : public policy_base<counting_policy, identity, default_backend<int>> {
    using base = policy_base<counting_policy, identity, default_backend<int>>;

  public:
    explicit counting_policy(const std::vector<int>& resources) { base::initialize(resources); }
    template <class... Task>
    std::optional<selection_type> try_select_impl(const Task&...) {
        ++*chosen;
        return selection_type{*this, this->get_resources().front()};
    }
    std::shared_ptr<int> chosen = std::make_shared<int>(0);
};

TEST(UserDefinedKeptPolicy, is_a_copy) {
    std::optional<counting_policy> p{two_resources};
    auto s = p->submit([](int r) { return r; });
    auto during = p->submit([&](int r) {
        p.reset();
        return r;
    });
    EXPECT_EQ(*s.get_policy().chosen, 2);
    EXPECT_EQ(during.get_policy().get_resources(), two_resources);
    EXPECT_EQ(during.unwrap(), 4);
}

}  // namespace
}  // namespace pointsman::test
