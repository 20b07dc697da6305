// SPDX-License-Identifier: Apache-2.0
// Executor traits: which types are executors, their kind, and the type of their shape.
#include "pointsman/executor/executor_traits.hpp"

#include <gtest/gtest.h>

#include <string>
#include <type_traits>

#include "pointsman/pointsman.hpp"

namespace pointsman::test {
namespace {

/// A user-defined executor with only the members that the concept requires.
struct minimal_executor {
    template <class F>
    void execute(F&& f) const {
        f();
    }
    friend bool operator==(const minimal_executor&, const minimal_executor&) = default;
};

struct small_shapes : minimal_executor {
    using shape_type = short;
    using index_type = unsigned char;
};

struct not_comparable {
    void execute(auto&& f) const { f(); }
};

/// A user-defined executor derived from inline_executor.
struct logging_executor : inline_executor<> {
    using inline_executor::inline_executor;
};
template <class Blocking, class ProtoAllocator>
struct template_of_logging_executors : arena_executor<Blocking, ProtoAllocator> {};

template <executor_instance_of<inline_executor> Executor>
std::string chosen_for(const Executor&) {
    return "inline";
}
template <executor_instance_of_any<arena_executor, openmp_executor> Executor>
std::string chosen_for(const Executor&) {
    return "parallel";
}

}  // namespace

TEST(ExecutorConcept, holds_for_every_provided_and_user_defined_executor) {
    static_assert(executor<inline_executor<>> && is_executor_v<unsequenced_executor<>>);
    static_assert(executor<arena_executor<blocking_t::never_t>>);
    static_assert(executor<openmp_executor<>> && executor<opencl_executor<>>);
    static_assert(executor<nested_executor<arena_executor<>, unsequenced_executor<>>>);
    static_assert(executor<minimal_executor> && executor<logging_executor>);
    static_assert(executor_of<inline_executor<>, void (*)()>);
}

TEST(ExecutorConcept, fails_for_types_that_cannot_be_compared_copied_or_called) {
    static_assert(!executor<int> && !executor<not_comparable> && !executor<arena>);
    static_assert(!is_executor_v<std::unique_ptr<int>>);
}

TEST(ExecutorTraits, recognise_the_kind_whatever_the_properties) {
    using never = arena_executor<blocking_t::never_t, std::allocator<int>>;
    static_assert(is_instance_of_v<never, arena_executor>);
    static_assert(!is_instance_of_v<never, inline_executor>);
    static_assert(is_instance_of_any_v<never, inline_executor, arena_executor>);
    static_assert(!is_instance_of_any_v<never, inline_executor, openmp_executor>);
    static_assert(!is_instance_of_v<int, arena_executor>);
}

TEST(ExecutorTraits, recognise_derived_executors) {
    static_assert(is_instance_of_v<logging_executor, inline_executor>);
    static_assert(
        is_instance_of_v<template_of_logging_executors<blocking_t::always_t, std::allocator<void>>,
                         arena_executor>);
    EXPECT_EQ(chosen_for(logging_executor{}), "inline");
    EXPECT_EQ(chosen_for(arena_executor<>{}), "parallel");
}

TEST(ExecutorTraits, say_which_executors_were_compiled_in) {
    static_assert(is_executor_available_v<inline_executor<>>);
    static_assert(is_executor_available_v<minimal_executor>);
    static_assert(!is_executor_available_v<int>);
#ifdef _OPENMP
    static_assert(available_executor<openmp_executor<>>);
#else
    static_assert(!available_executor<openmp_executor<>> && is_executor_v<openmp_executor<>>);
#endif
#ifdef POINTSMAN_WITHOUT_OPENCL
    static_assert(!available_executor<opencl_executor<>> && is_executor_v<opencl_executor<>>);
#else
    static_assert(available_executor<opencl_executor<>>);
#endif
}

TEST(ExecutorShape, is_a_size_unless_the_executor_says_otherwise) {
    static_assert(std::is_same_v<executor_shape_t<minimal_executor>, std::size_t>);
    static_assert(std::is_same_v<executor_index_t<minimal_executor>, std::size_t>);
    static_assert(std::is_same_v<executor_shape_t<small_shapes>, short>);
    static_assert(std::is_same_v<executor_index<small_shapes>::type, unsigned char>);
}

TEST(BulkExecute, runs_agents_in_order_on_an_executor_without_bulk_work) {
    std::string seen;
    bulk_execute(minimal_executor{}, [&](std::size_t i) { seen += std::to_string(i); }, 4);
    EXPECT_EQ(seen, "0123");
    int calls = 0;
    bulk_execute(
        small_shapes{},
        [&](auto i) {
            static_assert(std::is_same_v<decltype(i), unsigned char>);
            ++calls;
        },
        short{3});
    EXPECT_EQ(calls, 3);
}

TEST(OpenmpExecutor, refuses_zero_threads) {
#ifdef _OPENMP
    EXPECT_THROW(openmp_executor<>{0}, invalid_option);
    EXPECT_EQ(openmp_executor<>{3}.context(), openmp_team{3});
#else
    GTEST_SKIP() << "compiled without OpenMP";
#endif
}

TEST(InlineExecutor, keeps_the_order_of_the_indices) {
    std::string seen;
    inline_executor<>{}.bulk_execute([&](std::size_t i) { seen += std::to_string(i); }, 5);
    EXPECT_EQ(seen, "01234");
}

TEST(InlineExecutor, works_at_compile_time) {
    constexpr int sum = [] {
        int total = 0;
        bulk_execute(inline_executor<>{}, [&](std::size_t i) { total += static_cast<int>(i); }, 5);
        execute(unsequenced_executor<>{}, [&] { total *= 2; });
        return total;
    }();
    static_assert(sum == 20);
}

}  // namespace pointsman::test
