// SPDX-License-Identifier: Apache-2.0
// Policies over backends that make only the reports that the documents require.
#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "pointsman/dynamic_selection.hpp"

namespace {

namespace pm = pointsman;
namespace info = pointsman::execution_info;

/// Defined only for the reporting requirements of the documents' policies.
template <class... Reqs>
struct scratch_for;
template <>
struct scratch_for<info::task_time_t> {
    bool used = false;
};
template <>
struct scratch_for<info::task_submission_t, info::task_completion_t> {
    bool used = false;
};

/// Refuses at compile time every requirement except `Known`. Copies or moves its selections and keeps
/// them until `lazy_report` reports on them; a task returns its duration in microseconds.
template <bool Copies, class... Known>
class strict_backend : public pm::backend_base<int> {
    template <class Info>
    static constexpr bool reports = pm::contains_reporting_req_v<Info, Known...>;

  public:
    template <class... Reqs>
    using scratch_space_t = scratch_for<Reqs...>;

    template <class... Reqs>
    explicit strict_backend(const std::vector<int>& resources, pm::identity, Reqs...)
        : backend_base{resources} {
        static_assert((pm::contains_reporting_req_v<Reqs, Known...> && ...), "unknown requirement");
    }

    template <class Selection, class F, class... Args>
    auto submit(Selection selection, F&& f, Args&&... args) {
        if constexpr (reports<info::task_submission_t>) {
            pm::report(selection, info::task_submission);
        }
        selection.scratch_space.used = true;
        const int cost = std::forward<F>(f)(pm::unwrap(selection), std::forward<Args>(args)...);
        if constexpr (Copies) {
            keep(Selection{selection}, cost);
        } else {
            keep(std::move(selection), cost);
        }
        return pm::default_submission<int>{cost};
    }

    void lazy_report() {
        for (auto& pending : std::exchange(pending_, {})) {
            pending();
        }
    }

  private:
    template <class Selection>
    void keep(Selection selection, int cost) {
        const auto kept = std::make_shared<Selection>(std::move(selection));
        pending_.push_back([=] {
            EXPECT_TRUE(kept->scratch_space.used);
            if constexpr (reports<info::task_time_t>) {
                pm::report(*kept, info::task_time, std::chrono::microseconds{cost});
            }
            if constexpr (reports<info::task_completion_t>) {
                pm::report(*kept, info::task_completion);
            }
        });
    }
    std::vector<std::function<void()>> pending_;
};

template <bool Copies>
using time_backend = strict_backend<Copies, info::task_time_t>;
template <bool Copies>
using load_backend = strict_backend<Copies, info::task_submission_t, info::task_completion_t>;

template <class Copies>
struct ReportedByBackend : ::testing::Test {};
using both_ways = ::testing::Types<std::true_type, std::false_type>;
TYPED_TEST_SUITE(ReportedByBackend, both_ways, );

template <class Policy>
std::map<int, int> choices(Policy& p) {
    std::map<int, int> chosen;
    for (int i = 0; i < 100; ++i) {
        ++chosen[pm::submit(p, [](int cost) { return cost; }).unwrap()];
    }
    return chosen;
}

TYPED_TEST(ReportedByBackend, auto_tune_needs_only_times) {
    pm::auto_tune_policy<int, pm::identity, time_backend<TypeParam::value>> p{{900, 100, 500}};
    const auto chosen = choices(p);
    EXPECT_GE(chosen.at(100), 90);
    EXPECT_EQ(chosen.size(), 3U);
    static_cast<void>(pm::select(p, [](int) {}));
    EXPECT_EQ(p.loads(), (std::vector<std::size_t>{0, 0, 0}));
}

TYPED_TEST(ReportedByBackend, earliest_finish_needs_only_times) {
    pm::earliest_finish_policy<int, pm::identity, time_backend<TypeParam::value>> p{
        {900, 100, 500}};
    const auto chosen = choices(p);
    EXPECT_GE(chosen.at(100), 90);
    static_cast<void>(pm::select(p, [](int) {}));
    EXPECT_EQ(p.loads(), (std::vector<std::size_t>{0, 0, 0}));
}

TYPED_TEST(ReportedByBackend, dynamic_load_needs_only_submissions_and_completions) {
    pm::dynamic_load_policy<int, pm::identity, load_backend<TypeParam::value>> p{{7, 8, 9}};
    EXPECT_EQ(pm::submit(p, [](int r) { return r; }).unwrap(), 7);
    EXPECT_EQ(p.loads(), (std::vector<std::size_t>{1, 0, 0})) << "not reported complete yet";
    EXPECT_EQ(pm::submit(p, [](int r) { return r; }).unwrap(), 8);
    EXPECT_EQ(p.loads(), (std::vector<std::size_t>{0, 1, 0}));
}

TYPED_TEST(ReportedByBackend, token_needs_only_completions) {
    pm::token_policy<int, pm::identity, load_backend<TypeParam::value>> p{{7, 8}};
    EXPECT_EQ(pm::try_submit(p, [](int r) { return r; })->unwrap(), 7);
    EXPECT_EQ(pm::try_submit(p, [](int r) { return r; })->unwrap(), 8);
}

}  // namespace
