// SPDX-License-Identifier: Apache-2.0
// User-defined policies, selections and backends in every form that the documents allow.
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <random>
#include <type_traits>
#include <utility>
#include <vector>

#include "pointsman/dynamic_selection.hpp"

namespace {

namespace pm = pointsman;

TEST(Selections, are_submitted_by_members_or_by_free_functions) {
    pm::round_robin_policy p{{1, 2}};
    auto first = p.select();
    EXPECT_EQ(p.submit(first, [](int r, int x) { return r + x; }, 3).unwrap(), 4);
    int got = 0;
    p.submit_and_wait(p.select(), [&](int r) { got = r; });
    EXPECT_EQ(got, 2);
}

/// Defines everything itself; its selection offers the policy only as `get_policy()`.
struct lone_policy {
    using resource_type = int;
    struct selection_type {
        lone_policy* chosen_by;
        int unwrap() const { return 7; }
        lone_policy& get_policy() const { return *chosen_by; }
    };
    std::vector<int> get_resources() const { return {7}; }
    template <class... Args>
    selection_type select(const Args&...) {
        return {this};
    }
    template <class F, class... Args>
    auto submit(selection_type chosen, F&& f, Args&&... args) {
        ++submissions;
        return pm::default_submission{
            std::forward<F>(f)(chosen.unwrap(), std::forward<Args>(args)...)};
    }
    int submissions = 0;
};

TEST(Selections, are_passed_to_the_submit_that_their_policy_defines) {
    lone_policy p;
    const auto chosen = pm::select(p);
    EXPECT_EQ(pm::submit(chosen, [](int r, int x) { return r + x; }, 1).unwrap(), 8);
    EXPECT_EQ(p.submissions, 1);
}

TEST(Selections, are_created_by_submit_for_a_policy_that_only_accepts_selections) {
    lone_policy p;
    EXPECT_EQ(pm::submit(p, [](int r) { return r; }).unwrap(), 7);
    EXPECT_EQ(pm::submit(p, [](int r, int x) { return r + x; }, 1).unwrap(), 8);
    int got = 0;
    pm::submit_and_wait(p, [&](int r) {
        got = r;
        return r;
    });
    EXPECT_EQ(got, 7);
    EXPECT_EQ(p.submissions, 3);
}

/// Like `lone_policy`, but its `select` takes no task, and it has its own `submit_and_wait` for a selection.
struct blind_policy {
    using resource_type = int;
    using selection_type = lone_policy::selection_type;
    std::vector<int> get_resources() const { return {7}; }
    selection_type select() { return lone.select(); }
    template <class F, class... Args>
    auto submit(const selection_type& chosen, F&& f, Args&&... args) {
        return lone.submit(chosen, std::forward<F>(f), std::forward<Args>(args)...);
    }
    template <class F, class... Args>
    void submit_and_wait(const selection_type& chosen, F&& f, Args&&... args) {
        pm::wait(submit(chosen, std::forward<F>(f), std::forward<Args>(args)...));
    }
    lone_policy lone;
};

TEST(Selections, are_created_by_submit_whether_or_not_they_depend_on_the_task) {
    blind_policy p;
    EXPECT_EQ(pm::submit(p, [](int r, int x) { return r + x; }, 1).unwrap(), 8);
    pm::submit_and_wait(p, [](int r) { return r; });
    EXPECT_EQ(p.lone.submissions, 2);
}

/// Submits both tasks and selections: its own way to submit a task takes precedence.
struct choosy_policy : lone_policy {
    using lone_policy::submit;
    template <class F, class... Args>
        requires(!pm::selection<std::decay_t<F>>)
    auto submit(F&& f, Args&&... args) {
        return pm::default_submission{std::forward<F>(f)(9, std::forward<Args>(args)...)};
    }
};

TEST(Selections, are_not_created_for_a_policy_that_submits_tasks_itself) {
    choosy_policy p;
    EXPECT_EQ(pm::submit(p, [](int r, int x) { return r + x; }, 1).unwrap(), 10);
    EXPECT_EQ(p.submissions, 0);
}

/// Cannot be copied, like the documents' random policy with its `std::random_device`.
class entropy_policy
    : public pm::policy_base<entropy_policy, pm::identity, pm::default_backend<int>> {
  public:
    using selection_type = pm::basic_selection_handle_t<entropy_policy, int>;
    explicit entropy_policy(const std::vector<int>& resources) { initialize(resources); }
    template <class... Args>
    std::shared_ptr<selection_type> try_select_impl(const Args&...) {
        const auto all = get_resources();
        return std::make_shared<selection_type>(*this, all[source_() % all.size()]);
    }

  private:
    std::random_device source_;
};

TEST(Selections, of_a_policy_that_cannot_be_copied_can_be_submitted) {
    entropy_policy p{{5}};
    const auto chosen = pm::select(p);
    EXPECT_EQ(pm::submit(chosen, [](int r) { return r; }).unwrap(), 5);
    EXPECT_EQ(pm::submit(p, [](int r) { return r; }).unwrap(), 5);
}

/// Finds a resource at the third attempt, and leaves its arguments unchanged until then.
struct patient_policy {
    using resource_type = int;
    std::vector<int> get_resources() const { return {1}; }
    template <class F, class... Args>
    auto try_submit(F&& f, Args&&... args) {
        using submission = pm::default_submission<int>;
        return ++tries < 3 ? std::shared_ptr<submission>{}
                           : std::make_shared<submission>(
                                 std::forward<F>(f)(1, std::forward<Args>(args)...));
    }
    int tries = 0;
};

TEST(DerivedSubmit, passes_move_only_arguments) {
    patient_policy p;
    const auto add = [](int r, std::unique_ptr<int> x) { return r + *x; };
    EXPECT_EQ(pm::submit(p, add, std::make_unique<int>(2)).unwrap(), 3);
    EXPECT_EQ(p.tries, 3);
}

struct event {
    int* waits;
    void wait() { ++*waits; }
};

TEST(Unwrap, returns_a_waitable_that_can_be_waited_for) {
    pm::round_robin_policy p{{1, 2}};
    int waits = 0;
    auto submission = pm::submit(p, [&](int) { return event{&waits}; });
    pm::unwrap(submission).wait();
    EXPECT_EQ(waits, 1);
    submission.wait();
    EXPECT_EQ(waits, 2);
}

/// The documents' shortest backend: it reports nothing and returns the function's result.
class plain_backend : public pm::backend_base<int> {
  public:
    using backend_base::backend_base;
    template <class Selection, class F, class... Args>
    auto submit(Selection chosen, F&& f, Args&&... args) {
        return pm::default_submission{
            std::forward<F>(f)(pm::unwrap(chosen), std::forward<Args>(args)...)};
    }
};

TEST(OwnBackend, may_return_the_waitable_of_the_function) {
    pm::round_robin_policy<int, pm::identity, plain_backend> p{{1, 2}};
    int waits = 0;
    auto submission = p.submit([&](int) { return event{&waits}; });
    submission.wait();
    EXPECT_EQ(waits, 1);
    EXPECT_EQ(p.submit([](int r) { return r; }).unwrap(), 2);
}

/// Extends the default backend and passes its selection on unchanged.
class counting_backend : public pm::default_backend<int> {
  public:
    using default_backend::default_backend;
    template <class Selection, class F, class... Args>
    auto submit(Selection chosen, F&& f, Args&&... args) {
        ++count;
        return default_backend<int>::submit(chosen, std::forward<F>(f),
                                            std::forward<Args>(args)...);
    }
    static inline int count = 0;
};

TEST(OwnBackend, may_pass_its_selection_on_to_the_default_backend) {
    pm::dynamic_load_policy<int, pm::identity, counting_backend> p{{1, 2}};
    EXPECT_EQ(p.submit([](int r) { return r; }).unwrap(), 1);
    EXPECT_EQ(p.loads(), (std::vector<std::size_t>{0, 0}));
    EXPECT_EQ(counting_backend::count, 1);
}

struct final_submit final {
    using resource_type = int;
    std::vector<int> get_resources() const { return {1}; }
    template <class F, class... Args>
    auto submit(F&& f, Args&&... args) {
        return pm::default_submission{std::forward<F>(f)(1, std::forward<Args>(args)...)};
    }
};
struct final_try_submit final {
    using resource_type = int;
    std::vector<int> get_resources() const { return {1}; }
    template <class F, class... Args>
    auto try_submit(F&& f, Args&&... args) {
        return inner.try_submit(std::forward<F>(f), std::forward<Args>(args)...);
    }
    patient_policy inner;
};
struct final_submit_and_wait final {
    using resource_type = int;
    std::vector<int> get_resources() const { return {1}; }
    template <class F>
    void submit_and_wait(F&& f) {
        std::forward<F>(f)(1);
    }
};
class final_base_policy final
    : public pm::policy_base<final_base_policy, pm::identity, pm::default_backend<int>> {
  public:
    using selection_type = pm::basic_selection_handle_t<final_base_policy, int>;
    final_base_policy() { initialize({3}); }
    template <class... Args>
    std::optional<selection_type> try_select_impl(const Args&...) {
        return selection_type{*this, 3};
    }
};

TEST(FinalPolicies, are_accepted_with_each_way_to_submit) {
    const auto add = [](int r, int x) { return r + x; };
    final_submit submits;
    EXPECT_EQ(pm::submit(submits, add, 1).unwrap(), 2);
    pm::submit_and_wait(submits, add, 1);
    final_try_submit tries;
    EXPECT_EQ(pm::submit(tries, add, 1).unwrap(), 2);
    EXPECT_TRUE(pm::try_submit(tries, add, 1));
    int got = 0;
    final_submit_and_wait waits;
    pm::submit_and_wait(waits, [&](int r) { got = r; });
    EXPECT_EQ(got, 1);
    final_base_policy derived;
    EXPECT_EQ(pm::submit(derived, add, 1).unwrap(), 4);
    EXPECT_EQ(pm::try_submit(derived, add, 1)->unwrap(), 4);
    EXPECT_EQ(pm::submit(pm::select(derived), add, 1).unwrap(), 4);
}

/// A policy of a library unrelated to pointsman: its traits add the missing names.
struct foreign_policy {
    std::vector<long> get_resources() const { return {5}; }
    template <class F>
    auto submit(F&& f) {
        return pm::default_submission{std::forward<F>(f)(5L)};
    }
};

}  // namespace

template <>
struct pointsman::policy_traits<foreign_policy> {
    using resource_type = long;
};

namespace {

TEST(PolicyTraits, may_be_specialised_for_a_policy_that_names_nothing) {
    EXPECT_TRUE(pm::policy<foreign_policy>);
    EXPECT_TRUE((std::is_same_v<pm::resource_t<foreign_policy>, long>));
    foreign_policy p;
    EXPECT_EQ(pm::get_resources(p), std::vector{5L});
    EXPECT_EQ(pm::submit(p, [](long r) { return r; }).unwrap(), 5);
    pm::submit_and_wait(p, [](long r) { return r; });
}

/// A backend whose functions must return an `event`.
class event_backend : public pm::backend_base<int> {
  public:
    using backend_base::backend_base;
    using wait_type = event;
};

TEST(WaitType, may_be_returned_by_value_or_by_reference) {
    pm::round_robin_policy<int, pm::identity, event_backend> p{{1, 2}};
    int waits = 0;
    event kept{&waits};
    p.submit([&](int) { return kept; }).wait();
    pm::submit_and_wait(p, [&](int) -> const event { return kept; });
    EXPECT_EQ(waits, 2);
}

}  // namespace
