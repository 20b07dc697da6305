// SPDX-License-Identifier: Apache-2.0
// The minimal backend: it calls the function, waits for whole resources, and reports nothing.
#include "pointsman/backend/backend_base.hpp"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "pointsman/dynamic_selection.hpp"

namespace {

struct counted_resource {
    int* waits;
    void wait() const { ++*waits; }
};

TEST(BackendBase, calls_the_function_and_waits_for_whole_resources) {
    int waits = 0;
    pointsman::backend_base<counted_resource> backend{{{&waits}, {&waits}}};
    struct silent {
        counted_resource resource;
        counted_resource unwrap() const { return resource; }
    };
    const auto resources = backend.get_resources();
    EXPECT_EQ(backend.submit(silent{resources[0]}, [](counted_resource) { return 3; }).unwrap(), 3);
    backend.get_submission_group().wait();
    EXPECT_EQ(waits, 2);
}

TEST(BackendBase, keeps_its_resources_for_derived_backends) {
    struct derived : pointsman::backend_base<int> {
        using pointsman::backend_base<int>::backend_base;
        int first() const { return resources_.front(); }
    };
    EXPECT_EQ((derived{std::vector{4, 5}}.first()), 4);
}

TEST(ResourceGroup, waits_for_the_adapted_form_of_each_resource) {
    int waits = 0;
    counted_resource one{&waits};
    counted_resource other{&waits};
    pointsman::resource_group group{std::vector{&one, &other}, [](auto* p) { return *p; }};
    group.wait();
    EXPECT_EQ(waits, 2);
}

/// Reports by itself and leaves the call to the base class.
class reporting_backend : public pointsman::backend_base<int> {
  public:
    using backend_base::backend_base;

    template <class Selection, class F, class... Args>
    auto submit(Selection selection, F&& f, Args&&... args) {
        pointsman::report(selection, pointsman::execution_info::task_submission);
        auto submission =
            backend_base::submit(selection, std::forward<F>(f), std::forward<Args>(args)...);
        pointsman::report(selection, pointsman::execution_info::task_completion);
        return submission;
    }
};

static_assert(pointsman::detail::submits_unreported<pointsman::backend_base<int>>);
static_assert(!pointsman::detail::submits_unreported<reporting_backend>);
static_assert(!pointsman::detail::submits_unreported<pointsman::default_backend<int>>);

TEST(BackendBase, submits_for_a_derived_backend_that_reports) {
    pointsman::dynamic_load_policy<int, pointsman::identity, reporting_backend> p{{1, 2}};
    EXPECT_EQ(p.submit([](int r, int x) { return r * x; }, 3).unwrap(), 3);
    EXPECT_EQ(p.loads(), (std::vector<std::size_t>{0, 0}));
}

}  // namespace
