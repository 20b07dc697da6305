// SPDX-License-Identifier: Apache-2.0
// best_fit finds the fastest executor; most tests invent the times.
#include "pointsman/executor/best_fit.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "pointsman/pointsman.hpp"
#include "support/manual_work.hpp"
#include "support/message_of.hpp"
#include "support/on_threads.hpp"

namespace pointsman::test {
namespace {

using std::chrono::seconds;

/// A user-defined executor, identified by a letter.
template <char Name>
struct lettered_executor {
    static constexpr char letter = Name;
    static constexpr std::string_view name{&letter, 1};
    void execute(auto&& f) const { f(); }
    friend bool operator==(const lettered_executor&, const lettered_executor&) = default;
};
constexpr lettered_executor<'a'> a;
constexpr lettered_executor<'b'> b;

/// Work that records its executor; the test sets its duration for each executor.
template <class Cost>
auto costing(std::string& seen, Cost cost) {
    return [&seen, cost](const auto& executor) {
        seen += executor.letter;
        return ended_after(cost(executor.letter));
    };
}

struct no_b : executor_runtime_checks {
    executor_fit<lettered_executor<'b'>> check(const lettered_executor<'b'>&) const {
        return executor_refusal{"not wanted"};
    }
};

}  // namespace

TEST(BestFit, tries_each_executor_twice_and_keeps_the_fastest) {
    std::string seen;
    const auto work = costing(seen, [](char on) { return seconds{on == 'b' ? 1 : 10}; });
    for (int i = 0; i < 100; ++i) {
        best_fit(work, 10, a, b);
    }
    EXPECT_EQ(seen.substr(0, 4), "aabb");
    EXPECT_EQ(seen.substr(4), std::string(96, 'b'));
}

TEST(BestFit, finds_the_crossing_between_sizes) {
    std::string seen;
    std::size_t size = 0;
    // `a` starts at once, `b` takes 100 s to start and is ten times as fast.
    const auto work = costing(seen, [&size](char on) {
        const auto work_time = seconds{static_cast<int>(size)};
        return on == 'a' ? work_time : seconds{100} + work_time / 10;
    });
    std::string chosen;
    for (size = 1; size <= 1024; size *= 2) {
        for (int i = 0; i < 10; ++i) {
            best_fit(work, size, a, b);
        }
        chosen += seen.back();
    }
    EXPECT_EQ(chosen.substr(0, 7), "aaaaaaa");
    EXPECT_EQ(chosen.substr(8), "bbb")
        << "at 128, the first size where b is better, by 12 %, a may still do";
}

TEST(BestFit, returns_the_result_of_the_function) {
    const auto twice = [](const auto&) { return 42; };
    const auto nothing = [](const auto&) {};
    int number = 0;
    const auto reference = [&](const auto&) -> int& { return number; };
    for (int i = 0; i < 10; ++i) {
        EXPECT_EQ(best_fit(twice, i, a, b), 42);
        best_fit(nothing, i, std::tuple{a, b});
        EXPECT_EQ(&best_fit(reference, i, a, b), &number);
    }
}

TEST(BestFit, takes_the_size_from_a_range_or_a_user_defined_key) {
    std::string seen;
    const auto work = costing(seen, [](char on) { return seconds{on == 'a' ? 1 : 10}; });
    for (int i = 0; i < 5; ++i) {
        best_fit(work, std::vector<int>(100), a, b);
    }
    EXPECT_EQ(seen, "aabaa") << "the second run of b costs more than the work so far";
    for (int i = 0; i < 5; ++i) {
        best_fit(work, task_key{7, 8}, a, b);
    }
    EXPECT_EQ(seen, "aabaaaabaa");
}

TEST(BestFit, excludes_executors_that_the_checks_refuse) {
    std::string seen;
    const auto work = costing(seen, [](char on) { return seconds{on == 'b' ? 1 : 10}; });
    for (int i = 0; i < 20; ++i) {
        best_fit(no_b{}, work, 1, a, b);
    }
    EXPECT_EQ(seen, std::string(20, 'a'));
}

TEST(BestFit, throws_when_no_executor_fits) {
    const auto message =
        message_of<std::runtime_error>([] { best_fit(no_b{}, [](const auto&) {}, 1, b); });
    EXPECT_TRUE(message.starts_with("no executor fits:\n  b: not wanted\n")) << message;
}

TEST(BestFit, passes_on_an_exception_and_switches_to_another_executor) {
    std::string seen;
    const auto work = [&](const auto& executor) {
        seen += executor.letter;
        if (executor.letter == 'b') {
            throw std::out_of_range{"on purpose"};
        }
        return ended_after(seconds{10});
    };
    int thrown = 0;
    for (int i = 0; i < 200; ++i) {
        try {
            best_fit(work, 1, a, b);
        } catch (const std::out_of_range&) {
            ++thrown;
        }
    }
    EXPECT_GE(thrown, 1);
    EXPECT_LT(thrown, 50);
    EXPECT_EQ(seen.substr(190), std::string(10, 'a'));
}

TEST(BestFit, counts_a_failure_after_the_call_has_returned) {
    std::string seen;
    const auto work = [&](const auto& executor) {
        seen += executor.letter;
        calling_work handle;
        if (executor.letter == 'b') {
            handle.fail();
        } else {
            handle.succeed(clock::now() + seconds{10});
        }
        return handle;
    };
    for (int i = 0; i < 200; ++i) {
        best_fit(work, 1, a, b);
    }
    EXPECT_EQ(seen.substr(190), std::string(10, 'a'));
}

TEST(BestFit, measures_real_executors_from_many_threads) {
    std::atomic<long> calls{0};
    const auto work = [&](const auto& executor) {
        bulk_execute(executor, [&](std::size_t) { ++calls; }, 10);
    };
    on_threads(7, [&](int) {
        for (int i = 0; i < 100; ++i) {
            best_fit(work, 10, inline_executor<>{}, unsequenced_executor<>{}, arena_executor<>{});
        }
    });
    EXPECT_EQ(calls, 7 * 100 * 10);
}

TEST(BestFit, waits_for_the_handle_of_an_executor_that_does_not_block) {
    const auto cores = require(arena_executor<>{}, blocking.never);
    const auto work = [](const auto& executor) { return execute(executor, [] {}); };
    for (int i = 0; i < 50; ++i) {
        best_fit(work, 1, cores).wait();
    }
}

}  // namespace pointsman::test
