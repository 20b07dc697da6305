// SPDX-License-Identifier: Apache-2.0
// Custom policies, deferred initialisation and the lifetime of selections.
#include "pointsman/policy/policy_base.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "pointsman/dynamic_selection.hpp"
#include "support/eventually.hpp"
#include "support/message_of.hpp"

namespace {

namespace t = pointsman::test;

/// A policy as in oneDPL's document: a selection rule, its own members, a shared_ptr handle.
template <class Resource>
class dice_policy : public pointsman::policy_base<dice_policy<Resource>, pointsman::identity,
                                                  pointsman::default_backend<Resource>> {
    using base = pointsman::policy_base<dice_policy, pointsman::identity,
                                        pointsman::default_backend<Resource>>;

  public:
    using typename base::resource_type;
    using typename base::selection_type;
    explicit dice_policy(const std::vector<Resource>& resources) { base::initialize(resources); }

    void initialize_impl() { resources_ = base::get_resources(); }

    template <class... Args>
    std::shared_ptr<selection_type> select_impl(Args&&...) {
        std::uniform_int_distribution<std::size_t> any(0, resources_.size() - 1);
        return std::make_shared<selection_type>(*this, resources_[any(generator_)]);
    }

  private:
    std::vector<Resource> resources_;
    std::mt19937 generator_{7};
};

TEST(CustomPolicy, needs_its_selection_rule_and_nothing_else) {
    dice_policy<int> p{{1, 2, 3}};
    static_assert(pointsman::policy<dice_policy<int>>);
    std::vector<int> counts(4);
    for (int i = 0; i < 3000; ++i) {
        ++counts[static_cast<std::size_t>(pointsman::submit(p, [](int r) { return r; }).unwrap())];
    }
    for (std::size_t r = 1; r <= 3; ++r) {
        EXPECT_GT(counts[r], 850) << "resource " << r;
    }
    pointsman::submit_and_wait(p, [](int) {});
    EXPECT_TRUE(pointsman::try_submit(p, [](int) {}).has_value());
    EXPECT_EQ(pointsman::get_resources(p), (std::vector{1, 2, 3}));
    pointsman::wait(pointsman::get_submission_group(p));
}

/// Has one resource, which the test marks as free or busy.
class gated_policy : public pointsman::policy_base<gated_policy, pointsman::identity,
                                                   pointsman::default_backend<int>> {
    using base =
        pointsman::policy_base<gated_policy, pointsman::identity, pointsman::default_backend<int>>;

  public:
    using base::selection_type;
    explicit gated_policy(std::atomic<bool>& open) : open_{open} {
        base::initialize(std::vector{1});
    }
    template <class... Args>
    std::optional<selection_type> try_select_impl(Args&&...) {
        ++attempts;
        return open_ ? std::optional{selection_type{*this, 1}} : std::nullopt;
    }
    std::atomic<int> attempts{0};

  private:
    std::atomic<bool>& open_;
};

TEST(CustomPolicy, try_submit_is_empty_when_no_resource_is_free) {
    std::atomic<bool> open{false};
    gated_policy p{open};
    EXPECT_FALSE(pointsman::try_submit(p, [](int r) { return r; }).has_value());
    open = true;
    EXPECT_EQ(pointsman::try_submit(p, [](int r) { return r; })->unwrap(), 1);
}

TEST(CustomPolicy, submit_waits_until_it_is_notified_of_a_free_resource) {
    std::atomic<bool> open{false};
    gated_policy p{open};
    std::atomic<int> result{0};
    std::jthread submitter{[&] { result = p.submit([](int r) { return r; }).unwrap(); }};
    ASSERT_TRUE(t::eventually([&] { return p.attempts > 1; }));
    EXPECT_EQ(result, 0);
    open = true;
    p.notify();
    submitter.join();
    EXPECT_EQ(result, 1);
}

template <class Policy>
struct DeferredInitialization : ::testing::Test {};
using Policies =
    ::testing::Types<pointsman::fixed_resource_policy<int>, pointsman::round_robin_policy<int>,
                     pointsman::dynamic_load_policy<int>, pointsman::auto_tune_policy<int>>;
TYPED_TEST_SUITE(DeferredInitialization, Policies);

TYPED_TEST(DeferredInitialization, makes_every_use_before_initialize_an_error) {
    TypeParam p{pointsman::deferred_initialization};
    const std::string expected =
        "the policy has no resources yet: call initialize() before the first submission";
    auto f = [](int) {};
    EXPECT_EQ(t::message_of<std::logic_error>([&] { p.submit(f); }), expected);
    EXPECT_EQ(t::message_of<std::logic_error>([&] { p.submit_and_wait(f); }), expected);
    EXPECT_EQ(t::message_of<std::logic_error>([&] { static_cast<void>(p.try_submit(f)); }),
              expected);
    EXPECT_EQ(t::message_of<std::logic_error>([&] { static_cast<void>(p.select(f)); }), expected);
    EXPECT_EQ(t::message_of<std::logic_error>([&] { static_cast<void>(p.get_resources()); }),
              expected);
    EXPECT_EQ(t::message_of<std::logic_error>([&] { static_cast<void>(p.get_submission_group()); }),
              expected);
}

TYPED_TEST(DeferredInitialization, ends_with_initialize_for_all_copies) {
    TypeParam p{pointsman::deferred_initialization};
    auto copy = p;
    p.initialize({4, 5});
    EXPECT_EQ(copy.get_resources(), (std::vector{4, 5}));
    EXPECT_EQ(copy.submit([](int r) { return r; }).unwrap(), 4);
}

TYPED_TEST(DeferredInitialization, keeps_the_old_set_when_initialize_fails) {
    TypeParam p{std::vector{4, 5}};
    EXPECT_THROW(p.initialize(std::vector<int>{}), pointsman::empty_resource_set);
    EXPECT_EQ(p.get_resources(), (std::vector{4, 5}));
}

template <class Policy>
struct SelectionLifetime : ::testing::Test {};
TYPED_TEST_SUITE(SelectionLifetime, Policies);

TYPED_TEST(SelectionLifetime, returns_the_policy_on_demand) {
    TypeParam p{std::vector{4, 5}};
    auto s = p.select([](int) {});
    static_assert(pointsman::selection<decltype(s)>);
    auto same = s.policy();
    same.initialize({6});
    EXPECT_EQ(p.get_resources(), std::vector{6}) << "the returned policy shares its state";
    EXPECT_EQ(s.unwrap(), 4) << "the selection keeps its own set";
}

TYPED_TEST(SelectionLifetime, may_exceed_that_of_the_policy) {
    auto p = std::make_unique<TypeParam>(std::vector{4, 5});
    auto s = p->select([](int) {});
    p.reset();
    EXPECT_EQ(pointsman::submit(s, [](int r) { return r; }).unwrap(), 4);
    EXPECT_EQ(s.policy().get_resources(), (std::vector{4, 5}));
}

TYPED_TEST(SelectionLifetime, submissions_return_their_policy) {
    TypeParam p{std::vector{4, 5}};
    auto s = p.submit([](int r) { return r; });
    EXPECT_EQ(s.get_policy().get_resources(), (std::vector{4, 5}));
}

/// A backend with an empty set of resources.
struct bare_backend {
    using resource_type = int;
    explicit bare_backend() = default;
    std::vector<int> get_resources() const { return {}; }
    template <class Selection, class F>
    auto submit(Selection selection, F&& f) {
        return pointsman::default_submission{std::forward<F>(f)(selection.unwrap())};
    }
};

template <bool AcceptsEmptySet>
class bare_policy : public pointsman::policy_base<bare_policy<AcceptsEmptySet>, pointsman::identity,
                                                  bare_backend> {
  public:
    static constexpr bool accepts_empty_set = AcceptsEmptySet;
    bare_policy() { this->initialize(); }
    auto try_select_impl(const auto&...) {
        return std::optional{typename bare_policy::selection_type{*this, 9}};
    }
};

TEST(CustomPolicy, may_accept_an_empty_set_from_its_backend) {
    EXPECT_THROW(bare_policy<false>{}, pointsman::empty_resource_set);
    bare_policy<true> p;
    EXPECT_TRUE(p.get_resources().empty());
    EXPECT_EQ(p.submit([](int r) { return r; }).unwrap(), 9);
}

}  // namespace
