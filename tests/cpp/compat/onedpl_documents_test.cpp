// SPDX-License-Identifier: Apache-2.0
// What the documents of dynamic selection promise to authors of policies and backends.
#include <oneapi/dpl/dynamic_selection>

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <random>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

#include "pointsman/clock.hpp"
#include "return_resource.hpp"
#include "support/eventually.hpp"

namespace {

namespace ex = oneapi::dpl::experimental;
namespace info = ex::execution_info;
using oneapi::dpl::identity;

/// A policy whose rule has the document's name and form. Its random device cannot be copied.
template <class Resource, class Adapter = identity,
          class Backend = ex::default_backend<Resource, Adapter>>
class uncopied_policy
    : public ex::policy_base<uncopied_policy<Resource, Adapter, Backend>, Adapter, Backend> {
    using base = ex::policy_base<uncopied_policy, Adapter, Backend>;
    typename base::resource_container_t resources_;
    std::random_device device_;
    std::mt19937 generator_{device_()};

  public:
    using typename base::resource_type;
    using typename base::selection_type;

    explicit uncopied_policy(const std::vector<resource_type>& resources, Adapter adapter = {}) {
        base::initialize(resources, adapter);
    }
    void initialize_impl() { resources_ = base::get_resources(); }
    template <class... Args>
    std::shared_ptr<selection_type> select_impl(Args&&...) {
        std::uniform_int_distribution<std::size_t> any{0, resources_.size() - 1};
        return std::make_shared<selection_type>(*this, resources_[any(generator_)]);
    }
};

TEST(OneDplDocuments, let_a_policy_be_non_copyable_and_write_select_impl) {
    using policy_t = uncopied_policy<int>;
    static_assert(!std::is_copy_constructible_v<policy_t>);
    policy_t policy{{4, 5}};
    for (int i = 0; i < 10; ++i) {
        const int chosen = ex::unwrap(ex::submit(policy, return_resource));
        EXPECT_TRUE(chosen == 4 || chosen == 5);
    }
    EXPECT_TRUE(ex::try_submit(policy, return_resource).has_value());
    ex::submit_and_wait(policy, return_resource);
    auto selection = ex::select(policy);
    EXPECT_EQ(&selection.get_policy(), &policy);
    EXPECT_EQ(ex::unwrap(ex::submit(selection, return_resource)), ex::unwrap(selection));
}

/// Both its hooks are protected; its rule finds no resource on every second attempt.
class shy_policy : public ex::policy_base<shy_policy, identity, ex::default_backend<int>> {
    using base = ex::policy_base<shy_policy, identity, ex::default_backend<int>>;
    friend base;
    int attempts_ = -1;

  public:
    explicit shy_policy(const std::vector<int>& resources) { initialize(resources); }
    shy_policy() { initialize(5); }
    int attempts() const { return attempts_; }

  protected:
    void initialize_impl(int attempts = 0) { attempts_ = attempts; }
    template <class... Args>
    std::shared_ptr<selection_type> try_select_impl(Args&&...) {
        return attempts_++ % 2 == 0
                   ? nullptr
                   : std::make_shared<selection_type>(*this, get_resources().front());
    }
};

TEST(OneDplDocuments, let_a_policy_protect_its_rule_and_its_initialisation) {
    shy_policy policy{{6}};
    EXPECT_FALSE(ex::try_submit(policy, return_resource).has_value());
    EXPECT_EQ(ex::unwrap(*ex::try_submit(policy, return_resource)), 6);
    EXPECT_EQ(ex::unwrap(ex::submit(policy, return_resource)), 6);
    EXPECT_EQ(policy.attempts(), 4);
    policy.initialize({7}, identity{}, 9);
    EXPECT_EQ(ex::unwrap(ex::submit(policy, return_resource)), 7);
    EXPECT_EQ(policy.attempts(), 10);
    EXPECT_EQ(shy_policy{}.attempts(), 5);
}

/// Reports ticks of an invented clock, and only the requested information.
template <class Resource, class Adapter = identity>
class ticking_backend : public ex::backend_base<Resource> {
  public:
    template <class... ReportReqs>
    ticking_backend(const std::vector<Resource>& resources, Adapter adapter, ReportReqs...)
        : ex::backend_base<Resource>(resources), adapter_(std::move(adapter)) {
        static_assert((std::is_same_v<ReportReqs, info::task_time_t> && ...));
    }

    template <class Selection, class F, class... Args>
    auto submit(Selection selection, F&& f, Args&&... args) {
        auto resource = ex::unwrap(selection);
        ex::default_submission done{std::forward<F>(f)(resource, std::forward<Args>(args)...)};
        if constexpr (ex::report_value_v<Selection, info::task_time_t, std::uint64_t>) {
            ex::report(selection, info::task_time, static_cast<std::uint64_t>(adapter_(resource)));
        }
        return done;
    }

  private:
    Adapter adapter_;
};

TEST(OneDplDocuments, accept_times_reported_as_numbers_of_ticks) {
    ex::auto_tune_policy<int, identity, ticking_backend<int>> policy{std::vector{900, 20, 500}};
    std::vector<int> chosen;
    for (int i = 0; i < 9; ++i) {
        chosen.push_back(ex::unwrap(ex::submit(policy, return_resource)));
    }
    EXPECT_EQ(chosen, (std::vector{900, 900, 20, 20, 500, 500, 20, 20, 20}));
}

/// Receives times in the type that the document uses.
class counting_policy : public ex::policy_base<counting_policy, identity, ex::default_backend<int>,
                                               info::task_time_t> {
  public:
    struct selection_type {
        std::shared_ptr<int> reports;
        int resource;
        typename ex::backend_traits<ex::default_backend<int>>::template selection_scratch_t<
            info::task_time_t>
            scratch_space{};

        int unwrap() const { return resource; }
        counting_policy get_policy() const { return counting_policy{{resource}}; }
        void report(const info::task_time_t&, info::task_time_t::value_type) const { ++*reports; }
    };

    explicit counting_policy(const std::vector<int>& resources) { initialize(resources); }
    void initialize_impl() {}
    template <class... Args>
    std::shared_ptr<selection_type> try_select_impl(Args&&...) {
        return std::make_shared<selection_type>(selection_type{reports, get_resources().front()});
    }

    std::shared_ptr<int> reports = std::make_shared<int>(0);
};

TEST(OneDplDocuments, pass_the_default_backends_time_to_a_selection_that_takes_ticks) {
    counting_policy policy{{1}};
    ex::submit_and_wait(policy, return_resource);
    EXPECT_EQ(*policy.reports, 1);
}

/// Selects a resource for a task without submitting it. Returns whether its time was requested, and the
/// resource.
template <class Policy>
std::pair<bool, int> place(Policy& policy, std::uint64_t ticks) {
    auto selection = ex::select(policy, return_resource);
    const bool timed = selection.wants_time();
    ex::report(selection, info::task_submission);
    ex::report(selection, info::task_time, ex::unwrap(selection) == 2 ? ticks : 100 * ticks);
    ex::report(selection, info::task_completion);
    return {timed, ex::unwrap(selection)};
}

TEST(OneDplDocuments, let_code_that_submits_by_itself_report) {
    ex::auto_tune_policy policy{{1, 2}};
    while (place(policy, 10).first) {
    }
    EXPECT_EQ(place(policy, 10).second, 2);
    EXPECT_EQ(policy.loads(), (std::vector<std::size_t>{0, 0}));
}

TEST(OneDplDocuments, find_report_after_a_using_directive) {
    using namespace oneapi::dpl::experimental;
    auto_tune_policy policy{{1}};
    for (int warm_up_and_measurement = 0; warm_up_and_measurement < 2; ++warm_up_and_measurement) {
        auto selection = select(policy, return_resource);
        report(selection, execution_info::task_submission);
        report(selection, execution_info::task_time, std::uint64_t{3});
        report(selection, execution_info::task_completion);
    }
    EXPECT_EQ(policy.estimates(return_resource).front(), std::chrono::nanoseconds{3});
    EXPECT_EQ(policy.loads(), std::vector<std::size_t>{0});
}

TEST(OneDplAutoTune, takes_a_floating_point_resample_time_in_seconds) {
    constexpr double resample_time = 0.02;
    ex::auto_tune_policy deduced{{1, 2}, resample_time};
    ex::auto_tune_policy<int> set_later{ex::deferred_initialization};
    set_later.initialize({1, 2}, resample_time);
    for (auto* policy : {&deduced, &set_later}) {
        while (place(*policy, 10).first) {
        }
        const auto settled = pointsman::clock::now();
        EXPECT_TRUE(pointsman::test::eventually([&] {
            return pointsman::clock::now() > settled + std::chrono::duration<double>{resample_time};
        }));
        EXPECT_TRUE(place(*policy, 10).first) << "the resample time has passed";
    }
}

TEST(OneDplAutoTune, reads_integers_as_milliseconds_and_loses_no_fraction_of_a_second) {
    using namespace std::chrono_literals;
    using ex::detail::resample_duration;
    EXPECT_EQ(resample_duration(500), 500ms);
    EXPECT_EQ(resample_duration(0.5), 500ms);
    EXPECT_EQ(resample_duration(0.5F), 500ms);
    EXPECT_EQ(resample_duration(std::uint64_t{500}), 500ms);
    EXPECT_EQ(resample_duration(1e-12), 1ns);
    EXPECT_EQ(resample_duration(0.0), 0ns);
    EXPECT_EQ(resample_duration(ex::auto_tune_policy<int>::never_resample), 0ns);
}

TEST(OneDplAutoTune, refuses_an_invalid_resample_time) {
    const std::vector<int> one{1};
    EXPECT_THROW(ex::auto_tune_policy<int>(one, -1), std::invalid_argument);
    EXPECT_THROW(ex::auto_tune_policy<int>(one, -0.5), std::invalid_argument);
    EXPECT_THROW(ex::auto_tune_policy<int>(one, std::numeric_limits<double>::quiet_NaN()),
                 std::invalid_argument);
}

/// Counts the calls of its wait().
struct lane {
    int* waits;
    void wait() const { ++*waits; }
};

}  // namespace

/// The backend of lanes, as the document writes it.
template <class Resource, class Adapter>
class oneapi::dpl::experimental::core_resource_backend<lane, Resource, Adapter>
    : public backend_base<Resource> {
  public:
    template <class... ReportReqs>
    core_resource_backend(ReportReqs... reqs) : backend_base<Resource>(reqs...) {}
    template <class... ReportReqs>
    core_resource_backend(const std::vector<Resource>& resources, Adapter, ReportReqs... reqs)
        : backend_base<Resource>(resources, reqs...) {}
};

namespace {

/// A specialised backend that is not a template, under a policy with an adapter.
class lane_backend : public ex::backend_base<lane*> {
  public:
    template <class Adapter, class... ReportReqs>
    lane_backend(const std::vector<lane*>& lanes, Adapter, ReportReqs...) : backend_base(lanes) {}
};

TEST(OneDplDocuments, wait_for_the_adapted_resources_of_a_backend) {
    int waits = 0;
    lane one{&waits};
    lane other{&waits};
    auto dereference = [](auto pointer) { return *pointer; };
    using adapter = decltype(dereference);
    ex::round_robin_policy<lane*, adapter> specialised{{&one, &other}, dereference};
    ex::wait(ex::get_submission_group(specialised));
    EXPECT_EQ(waits, 2);
    ex::round_robin_policy<lane*, adapter, lane_backend> own{{&one, &other}, dereference};
    ex::wait(ex::get_submission_group(own));
    EXPECT_EQ(waits, 4);
    ex::fixed_resource_policy direct{{one}};
    ex::wait(ex::get_submission_group(direct));
    EXPECT_EQ(waits, 5);
    ex::wait(ex::default_submission_group{std::vector{&one}, dereference});
    EXPECT_EQ(waits, 6);
}

/// Reports times only for even-numbered resources.
class filtering_backend : public ex::default_backend<int> {
  public:
    template <class... ReportReqs>
    filtering_backend(const std::vector<int>& resources, identity, ReportReqs... reqs)
        : default_backend(even<ReportReqs...>(resources), {}, reqs...) {}

  private:
    template <class... ReportReqs>
    static std::vector<int> even(std::vector<int> resources) {
        if (info::contains_reporting_req_v<info::task_time_t, ReportReqs...>) {
            std::erase_if(resources, [](int resource) { return resource % 2 != 0; });
        }
        if (resources.empty()) {
            throw std::runtime_error{"no resource has a timer"};
        }
        return resources;
    }
};

TEST(OneDplDocuments, let_a_backend_leave_out_resources_that_cannot_report) {
    using timed = ex::auto_tune_policy<int, identity, filtering_backend>;
    using untimed = ex::dynamic_load_policy<int, identity, filtering_backend>;
    EXPECT_EQ(ex::get_resources(timed{std::vector{1, 2, 3, 4}}), (std::vector{2, 4}));
    EXPECT_EQ(ex::get_resources(untimed{std::vector{1, 2}}), (std::vector{1, 2}));
    EXPECT_THROW(timed{std::vector{1}}, std::runtime_error);
}

/// Spells the name of its scratch space as oneDPL does; its base class spells it as the document does.
class scratching_backend : public ex::default_backend<int> {
  public:
    template <class... ReportReqs>
    struct scratch_t {
        std::size_t requirements = sizeof...(ReportReqs);
    };
    using ex::default_backend<int>::default_backend;

    template <class Selection, class F, class... Args>
    auto submit(Selection selection, F&& f, Args&&... args) {
        requirements = selection.scratch_space.requirements;
        return default_backend::submit(selection, std::forward<F>(f), std::forward<Args>(args)...);
    }
    static inline std::size_t requirements = 0;
};

TEST(OneDplDocuments, give_a_derived_backend_its_own_scratch_space) {
    ex::dynamic_load_policy<int, identity, scratching_backend> policy{std::vector{1}};
    ex::submit_and_wait(policy, return_resource);
    EXPECT_EQ(scratching_backend::requirements, 2U);
}

/// Counts the calls of its `lazy_report`.
class asked_backend : public ex::default_backend<int> {
  public:
    using ex::default_backend<int>::default_backend;
    void lazy_report() { ++calls; }
    static inline int calls = 0;
};

template <class Policy>
class OneDplLazyReport : public testing::Test {};
using lazy_policies = testing::Types<ex::fixed_resource_policy<int, identity, asked_backend>,
                                     ex::round_robin_policy<int, identity, asked_backend>,
                                     ex::dynamic_load_policy<int, identity, asked_backend>,
                                     ex::auto_tune_policy<int, identity, asked_backend>,
                                     uncopied_policy<int, identity, asked_backend>>;
TYPED_TEST_SUITE(OneDplLazyReport, lazy_policies);

TYPED_TEST(OneDplLazyReport, is_called_before_each_selection) {
    TypeParam policy{std::vector{1, 2}};
    asked_backend::calls = 0;
    ex::submit(policy, return_resource);
    EXPECT_EQ(asked_backend::calls, 1);
    EXPECT_TRUE(ex::try_submit(policy, return_resource).has_value());
    EXPECT_EQ(asked_backend::calls, 2);
    ex::submit_and_wait(policy, return_resource);
    EXPECT_EQ(asked_backend::calls, 3);
    auto selection = ex::select(policy, return_resource);
    EXPECT_EQ(asked_backend::calls, 4);
    ex::submit(selection, return_resource);
    EXPECT_EQ(asked_backend::calls, 4);
}

TEST(OneDplDocuments, return_the_policy_that_chose) {
    ex::round_robin_policy<int> policy{{1, 2, 3}};
    auto selection = ex::select(policy);
    ex::round_robin_policy<int> by_selection = selection.policy();
    EXPECT_EQ(ex::unwrap(ex::submit(by_selection, return_resource)), 2);
    auto submission = ex::submit(policy, return_resource);
    ex::round_robin_policy<int> by_submission = submission.get_policy();
    EXPECT_EQ(ex::unwrap(ex::submit(by_submission, return_resource)), 1);
}

template <class Policy>
class OneDplDeferred : public testing::Test {};
using policies = testing::Types<ex::fixed_resource_policy<int>, ex::round_robin_policy<int>,
                                ex::dynamic_load_policy<int>, ex::auto_tune_policy<int>>;
TYPED_TEST_SUITE(OneDplDeferred, policies);

TYPED_TEST(OneDplDeferred, throws_a_logic_error_from_every_function) {
    TypeParam policy{ex::deferred_initialization};
    EXPECT_THROW(static_cast<void>(ex::select(policy, return_resource)), std::logic_error);
    EXPECT_THROW(static_cast<void>(ex::try_submit(policy, return_resource)), std::logic_error);
    EXPECT_THROW(ex::submit_and_wait(policy, return_resource), std::logic_error);
}

}  // namespace
