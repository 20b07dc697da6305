// SPDX-License-Identifier: Apache-2.0
// A submission that fails in the middle leaves no load: when an allocation fails (this program has its own
// operators new), and when a user-defined callable or its work throws.
// link: -pthread
#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <future>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include "support/every_policy.hpp"
#include "support/manual_work.hpp"

namespace {

/// How many allocations of this thread succeed before one fails; none fails if negative.
constinit thread_local long successes_left = -1;
/// While true, allocations fail in every thread that is not of the test, such as the watcher.
std::atomic<bool> others_fail{false};
constinit thread_local bool is_of_the_test = false;

void* allocate(std::size_t size, std::size_t alignment) {
    if ((successes_left >= 0 && successes_left-- == 0) || (others_fail && !is_of_the_test)) {
        throw std::bad_alloc{};
    }
    const std::size_t whole = (size + alignment) / alignment * alignment;
    if (void* const memory = std::aligned_alloc(alignment, whole)) {
        return memory;
    }
    throw std::bad_alloc{};
}

// Not inlined: the compiler would warn that this does not match `new`.
[[gnu::noinline]] void deallocate(void* memory) noexcept { std::free(memory); }

}  // namespace

// The other forms of new and delete call these.
void* operator new(std::size_t size) { return allocate(size, alignof(std::max_align_t)); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
    try {
        return ::operator new(size);
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}
void* operator new(std::size_t size, std::align_val_t alignment) {
    return allocate(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept { deallocate(memory); }
void operator delete(void* memory, std::size_t) noexcept { deallocate(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { deallocate(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { deallocate(memory); }

namespace pointsman::test {
namespace {

/// Work that throws when asked for its completion kind.
struct puzzling_work : calling_work {};
struct rung_not_found {};

}  // namespace
}  // namespace pointsman::test

template <>
struct pointsman::waitable_traits<pointsman::test::puzzling_work> {
    using work = pointsman::test::puzzling_work;
    static waitable_rung rung(const work&) { throw pointsman::test::rung_not_found{}; }
    static void wait(work& of) { of.wait(); }
};

namespace pointsman::test {
namespace {

struct placement_refused {};

/// A task that throws when it is notified of its selection.
struct unplaced_task {
    int operator()(int resource) const { return resource; }
    template <class Selection>
    void placed_by(const Selection&) const {
        throw placement_refused{};
    }
};

template <class Policy>
void expect_nothing_outstanding(Policy& p) {
    p.get_submission_group().wait();
    if constexpr (requires { p.loads(); }) {
        EXPECT_EQ(p.loads(), std::vector<std::size_t>(2));
    }
}

/// Calls `use(policy)` with new policies of each kind, each on a new thread, which has no pooled memory. The
/// n-th call runs with the n-th allocation failing, until none fails. After each call, `end()` completes the
/// submitted work.
template <class Use, class End>
void with_each_allocation_failing(Use use, End end) {
    on_every_kind([&](auto kind) {
        long failed = 0;
        for (bool was_one_left = true; was_one_left; ++failed) {
            ASSERT_LT(failed, 100) << "does not finish";
            auto p = kind.over(std::vector<int>{1, 2});
            std::jthread{[&] {
                successes_left = failed;
                try {
                    use(p);
                } catch (const std::bad_alloc&) {
                    EXPECT_EQ(successes_left, -1);
                }
                was_one_left = std::exchange(successes_left, -1) == -1;
                end();
            }}.join();
            SCOPED_TRACE("allocation " + std::to_string(failed));
            expect_nothing_outstanding(p);
        }
    });
}

/// Submits a task that returns `make(work)` of new work.
template <class Work, class Make>
void with_each_allocation_failing_of(Make make) {
    Work work;
    with_each_allocation_failing(
        [&](auto& p) {
            work = Work{};
            auto submission = p.submit([&](int) { return make(work); });
        },
        [&] { work.succeed(); });
    with_each_allocation_failing(
        [&](auto& p) {
            work = Work{};
            const auto task = [&](int) { return make(work); };
            auto selection = p.select(task);
            auto first = pointsman::submit(selection, task);
            auto second = p.try_submit(task);
        },
        [&] { work.succeed(); });
}

TEST(FailedAllocation, leaves_no_load_of_values) {
    const auto end = [] {};
    with_each_allocation_failing([](auto& p) { p.submit([](int) {}); }, end);
    with_each_allocation_failing(
        [](auto& p) { static_cast<void>(p.submit([](int) { return std::vector<int>(7); })); }, end);
}

TEST(FailedAllocation, leaves_no_load_of_work_that_calls_back) {
    with_each_allocation_failing_of<calling_work>([](auto& work) { return work; });
}

TEST(FailedAllocation, leaves_no_load_of_work_that_is_polled) {
    with_each_allocation_failing_of<polled_work>([](auto& work) { return work; });
}

TEST(FailedAllocation, leaves_no_load_of_work_that_has_only_a_wait) {
    with_each_allocation_failing_of<waited_work>([](auto& work) { return work; });
}

TEST(FailedAllocation, leaves_no_load_of_work_of_several_kinds) {
    with_each_allocation_failing_of<calling_work>(
        [](auto& work) { return std::variant<int, calling_work>{work}; });
    with_each_allocation_failing_of<waited_work>(
        [](auto& work) { return std::variant<int, waited_work>{work}; });
    with_each_allocation_failing_of<waited_work>(
        [](auto&) { return std::variant<int, waited_work>{7}; });
}

TEST(FailedAllocation, leaves_no_load_of_deferred_futures) {
    with_each_allocation_failing(
        [](auto& p) { p.submit([](int) { return std::async(std::launch::deferred, [] {}); }); },
        [] {});
}

TEST(FailedAllocation, of_the_watcher_keeps_the_work_watched) {
    is_of_the_test = true;
    dynamic_load_policy p{std::vector{1, 2}};
    std::vector<polled_work> works(1000);
    p.submit([&](int) { return works.front(); });
    others_fail = true;
    for (const auto& work : works) {
        p.submit([&](int) { return work; });
    }
    for (auto& work : works) {
        work.succeed();
    }
    expect_nothing_outstanding(p);
    others_fail = false;
}

TEST(FailedSubmission, leaves_no_load_when_the_task_throws_on_its_selection) {
    on_every_policy(std::vector{1, 2}, [](auto p) {
        EXPECT_THROW(p.submit(unplaced_task{}), placement_refused);
        const auto selection = p.select(unplaced_task{});
        EXPECT_THROW(pointsman::submit(selection, unplaced_task{}), placement_refused);
        EXPECT_THROW(pointsman::submit(selection, unplaced_task{}), placement_refused);
        expect_nothing_outstanding(p);
    });
}

TEST(FailedSubmission, leaves_no_load_when_the_completion_kind_throws) {
    on_every_policy(std::vector{1, 2}, [](auto p) {
        const auto task = [](int) { return puzzling_work{}; };
        EXPECT_THROW(p.submit(task), rung_not_found);
        expect_nothing_outstanding(p);
    });
}

}  // namespace
}  // namespace pointsman::test
