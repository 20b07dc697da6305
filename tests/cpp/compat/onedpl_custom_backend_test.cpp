// SPDX-License-Identifier: Apache-2.0
// Backends written for oneDPL: derived from its bases, specialised, or entirely user-defined.
#include <oneapi/dpl/dynamic_selection>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <future>
#include <memory>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

namespace ex = oneapi::dpl::experimental;

/// A device whose task times the test invents.
struct device {
    int id = 0;
    std::chrono::milliseconds pace{0};
};

/// A backend that shares nothing with oneDPL's and reports milliseconds.
template <class Resource = device, class ResourceAdapter = oneapi::dpl::identity>
class invented_time_backend final {
  public:
    using resource_type = Resource;
    using wait_type = int;
    using report_duration = std::chrono::milliseconds;

    template <class... ReportReqs>
    invented_time_backend(ReportReqs...) {}
    template <class... ReportReqs>
    invented_time_backend(const std::vector<resource_type>& resources, ResourceAdapter adapter = {},
                          ReportReqs...)
        : adapter_(adapter), resources_(resources) {
        static_assert(
            (ex::execution_info::contains_reporting_req_v<ReportReqs,
                                                          ex::execution_info::task_time_t> &&
             ...),
            "this backend reports only times");
    }

    template <class Selection, class F, class... Args>
    auto submit(Selection selection, F&& f, Args&&... args) {
        static_assert(!ex::report_info_v<Selection, ex::execution_info::task_submission_t>);
        static_assert(!ex::report_info_v<Selection, ex::execution_info::task_completion_t>);
        auto resource = ex::unwrap(selection);
        wait_type value = std::forward<F>(f)(resource, std::forward<Args>(args)...);
        if constexpr (ex::report_value_v<Selection, ex::execution_info::task_time_t,
                                         report_duration>) {
            ex::report(selection, ex::execution_info::task_time, adapter_(resource).pace);
        }
        return finished{value};
    }

    auto get_submission_group() { return group{}; }
    std::vector<resource_type> get_resources() const noexcept { return resources_; }

  private:
    struct finished {
        wait_type value;
        void wait() {}
        wait_type unwrap() { return value; }
    };
    struct group {
        void wait() {}
    };

    ResourceAdapter adapter_;
    std::vector<resource_type> resources_;
};

using own_auto_tune =
    ex::auto_tune_policy<device, oneapi::dpl::identity, invented_time_backend<device>>;

TEST(OneDplOwnBackend, reports_milliseconds_to_auto_tune_which_needs_only_times) {
    using namespace std::chrono_literals;
    own_auto_tune policy{std::vector<device>{{0, 50ms}, {1, 10ms}, {2, 70ms}}};
    static_assert(std::is_same_v<ex::wait_t<own_auto_tune>, int>);
    static_assert(ex::has_wait_type_v<own_auto_tune>);
    auto where = [](device d) { return d.id; };
    std::vector<int> runs(3);
    for (int i = 0; i < 6; ++i) {
        ++runs[ex::unwrap(ex::submit(policy, where))];
    }
    EXPECT_EQ(runs, (std::vector<int>{2, 2, 2}));
    for (int i = 0; i < 4; ++i) {
        EXPECT_EQ(ex::unwrap(ex::submit(policy, where)), 1);
    }
    EXPECT_EQ(policy.loads(), (std::vector<std::size_t>{0, 0, 0}));
    ex::wait(ex::get_submission_group(policy));
}

TEST(OneDplOwnBackend, has_no_load_after_a_function_throws) {
    own_auto_tune policy{std::vector<device>{{}, {}}};
    auto fail = [](device) -> int { throw std::runtime_error{"on purpose"}; };
    EXPECT_THROW(ex::submit(policy, fail), std::runtime_error);
    EXPECT_EQ(policy.loads(), (std::vector<std::size_t>{0, 0}));
}

TEST(OneDplOwnBackend, serves_policies_without_reports) {
    using backend = invented_time_backend<device>;
    ex::round_robin_policy<device, oneapi::dpl::identity, backend> policy{
        std::vector<device>{{0}, {1}}};
    auto where = [](device d) { return d.id; };
    EXPECT_EQ(ex::unwrap(ex::submit(policy, where)), 0);
    EXPECT_EQ(ex::unwrap(ex::submit(policy, where)), 1);
}

/// Keeps its selections and reports their completion on request.
template <class Resource>
class lazy_backend : public ex::backend_base<Resource> {
  public:
    template <class... ReportReqs>
    struct scratch_t {
        int submitted = 0;
    };

    template <class... ReportReqs>
    lazy_backend(ReportReqs...) {
        this->resources_.push_back(Resource{42});
    }
    template <class... ReportReqs>
    lazy_backend(const std::vector<Resource>& resources, oneapi::dpl::identity, ReportReqs...)
        : ex::backend_base<Resource>(resources) {}

    template <class Selection, class F, class... Args>
    auto submit(Selection selection, F&& f, Args&&... args) {
        ++selection.scratch_space.submitted;
        ex::report(selection, ex::execution_info::task_submission);
        auto value = std::forward<F>(f)(ex::unwrap(selection), std::forward<Args>(args)...);
        pending().push_back(std::make_unique<kept<Selection>>(selection));
        return submission<decltype(value)>{std::move(value)};
    }

    void lazy_report() { pending().clear(); }

  private:
    struct pending_report {
        virtual ~pending_report() = default;
    };
    template <class Selection>
    struct kept : pending_report {
        explicit kept(Selection s) : selection(s) { selection = s; }
        ~kept() override {
            EXPECT_EQ(selection.scratch_space.submitted, 1);
            ex::report(selection, ex::execution_info::task_completion);
        }
        Selection selection;
    };
    template <class T>
    struct submission {
        T value;
        void wait() {}
        T unwrap() { return value; }
    };

    auto& pending() { return pending_; }
    std::vector<std::unique_ptr<pending_report>> pending_;
};

TEST(OneDplBackendBase, serves_dynamic_load_with_late_reports_through_kept_selections) {
    using policy_t = ex::dynamic_load_policy<int, oneapi::dpl::identity, lazy_backend<int>>;
    static_assert(ex::backend_traits<ex::backend_t<policy_t>>::lazy_report_v);
    policy_t policy{std::vector<int>{1, 2}};
    ex::submit(policy, [](int resource) { return resource; });
    EXPECT_EQ(policy.loads(), (std::vector<std::size_t>{1, 0}));
    ex::submit(policy, [](int resource) { return resource; });
    EXPECT_EQ(policy.loads()[0] + policy.loads()[1], 1U);
}

TEST(OneDplBackendBase, gives_a_policy_the_resources_that_it_discovers) {
    ex::round_robin_policy<int, oneapi::dpl::identity, lazy_backend<int>> policy;
    EXPECT_EQ(ex::get_resources(policy), std::vector<int>{42});
}

/// Runs its tasks on its own threads, which report the completion.
template <class Resource>
class threaded_backend : public ex::backend_base<Resource> {
  public:
    using ex::backend_base<Resource>::backend_base;

    template <class Selection, class F, class... Args>
    auto submit(Selection selection, F f, Args... args) {
        ex::report(selection, ex::execution_info::task_submission);
        return submission{std::async(std::launch::async, [=]() mutable {
            f(ex::unwrap(selection), args...);
            ex::report(selection, ex::execution_info::task_completion);
        })};
    }

  private:
    struct submission {
        std::future<void> done;
        void wait() { done.wait(); }
        void unwrap() { done.get(); }
    };
};

TEST(OneDplBackendBase, may_report_from_another_thread) {
    ex::dynamic_load_policy<int, oneapi::dpl::identity, threaded_backend<int>> policy{
        std::vector<int>{1, 2}};
    std::promise<void> promise;
    auto begin = promise.get_future().share();
    std::atomic<int> sum = 0;
    auto task = [&](int resource) {
        begin.wait();
        sum += resource;
    };
    auto first = ex::submit(policy, task);
    auto second = ex::submit(policy, task);
    EXPECT_EQ(policy.loads(), (std::vector<std::size_t>{1, 1}));
    promise.set_value();
    ex::wait(first);
    ex::wait(second);
    EXPECT_EQ(sum, 3);
    EXPECT_EQ(policy.loads(), (std::vector<std::size_t>{0, 0}));
}

/// Counts its submissions; its base class does everything else.
class counting_backend : public ex::default_backend<int> {
  public:
    static inline int submissions = 0;
    using ex::default_backend<int>::default_backend;

    template <class Selection, class F, class... Args>
    auto submit(Selection selection, F&& f, Args&&... args) {
        ++submissions;
        return ex::default_backend<int>::submit(selection, std::forward<F>(f),
                                                std::forward<Args>(args)...);
    }
};

TEST(OneDplDefaultBackend, may_be_derived_from) {
    ex::auto_tune_policy<int, oneapi::dpl::identity, counting_backend> policy{
        std::vector<int>{1, 2}};
    ex::dynamic_load_policy<int, oneapi::dpl::identity, counting_backend> other{
        std::vector<int>{1, 2}};
    EXPECT_EQ(ex::unwrap(ex::submit(policy, [](int resource) { return resource; })), 1);
    EXPECT_EQ(ex::unwrap(ex::submit(other, [](int resource) { return resource; })), 1);
    EXPECT_EQ(counting_backend::submissions, 2);
    EXPECT_EQ(policy.loads(), (std::vector<std::size_t>{0, 0}));
    EXPECT_EQ(other.loads(), (std::vector<std::size_t>{0, 0}));
    ex::wait(ex::get_submission_group(policy));
}

/// Defines only what every backend must have.
template <class Resource>
class plain_backend : public ex::backend_base<Resource> {
  public:
    using ex::backend_base<Resource>::backend_base;
};

TEST(OneDplBackendBase, submits_and_returns_the_result_of_the_function) {
    ex::round_robin_policy<int, oneapi::dpl::identity, plain_backend<int>> policy{
        std::vector<int>{1, 2}};
    EXPECT_EQ(ex::unwrap(ex::submit(policy, [](int resource) { return resource; })), 1);
    ex::submit_and_wait(policy, [](int) {});
}

TEST(OneDplBackendTraits, find_the_scratch_space_that_a_backend_names) {
    using info = ex::execution_info::task_time_t;
    using lazy = ex::backend_traits<lazy_backend<int>>;
    using plain = ex::backend_traits<plain_backend<int>>;
    static_assert(
        std::is_same_v<lazy::selection_scratch_t<info>, lazy_backend<int>::scratch_t<info>>);
    static_assert(std::is_same_v<plain::selection_scratch_t<info>, ex::no_scratch_t<info>>);
    static_assert(!plain::has_wait_type_v);
    static_assert(std::is_same_v<ex::backend_traits<invented_time_backend<>>::wait_type, int>);
}

struct printer {
    int id = 0;
};

}  // namespace

/// The backend of printers, which counts the printed pages.
template <class Resource, class ResourceAdapter>
class oneapi::dpl::experimental::core_resource_backend<printer, Resource, ResourceAdapter>
    : public backend_base<Resource> {
  public:
    static inline int pages = 0;

    template <class... ReportReqs>
    core_resource_backend(ReportReqs...) {}
    template <class... ReportReqs>
    core_resource_backend(const std::vector<Resource>& resources, ResourceAdapter adapter,
                          ReportReqs...)
        : backend_base<Resource>(resources), adapter_(adapter) {}

    template <class Selection, class F, class... Args>
    auto submit(Selection selection, F&& f, Args&&... args) {
        ++pages;
        return backend_base<Resource>::submit(selection, std::forward<F>(f),
                                              std::forward<Args>(args)...);
    }

  private:
    ResourceAdapter adapter_;
};

namespace {

TEST(OneDplCoreResourceBackend, may_be_specialised_for_a_resource_and_types_adapted_to_it) {
    printer first{1};
    auto adapter = [](printer* p) -> printer& { return *p; };
    ex::fixed_resource_policy direct{{first}};
    ex::fixed_resource_policy<printer*, decltype(adapter)> adapted{{&first}, adapter};
    EXPECT_EQ(ex::unwrap(ex::submit(direct, [](printer p) { return p.id; })), 1);
    EXPECT_EQ(ex::unwrap(ex::submit(adapted, [](printer* p) { return p->id; })), 1);
    EXPECT_EQ((ex::core_resource_backend<printer, printer, oneapi::dpl::identity>::pages), 1);
    EXPECT_EQ((ex::core_resource_backend<printer, printer*, decltype(adapter)>::pages), 1);
}

}  // namespace
