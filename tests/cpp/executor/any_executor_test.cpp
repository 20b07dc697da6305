// SPDX-License-Identifier: Apache-2.0
// any_executor over executors of several types: running work, properties, copies and comparison.
#include "pointsman/executor/any_executor.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <memory>
#include <stdexcept>
#include <vector>

#include "pointsman/pointsman.hpp"
#include "support/every_executor.hpp"

namespace pointsman::test {
namespace {

struct level_t {
    static constexpr bool is_requirable = true;
    static constexpr bool is_preferable = true;
    using polymorphic_query_result_type = int;
    static constexpr int default_value() { return 0; }
    int level = 0;
};
struct levelled_executor : inline_executor<> {
    using inline_executor::query;
    using inline_executor::require;
    [[nodiscard]] int query(const level_t&) const { return level; }
    [[nodiscard]] levelled_executor require(const level_t& wanted) const {
        levelled_executor changed;
        changed.level = wanted.level;
        return changed;
    }
    int level = 1;
    friend bool operator==(const levelled_executor&, const levelled_executor&) = default;
};

using any_host_executor =
    any_executor<blocking_t, prefer_only<blocking_t::never_t>, occupancy_t, mapping_t>;

}  // namespace

TEST(AnyExecutor, runs_work_on_each_kind) {
    on_every_executor([](const auto& executor) {
        const any_host_executor any{executor};
        std::atomic<int> calls{0};
        execute(any, [&, held = std::make_unique<int>(3)] { calls += *held; }).wait();
        bulk_execute(any, [&](std::size_t) { ++calls; }, 100).wait();
        EXPECT_EQ(calls, 103);
        EXPECT_THROW(execute(any, [] { throw std::out_of_range{"on purpose"}; }).wait(),
                     std::out_of_range);
    });
}

TEST(AnyExecutor, has_the_properties_of_the_executor_it_holds) {
    const any_host_executor lanes{unsequenced_executor<>{}};
    EXPECT_EQ(query(lanes, mapping), mapping.other);
    EXPECT_EQ(query(lanes, occupancy), query(unsequenced_executor<>{}, occupancy));
    const any_host_executor cores{arena_executor<>{arena{3}}};
    EXPECT_EQ(query(cores, blocking), blocking.always);
    EXPECT_EQ(query(cores, occupancy), 3U);
    static_assert(!can_require_v<any_host_executor, blocking_t::never_t>);
}

TEST(AnyExecutor, may_prefer_a_property_that_its_executor_lacks) {
    const any_host_executor cores{arena_executor<>{arena{1}}};
    EXPECT_EQ(query(prefer(cores, blocking.never), blocking), blocking.never);
    const any_host_executor plain{inline_executor<>{}};
    EXPECT_EQ(prefer(plain, blocking.never), plain);
}

TEST(AnyExecutor, returns_a_handle_to_work_in_progress) {
    const any_host_executor cores{arena_executor<blocking_t::never_t>{arena{1}}};
    std::latch may_end{1};
    const any_handle handle = execute(cores, [&] { may_end.wait(); });
    EXPECT_FALSE(handle.is_ready());
    may_end.count_down();
    handle.wait();
    EXPECT_TRUE(handle.is_ready());
    EXPECT_TRUE(handle.outcome().succeeded);
    EXPECT_TRUE(execute(any_host_executor{inline_executor<>{}}, [] {}).is_ready());
}

TEST(AnyExecutor, can_require_properties_that_all_its_executors_support) {
    using background = any_executor<blocking_t, blocking_t::never_t, blocking_t::always_t>;
    const background cores{arena_executor<>{arena{1}}};
    static_assert(can_require_v<background, blocking_t::never_t, blocking_t::always_t>);
    const auto never = require(cores, blocking.never);
    static_assert(std::is_same_v<decltype(never), const background>);
    EXPECT_EQ(query(never, blocking), blocking.never);
    EXPECT_EQ(require(never, blocking.always), cores);
}

TEST(AnyExecutor, has_user_defined_properties) {
    using levelled = any_executor<level_t>;
    EXPECT_EQ(query(levelled{levelled_executor{}}, level_t{}), 1);
    EXPECT_EQ(query(require(levelled{levelled_executor{}}, level_t{7}), level_t{}), 7);
    using maybe_levelled = any_executor<prefer_only<level_t>>;
    EXPECT_EQ(query(prefer(maybe_levelled{inline_executor<>{}}, level_t{7}), level_t{}), 0);
}

TEST(AnyExecutor, has_no_property_that_is_not_in_its_list) {
    static_assert(!can_query_v<any_executor<>, blocking_t> &&
                  !can_query_v<any_executor<>, level_t>);
    static_assert(!can_require_v<any_executor<>, blocking_t::always_t>);
    using nested = nested_executor<any_executor<occupancy_t>, inline_executor<>>;
    static_assert(!can_query_v<nested, blocking_t> && can_query_v<nested, occupancy_t>);
    const any_executor<> kept =
        prefer(any_executor<>{arena_executor<blocking_t::never_t>{}}, blocking.always);
    EXPECT_EQ(kept.target_type(), typeid(arena_executor<blocking_t::never_t>));
}

TEST(AnyExecutor, may_run_nested_bulk_work_after_the_call_returns) {
    const any_executor<occupancy_t> cores{arena_executor<blocking_t::never_t>{arena{2}}};
    std::atomic<int> calls{0};
    std::latch may_begin{1};
    const any_handle work = bulk_execute(
        nested_executor{cores, inline_executor<>{}},
        [&, kept = std::make_shared<int>(1)](std::size_t) {
            may_begin.wait();
            calls += *kept;
        },
        100);
    EXPECT_FALSE(work.is_ready());
    may_begin.count_down();
    work.wait();
    EXPECT_EQ(calls, 100);
}

TEST(AnyExecutor, is_equal_if_it_holds_an_equal_executor) {
    const arena one{1};
    EXPECT_EQ(any_host_executor{arena_executor<>{one}}, any_host_executor{arena_executor<>{one}});
    EXPECT_NE(any_host_executor{arena_executor<>{one}},
              any_host_executor{arena_executor<>{arena{1}}});
    EXPECT_NE(any_host_executor{arena_executor<>{one}}, any_host_executor{inline_executor<>{}});
}

TEST(AnyExecutor, returns_the_executor_it_holds) {
    const any_host_executor any{inline_executor<>{}};
    EXPECT_NE(any.target<inline_executor<>>(), nullptr);
    EXPECT_EQ(any.target<arena_executor<>>(), nullptr);
    EXPECT_EQ(any.target_type(), typeid(inline_executor<>));
}

TEST(AnyExecutor, may_hold_nothing) {
    any_host_executor any;
    EXPECT_FALSE(any);
    EXPECT_TRUE(any == nullptr && any == any_host_executor{nullptr});
    EXPECT_EQ(any.target_type(), typeid(void));
    EXPECT_EQ(any.target<inline_executor<>>(), nullptr);
    EXPECT_THROW(execute(any, [] {}), empty_executor);
    EXPECT_THROW(bulk_execute(any, [](std::size_t) {}, 1), std::logic_error);
    EXPECT_THROW(static_cast<void>(query(any, occupancy)), empty_executor);
    EXPECT_THROW(static_cast<void>(prefer(any, blocking.never)), empty_executor);
    any = inline_executor<>{};
    EXPECT_TRUE(any && any != nullptr && any != any_host_executor{});
    execute(any, [] {}).wait();
    any = nullptr;
    EXPECT_EQ(any, any_host_executor{});
    EXPECT_FALSE(any_executor<occupancy_t>{any});
}

TEST(AnyExecutor, moves_and_swaps_without_copying_the_executor_it_holds) {
    static_assert(std::is_nothrow_move_constructible_v<any_host_executor> &&
                  std::is_nothrow_move_assignable_v<any_host_executor> &&
                  std::is_nothrow_copy_constructible_v<any_host_executor> &&
                  std::is_nothrow_swappable_v<any_host_executor>);
    any_host_executor a{inline_executor<>{}};
    const auto* const held = a.target<inline_executor<>>();
    any_host_executor b{std::move(a)};
    EXPECT_EQ(b.target<inline_executor<>>(), held);
    EXPECT_FALSE(a);  // NOLINT(bugprone-use-after-move)
    swap(a, b);
    EXPECT_EQ(a.target<inline_executor<>>(), held);
    auto& same = a;
    a = std::move(same);
    b = a;
    EXPECT_EQ(b, a);
    EXPECT_EQ(b.target<inline_executor<>>(), held);
}

TEST(AnyExecutor, unwraps_an_any_executor_with_a_longer_list) {
    using longer = any_executor<blocking_t, blocking_t::never_t, blocking_t::always_t, occupancy_t>;
    using shorter = any_executor<blocking_t, blocking_t::never_t>;
    const arena_executor<> cores{arena{3}};
    const shorter narrowed{longer{cores}};
    EXPECT_EQ(narrowed.target_type(), typeid(arena_executor<>));
    ASSERT_NE(narrowed.target<arena_executor<>>(), nullptr);
    EXPECT_EQ(*narrowed.target<arena_executor<>>(), cores);
    EXPECT_EQ(narrowed, shorter{cores});
    const shorter never = require(narrowed, blocking.never);
    EXPECT_EQ(query(never, blocking), blocking.never);
    EXPECT_EQ(never, require(shorter{cores}, blocking.never));
    EXPECT_EQ(never.target_type(), typeid(arena_executor<blocking_t::never_t>));
    const any_executor<> bare{never};
    EXPECT_EQ(bare.target_type(), typeid(arena_executor<blocking_t::never_t>));
    std::atomic<int> calls{0};
    execute(bare, [&] { ++calls; }).wait();
    bulk_execute(bare, [&](std::size_t) { ++calls; }, 5).wait();
    EXPECT_EQ(calls, 6);
}

TEST(AnyExecutor, supports_a_value_if_its_property_is_listed_and_vice_versa) {
    using by_property = any_executor<blocking_t>;
    const arena_executor<blocking_t::never_t> background{arena{1}};
    EXPECT_EQ(query(by_property{background}, blocking.never), blocking.never);
    EXPECT_EQ(query(by_property{background}, blocking.always), blocking.never);
    EXPECT_EQ(by_property{background}.query(blocking.always), blocking.never);
    using by_value = any_executor<blocking_t::never_t>;
    EXPECT_EQ(query(by_value{background}, blocking), blocking.never);
    EXPECT_EQ(query(by_value{background}, blocking.always), blocking.never);
}

TEST(AnyExecutor, mixes_kinds_in_a_policy) {
    round_robin_policy<any_host_executor> policy{
        {inline_executor<>{}, arena_executor<blocking_t::never_t>{arena{1}}}};
    std::atomic<int> calls{0};
    for (int i = 0; i < 10; ++i) {
        policy.submit_and_wait([&](const any_host_executor& executor) {
            return bulk_execute(executor, [&](std::size_t) { ++calls; }, 10);
        });
    }
    EXPECT_EQ(calls, 100);
}

}  // namespace pointsman::test
