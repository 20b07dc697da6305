// SPDX-License-Identifier: Apache-2.0
// Algorithms finish when the functions they call run parallel algorithms or wait for tasks themselves.
// not under thread: ThreadSanitizer cannot see the synchronization inside oneTBB and libstdc++
#include <gtest/gtest.h>
#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <future>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "pointsman/algorithm/copy_if.hpp"
#include "pointsman/algorithm/exclusive_scan.hpp"
#include "pointsman/algorithm/find_if.hpp"
#include "pointsman/algorithm/for_each.hpp"
#include "pointsman/algorithm/inclusive_scan.hpp"
#include "pointsman/algorithm/max_element.hpp"
#include "pointsman/algorithm/merge.hpp"
#include "pointsman/algorithm/nth_element.hpp"
#include "pointsman/algorithm/partial_sort.hpp"
#include "pointsman/algorithm/partition.hpp"
#include "pointsman/algorithm/reduce.hpp"
#include "pointsman/algorithm/sort.hpp"
#include "pointsman/algorithm/stable_partition.hpp"
#include "pointsman/algorithm/stable_sort.hpp"
#include "pointsman/algorithm/transform_inclusive_scan.hpp"
#include "pointsman/algorithm/transform_reduce.hpp"
#include "pointsman/algorithm/unique.hpp"
#include "pointsman/resource/arena.hpp"
#include "support/wait_for_another.hpp"

namespace pointsman::test {
namespace {

using execution::par;

/// Runs `work` and ends the program if it does not finish within two minutes, far longer than any machine
/// needs: a deadlocked thread cannot be stopped otherwise.
template <class Work>
void finishes(Work work) {
    auto done = std::async(std::launch::async, std::move(work));
    if (done.wait_for(std::chrono::minutes{2}) != std::future_status::ready) {
        std::fputs("the algorithm hangs\n", stderr);
        std::_Exit(1);
    }
    done.get();
}

/// Runs with the given number of TBB threads, regardless of the number of cores.
class Nested : public testing::TestWithParam<int> {
  protected:
    template <class Work>
    void on_threads(Work work) {
        const auto threads = static_cast<std::size_t>(GetParam());
        const tbb::global_control allowed{tbb::global_control::max_allowed_parallelism, threads};
        finishes([&] { tbb::task_arena{GetParam()}.execute(work); });
    }

    /// Returns `value` after a reduction that uses all threads.
    static int with_threads(int value) {
        static const std::vector<int> few(100'000, 1);
        return value + reduce(par, few.begin(), few.end(), 0) - 100'000;
    }
};

std::vector<int> ones(std::size_t size) { return std::vector<int>(size, 1); }

/// Returns true for a few values. Only these run an algorithm, so the threads progress unevenly.
bool is_rare(int value) { return value % 5000 == 7; }

TEST_P(Nested, a_scan_finishes_when_its_function_waits_for_tasks) {
    on_threads([] {
        std::vector<int> x(400'000);
        std::iota(x.begin(), x.end(), 0);
        std::vector<long> sums(x.size());
        const auto value = [](int v) {
            if (v % 64'000 == 0) {
                wait_for_another();
            }
            return v;
        };
        transform_inclusive_scan(par, x.begin(), x.end(), sums.begin(), plus{}, value, 0L);
        EXPECT_EQ(sums.back(), 79'999'800'000);
    });
}

TEST_P(Nested, a_scan_finishes_when_its_function_runs_a_reduction) {
    on_threads([] {
        std::vector<int> x(400'000);
        std::iota(x.begin(), x.end(), 0);
        std::vector<long> sums(x.size());
        const auto value = [](int v) { return v % 8000 == 0 ? with_threads(v) : v; };
        transform_inclusive_scan(par, x.begin(), x.end(), sums.begin(), plus{}, value, 0L);
        EXPECT_EQ(sums.back(), 79'999'800'000);
    });
}

TEST_P(Nested, a_scan_finishes_when_its_function_runs_a_scan) {
    on_threads([] {
        const auto x = ones(600'000);
        std::vector<int> sums(x.size());
        const auto f = [](int a, int b) {
            if (a % 4000 == 0) {
                std::vector<int> inner = ones(140'000);
                exclusive_scan(par, inner.begin(), inner.end(), inner.begin(), 0,
                               std::plus<long>{});
                EXPECT_EQ(inner.back(), 139'999);
            }
            return a + b;
        };
        inclusive_scan(par, x.begin(), x.end(), sums.begin(), f);
        EXPECT_EQ(sums.back(), 600'000);
    });
}

TEST_P(Nested, a_sort_finishes_when_its_comparison_runs_a_reduction) {
    on_threads([] {
        std::vector<int> x(20'000);
        for (std::size_t i = 0; i < x.size(); ++i) {
            x[i] = static_cast<int>(i * 7919 % x.size());
        }
        const auto order = [](int a, int b) { return (is_rare(a) ? with_threads(a) : a) < b; };
        for (const bool is_stable : {false, true}) {
            auto sorted = x;
            is_stable ? stable_sort(par, sorted.begin(), sorted.end(), order)
                      : sort(par, sorted.begin(), sorted.end(), order);
            EXPECT_TRUE(std::ranges::is_sorted(sorted));
        }
        std::vector<int> merged(2 * x.size());
        std::ranges::sort(x);
        merge(par, x.begin(), x.end(), x.begin(), x.end(), merged.begin(), order);
        EXPECT_TRUE(std::ranges::is_sorted(merged));
    });
}

TEST_P(Nested, other_algorithms_finish_when_their_functions_run_algorithms) {
    on_threads([] {
        std::vector<int> x(200'000);
        std::iota(x.begin(), x.end(), 0);
        const auto is_odd = [](int v) { return (is_rare(v) ? with_threads(v) : v) % 2 != 0; };
        std::vector<int> odd(100'000);
        EXPECT_EQ(copy_if(par, x.begin(), x.end(), odd.begin(), is_odd), odd.end());
        EXPECT_EQ(
            *find_if(par, x.begin(), x.end(), [&](int v) { return v > 150'000 && is_odd(v); }),
            150'001);
        EXPECT_EQ(transform_reduce(par, x.begin(), x.end(), 0, plus{}, is_odd), 100'000);
        EXPECT_EQ(*max_element(par, x.begin(), x.end(),
                               [](int a, int b) { return (is_rare(a) ? with_threads(a) : a) < b; }),
                  199'999);
        auto halves = x;
        for_each(par, halves.begin(), halves.end(),
                 [](int& v) { v = (is_rare(v) ? with_threads(v) : v) / 2; });
        const auto same = [](int a, int b) { return (is_rare(a) ? with_threads(a) : a) == b; };
        EXPECT_EQ(unique(par, halves.begin(), halves.end(), same) - halves.begin(), 100'000);
    });
}

TEST_P(Nested, scans_finish_in_the_tasks_of_an_arena) {
    finishes([] {
        arena workers{GetParam()};
        std::atomic<int> done{0};
        const auto scan = [&] {
            const auto x = ones(300'000);
            std::vector<int> sums(x.size());
            inclusive_scan(par, x.begin(), x.end(), sums.begin(),
                           [](int a, int b) { return is_rare(a) ? with_threads(a + b) : a + b; });
            done += sums.back() == 300'000 ? 1 : 0;
        };
        for (int i = 0; i < 8; ++i) {
            workers.run(scan);
        }
        workers.wait();
        EXPECT_EQ(done, 8);
    });
}

/// TBB leaves out loops that begin inside a cancelled loop, unless they have a context of their own.
TEST_P(Nested, algorithms_in_a_cancelled_loop_leave_nothing_out) {
    on_threads([] {
        tbb::task_group_context of_caller;
        const auto run_all = [&](int) {
            of_caller.cancel_group_execution();
            const std::size_t size = 100'000;
            std::vector<int> falling(size);
            std::iota(falling.rbegin(), falling.rend(), 0);
            std::vector<int> rising(falling.rbegin(), falling.rend());
            const auto by_value = [](int a, int b) { return a < b; };
            auto x = falling;
            sort(par, x.begin(), x.end(), by_value);
            EXPECT_EQ(x, rising);
            x = falling;
            stable_sort(par, x.begin(), x.end(), by_value);
            EXPECT_EQ(x, rising);
            std::vector<int> merged(2 * size);
            merge(par, rising.begin(), rising.end(), rising.begin(), rising.end(), merged.begin());
            EXPECT_TRUE(std::is_sorted(merged.begin(), merged.end()));
            EXPECT_EQ(unique(par, merged.begin(), merged.end()) - merged.begin(), size);
            const std::vector<std::string> words(size, "word");
            std::vector<std::string> kept(size);
            EXPECT_EQ(copy_if(par, words.begin(), words.end(), kept.begin(),
                              [](const std::string& word) { return !word.empty(); }),
                      kept.end());
            EXPECT_EQ(kept, words);
            EXPECT_EQ(reduce(par, x.begin(), x.end(), 0L), size * (size - 1) / 2);
            std::vector<long> sums(size);
            inclusive_scan(par, x.begin(), x.end(), sums.begin(), plus{}, 0L);
            EXPECT_EQ(sums.back(), size * (size - 1) / 2);
            for_each(par, x.begin(), x.end(), [](int& v) { v *= 2; });
            EXPECT_EQ(x.back(), 2 * (size - 1));
        };
        tbb::parallel_for(0, 1, run_all, of_caller);
    });
}

/// A caller that holds a lock would otherwise wait for itself.
TEST_P(Nested, algorithms_of_numbers_run_no_other_task_of_the_caller) {
    on_threads([] {
        const std::size_t size = 300'000;
        std::vector<float> x(size);
        for (std::size_t i = 0; i < size; ++i) {
            x[i] = static_cast<float>(i * 7919 % size);
        }
        const auto is_low = [](float value) { return value < 100'000; };
        std::atomic<int> nested{0};
        const auto run_row = [&](int row) {
            thread_local int depth = 0;
            nested += depth > 0 ? 1 : 0;
            ++depth;
            auto y = x;
            const auto middle = y.begin() + 140'000;
            switch (row % 6) {
                case 0:
                    sort(par, y.begin(), y.end());
                    break;
                case 1:
                    stable_sort(par, y.begin(), y.end());
                    break;
                case 2:
                    nth_element(par, y.begin(), middle, y.end());
                    break;
                case 3:
                    partial_sort(par, y.begin(), middle, y.end());
                    break;
                case 4:
                    partition(par, y.begin(), y.end(), is_low);
                    break;
                default:
                    stable_partition(par, y.begin(), y.end(), is_low);
            }
            --depth;
        };
        tbb::parallel_for(
            tbb::blocked_range<int>{0, 120},
            [&](const tbb::blocked_range<int>& rows) { run_row(rows.begin()); },
            tbb::simple_partitioner{});
        EXPECT_EQ(nested, 0);
    });
}

INSTANTIATE_TEST_SUITE_P(, Nested, testing::Values(4, 8), [](const auto& threads) {
    return std::to_string(threads.param) + "_threads";
});

}  // namespace
}  // namespace pointsman::test
