// SPDX-License-Identifier: Apache-2.0
// User-defined executors derived from the library's keep their type and state, or are refused.
#include <gtest/gtest.h>

#include <memory>
#include <type_traits>

#include "pointsman/pointsman.hpp"
#include "support/every_executor.hpp"

namespace pointsman::test {
namespace {

/// Overrides `execute` of its base and counts the calls.
template <class Base>
struct counting_executor : Base {
    using Base::Base;
    explicit counting_executor(const Base& counted) : Base{counted} {}
    template <class F>
    void execute(F&& f) const {
        ++*calls;
        pointsman::execute(static_cast<const Base&>(*this), std::forward<F>(f));
    }
    std::shared_ptr<int> calls = std::make_shared<int>(0);
    friend bool operator==(const counting_executor&, const counting_executor&) = default;
};

/// Has state, but no comparison of its own.
struct uncompared_executor : inline_executor<> {
    int level = 1;
};
struct stateless_executor : inline_executor<> {
    void execute(auto&& f) const { f(); }
};

/// Has its own require().
template <class Blocking>
struct own_executor : arena_executor<Blocking> {
    explicit own_executor(int level_, const arena& where = arena{1})
        : arena_executor<Blocking>{where}, level{level_} {}
    using arena_executor<Blocking>::query;
    [[nodiscard]] auto require(blocking_t::never_t) const {
        return own_executor<blocking_t::never_t>{level, this->context()};
    }
    int level;
    friend bool operator==(const own_executor&, const own_executor&) = default;
};

template <class Executor, class Property>
void expect_kept(const Executor& executor, const Property& property) {
    const auto preferred = prefer(executor, property);
    static_assert(std::is_same_v<decltype(preferred), const Executor>);
    EXPECT_EQ(preferred, executor);
    if constexpr (can_require_v<Executor, Property>) {
        const auto required = require(executor, property);
        static_assert(std::is_same_v<decltype(required), const Executor>);
        EXPECT_EQ(required, executor);
    }
}

}  // namespace

TEST(DerivedExecutor, keeps_its_override_and_its_state_under_each_property) {
    on_every_executor([]<class Executor>(const Executor& base) {
        const counting_executor<Executor> derived{base};
        expect_kept(derived, blocking.always);
        expect_kept(derived, blocking.never);
        expect_kept(derived, blocking.possibly);
        expect_kept(derived, mapping.thread);
        expect_kept(derived, mapping.new_thread);
        expect_kept(derived, mapping.other);
        expect_kept(derived, outstanding_work.tracked);
        expect_kept(derived, outstanding_work.untracked);
        expect_kept(derived, allocator(std::allocator<int>{}));
        execute(prefer(derived, blocking.never, allocator), [] {});
        EXPECT_EQ(*derived.calls, 1);
        static_assert(
            !can_require_v<counting_executor<Executor>, allocator_t<std::allocator<int>>>);
        static_assert(!can_require_v<counting_executor<Executor>, blocking_t::never_t>);
    });
}

TEST(DerivedExecutor, may_define_its_own_require) {
    const own_executor<blocking_t::always_t> executor{7};
    const auto never = require(executor, blocking.never);
    static_assert(std::is_same_v<decltype(never), const own_executor<blocking_t::never_t>>);
    EXPECT_EQ(never.level, 7);
    EXPECT_EQ(query(never, blocking), blocking.never);
    static_assert(!can_require_v<own_executor<blocking_t::always_t>, blocking_t::possibly_t>);
}

TEST(DerivedExecutor, is_refused_if_a_comparison_would_ignore_its_state) {
    static_assert(!std::equality_comparable<uncompared_executor> && !executor<uncompared_executor>);
    static_assert(!std::equality_comparable_with<uncompared_executor, inline_executor<>>);
    static_assert(executor<stateless_executor>);
    static_assert(executor<counting_executor<arena_executor<>>>);
    const counting_executor<inline_executor<>> one;
    const counting_executor<inline_executor<>> other;
    EXPECT_EQ(one, one);
    EXPECT_NE(one, other);
}

TEST(DerivedExecutor, of_any_executor_or_nested_executor_is_also_kept) {
    using any = any_executor<blocking_t, prefer_only<blocking_t::never_t>>;
    struct named_executor : any {
        explicit named_executor(const any& held) : any{held} {}
        int level = 3;
        bool operator==(const named_executor&) const = default;
    };
    const named_executor named{any{arena_executor<>{arena{1}}}};
    expect_kept(named, blocking.never);
}

}  // namespace pointsman::test
