// SPDX-License-Identifier: Apache-2.0
// User-defined policies whose own selection handle receives the reports on their tasks.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "pointsman/dynamic_selection.hpp"
#include "support/manual_work.hpp"

namespace {

namespace pm = pointsman;
namespace info = pointsman::execution_info;
namespace t = pointsman::test;

struct station {
    explicit station(int served) : resource{served} {}

    int resource;
    std::atomic<int> load{0};
    std::atomic<std::chrono::nanoseconds::rep> longest{0};
};

/// Takes the least loaded station. Its handle has unwrap() and the reports, but no policy().
template <class Resource, class Adapter, class Backend>
class least_busy_policy
    : public pm::policy_base<least_busy_policy<Resource, Adapter, Backend>, Adapter, Backend,
                             info::task_submission_t, info::task_completion_t, info::task_time_t> {
    using base = pm::policy_base<least_busy_policy, Adapter, Backend, info::task_submission_t,
                                 info::task_completion_t, info::task_time_t>;

    class handle {
      public:
        handle(const least_busy_policy& policy, std::shared_ptr<station> chosen)
            : policy_{policy}, chosen_{std::move(chosen)} {}
        auto unwrap() { return pm::unwrap(chosen_->resource); }
        void report(const info::task_submission_t&) const { chosen_->load.fetch_add(1); }
        void report(const info::task_completion_t&) const { chosen_->load.fetch_sub(1); }
        void report(const info::task_time_t&, std::chrono::nanoseconds time) const {
            chosen_->longest = std::max(chosen_->longest.load(), time.count());
        }
        typename pm::backend_traits<Backend>::template selection_scratch_t<
            info::task_submission_t, info::task_completion_t, info::task_time_t>
            scratch_space;

      private:
        least_busy_policy policy_;
        std::shared_ptr<station> chosen_;
    };

  public:
    using typename base::resource_type;
    using selection_type = handle;

    explicit least_busy_policy(pm::deferred_initialization_t) {}
    explicit least_busy_policy(const std::vector<resource_type>& resources, Adapter adapter = {}) {
        base::initialize(resources, adapter);
    }
    void initialize_impl() {
        stations_.clear();
        for (const auto& resource : base::get_resources()) {
            stations_.push_back(std::make_shared<station>(resource));
        }
    }
    template <class... Args>
    std::shared_ptr<handle> try_select_impl(Args&&...) {
        const auto least = std::min_element(
            stations_.begin(), stations_.end(),
            [](const auto& a, const auto& b) { return a->load.load() < b->load.load(); });
        return std::make_shared<handle>(*this, *least);
    }
    [[nodiscard]] int load(std::size_t i) const { return stations_[i]->load; }
    [[nodiscard]] auto longest(std::size_t i) const { return stations_[i]->longest.load(); }

  private:
    std::vector<std::shared_ptr<station>> stations_;
};
using policy = least_busy_policy<int, pm::identity, pm::default_backend<int>>;

TEST(OwnSelection, receives_all_reports_from_submission_to_completion) {
    policy p{{4, 5}};
    t::calling_work work;
    auto submission = pm::submit(p, [&](int) { return work; });
    EXPECT_EQ(p.load(0), 1);
    EXPECT_EQ(pm::submit(p, [](int r) { return r; }).unwrap(), 5);
    work.succeed();
    submission.wait();
    EXPECT_EQ(p.load(0), 0);
    EXPECT_GT(p.longest(0), 0);
}

TEST(OwnSelection, supports_every_way_to_submit) {
    policy p{pm::deferred_initialization};
    EXPECT_THROW(static_cast<void>(p.get_resources()), std::logic_error);
    p.initialize({4, 5});
    EXPECT_EQ(pm::try_submit(p, [](int r) { return r; })->unwrap(), 4);
    int got = 0;
    pm::submit_and_wait(p, [&](int r, int x) { got = r * x; }, 10);
    EXPECT_EQ(got, 40);
    pm::get_submission_group(p).wait();
    EXPECT_THROW(pm::submit(p, [](int) { throw 1; }), int);
    EXPECT_EQ(p.load(0), 0);
}

}  // namespace
