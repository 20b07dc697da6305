// SPDX-License-Identifier: Apache-2.0
// The candidate that an auto_policy chooses, with a manual clock.
#include "pointsman/execution/auto_policy.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <thread>
#include <type_traits>
#include <vector>

#include "pointsman/algorithm/detail/auto_dispatch.hpp"
#include "pointsman/execution/is_execution_policy.hpp"

namespace pointsman::test {
namespace {

namespace ex = execution;
using std::chrono::microseconds;
using std::chrono::nanoseconds;

static_assert(is_execution_policy_v<ex::auto_policy>);
static_assert(!is_execution_policy_v<const ex::auto_policy&>, "as for the other policies");
static_assert(std::same_as<decltype(ex::auto_), const ex::auto_policy>);
static_assert(std::copyable<ex::auto_policy>);
static_assert(!std::convertible_to<ex::sequenced_policy, ex::auto_policy>, "explicit");

nanoseconds test_time{};
clock::time_point test_now() { return clock::time_point{test_time}; }

/// The duration of a call under `seq` and `par`; the other candidates are twice as slow.
struct costs {
    nanoseconds seq, par;
};
/// An algorithm that only advances the clock.
struct pass_time : pointsman::detail::algorithm_call {
    static constexpr std::string_view name = "pass_time";
    template <class P>
    bool operator()(const P&, const costs& cost) const {
        constexpr bool is_seq = std::same_as<P, ex::sequenced_policy>;
        constexpr bool is_par = std::same_as<P, ex::parallel_policy>;
        test_time += is_seq ? cost.seq : is_par ? cost.par : 2 * std::max(cost.seq, cost.par);
        return is_par;
    }
};
struct fail_in_parallel {
    static constexpr std::string_view name = "fail_in_parallel";
    template <class P>
    bool operator()(const P&) const {
        test_time += microseconds{1};
        if constexpr (std::same_as<P, ex::parallel_policy>) {
            throw std::runtime_error{"no threads today"};
        }
        return true;
    }
};

const std::vector<ex::candidate_policy> seq_and_par{ex::seq, ex::par};

class AutoPolicy : public testing::Test {
  protected:
    static bool runs_in_parallel(const ex::auto_policy& policy, costs cost,
                                 const task_key& key = {1, 1}) {
        return policy.run<ex::auto_reach::host>(pass_time{}, key, cost);
    }
    /// Returns how many of `calls` ran under `par`.
    static int count_parallel(const ex::auto_policy& policy, int calls, costs cost,
                              const task_key& key = {1, 1}) {
        int found = 0;
        for (int i = 0; i < calls; ++i) {
            found += runs_in_parallel(policy, cost, key) ? 1 : 0;
        }
        return found;
    }

    static constexpr costs par_is_faster{microseconds{300}, microseconds{100}};
    static constexpr costs seq_is_faster{microseconds{100}, microseconds{300}};
};

TEST_F(AutoPolicy, uses_the_fastest_candidate_once_each_was_tried) {
    const ex::auto_policy policy{seq_and_par, test_now};
    const int of_twelve = count_parallel(policy, 12, par_is_faster);
    EXPECT_GE(of_twelve, 4);
    EXPECT_LE(of_twelve, 8);
    const int of_ten_thousand = count_parallel(policy, 10'000, par_is_faster);
    EXPECT_GE(of_ten_thousand, 9'900);
    EXPECT_LT(of_ten_thousand, 10'000) << "the other is sometimes measured again";
}

TEST_F(AutoPolicy, learns_for_each_key_separately) {
    const ex::auto_policy policy{seq_and_par, test_now};
    count_parallel(policy, 1'000, par_is_faster, {1, 10});
    count_parallel(policy, 1'000, seq_is_faster, {1, 20});
    EXPECT_TRUE(runs_in_parallel(policy, par_is_faster, {1, 10}));
    EXPECT_FALSE(runs_in_parallel(policy, seq_is_faster, {1, 20}));
}

TEST_F(AutoPolicy, overcomes_a_first_timing_that_was_disturbed) {
    const ex::auto_policy policy{seq_and_par, test_now};
    for (int i = 0; i < 4; ++i) {
        runs_in_parallel(policy, {microseconds{300}, microseconds{900}});
    }
    EXPECT_GE(count_parallel(policy, 2'000, par_is_faster), 1'000);
    EXPECT_GE(count_parallel(policy, 100, par_is_faster), 90);
}

TEST_F(AutoPolicy, notices_that_a_candidate_has_become_slow) {
    const ex::auto_policy policy{seq_and_par, test_now};
    count_parallel(policy, 1'000, par_is_faster);
    EXPECT_LE(count_parallel(policy, 1'000, seq_is_faster), 100);
}

TEST_F(AutoPolicy, explains_the_last_call_of_the_thread) {
    const ex::auto_policy policy{seq_and_par, test_now};
    EXPECT_FALSE(policy.explain());
    count_parallel(policy, 100, par_is_faster);
    const auto why = policy.explain();
    ASSERT_TRUE(why);
    std::ostringstream text;
    text << *why;
    EXPECT_EQ(text.str(), "pass_time ran under par: seq 300 µs, par 100 µs");
    std::thread{[&] { EXPECT_FALSE(policy.explain()); }}.join();
    const ex::auto_policy other{seq_and_par, test_now};
    EXPECT_FALSE(other.explain());
    const ex::auto_policy same = policy;
    EXPECT_TRUE(same.explain());
}

TEST_F(AutoPolicy, stops_using_a_candidate_that_throws) {
    const ex::auto_policy policy{seq_and_par, test_now};
    int thrown = 0;
    for (int i = 0; i < 1'000; ++i) {
        try {
            policy.run<ex::auto_reach::host>(fail_in_parallel{}, task_key{1, 1});
        } catch (const std::runtime_error&) {
            ++thrown;
        }
    }
    EXPECT_GE(thrown, 1);
    EXPECT_LE(thrown, 20);
}

TEST_F(AutoPolicy, takes_32_candidates_and_refuses_more) {
    const std::vector<ex::candidate_policy> most(32, ex::seq);
    EXPECT_FALSE(runs_in_parallel(ex::auto_policy{most, test_now}, par_is_faster));
    for (const std::size_t too_many : {33U, 64U, 65U, 1000U}) {
        EXPECT_THROW((ex::auto_policy{std::vector<ex::candidate_policy>(too_many, ex::seq)}),
                     invalid_option);
    }
}

TEST_F(AutoPolicy, refuses_an_empty_list) {
    EXPECT_THROW((ex::auto_policy{std::vector<ex::candidate_policy>{}}), empty_resource_set);
}

TEST_F(AutoPolicy, says_that_no_candidate_can_run_a_call) {
    const ex::auto_policy policy{seq_and_par, test_now};
    EXPECT_THROW(policy.run<ex::auto_reach::device>(pass_time{}, task_key{1, 1}, seq_is_faster),
                 unsuitable_resources);
}

}  // namespace
}  // namespace pointsman::test
