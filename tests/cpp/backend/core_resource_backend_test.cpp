// SPDX-License-Identifier: Apache-2.0
// core_resource_backend: its reports, when it makes them, and the results it accepts.
#include "pointsman/backend/core_resource_backend.hpp"

#include <gtest/gtest.h>

#include <future>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "pointsman/backend/default_backend.hpp"
#include "support/manual_work.hpp"

namespace {

namespace info = pointsman::execution_info;
namespace t = pointsman::test;
using std::chrono::nanoseconds;

/// The reports received so far, in order.
struct journal {
    std::vector<std::string> events;
    std::optional<nanoseconds> time;
};

struct listening_selection {
    std::shared_ptr<journal> log = std::make_shared<journal>();
    int resource = 7;
    int unwrap() const { return resource; }
    void report(info::task_submission_t) const { log->events.push_back("submission"); }
    void report(info::task_completion_t) const { log->events.push_back("completion"); }
    void report(info::task_failure_t) const { log->events.push_back("failure"); }
    void report(info::task_time_t, nanoseconds time) const {
        log->events.push_back("time");
        log->time = time;
    }
    void report(info::task_time_bound_t, nanoseconds time) const {
        log->events.push_back("bound");
        log->time = time;
    }
};

using events = std::vector<std::string>;

struct CoreResourceBackend : ::testing::Test {
    pointsman::default_backend<int> backend{std::vector{7}};
    listening_selection selection;
    const events& reported() const { return selection.log->events; }
};

TEST_F(CoreResourceBackend, reports_a_plain_value_as_complete_at_return) {
    auto s = backend.submit(selection, [](int r, int x) { return r * x; }, 6);
    EXPECT_EQ(s.unwrap(), 42);
    EXPECT_EQ(reported(), (events{"submission", "time", "completion"}));
}

TEST_F(CoreResourceBackend, takes_void_functions_and_move_only_arguments) {
    std::unique_ptr<int> got;
    backend.submit(
        selection, [&](int, std::unique_ptr<int> p) { got = std::move(p); },
        std::make_unique<int>(3));
    EXPECT_EQ(*got, 3);
    EXPECT_EQ(reported().back(), "completion");
}

TEST_F(CoreResourceBackend, returns_move_only_results) {
    auto s = backend.submit(selection, [](int r) { return std::make_unique<int>(r); });
    EXPECT_EQ(*s.unwrap(), 7);
}

int plain_function(int r) { return r + 1; }

TEST_F(CoreResourceBackend, calls_plain_functions_and_const_callables) {
    EXPECT_EQ(backend.submit(selection, plain_function).unwrap(), 8);
    EXPECT_EQ(backend.submit(selection, &plain_function).unwrap(), 8);
    const auto callable = [](int r) { return r + 2; };
    EXPECT_EQ(backend.submit(selection, callable).unwrap(), 9);
}

TEST_F(CoreResourceBackend, reports_failure_and_completion_when_the_function_throws) {
    EXPECT_THROW(backend.submit(selection, [](int) { throw std::runtime_error{"no"}; }),
                 std::runtime_error);
    EXPECT_EQ(reported(), (events{"submission", "failure", "completion"}));
}

TEST_F(CoreResourceBackend, times_work_by_its_end_however_late_it_is_noticed) {
    t::calling_work work;
    const auto before = pointsman::clock::now();
    auto s = backend.submit(selection, [&](int) { return work; });
    const auto after = pointsman::clock::now();
    EXPECT_EQ(reported(), (events{"submission"}));
    const auto end = after + std::chrono::microseconds{50};
    work.succeed(end);
    s.wait();
    EXPECT_EQ(reported(), (events{"submission", "time", "completion"}));
    EXPECT_GE(*selection.log->time, end - after);
    EXPECT_LE(*selection.log->time, end - before);
}

TEST_F(CoreResourceBackend, reports_the_own_time_of_work_after_its_completion) {
    t::calling_work work;
    auto s = backend.submit(selection, [&](int) { return work; });
    work.state->end({.end = pointsman::clock::now() + std::chrono::seconds{1},
                     .own_time = std::chrono::microseconds{50}});
    s.wait();
    EXPECT_EQ(reported(), (events{"submission", "completion", "time"}));
    EXPECT_EQ(*selection.log->time, std::chrono::microseconds{50});
}

TEST_F(CoreResourceBackend, reports_no_own_time_of_work_that_failed) {
    t::calling_work work;
    auto s = backend.submit(selection, [&](int) { return work; });
    work.state->end({.end = pointsman::clock::now(),
                     .succeeded = false,
                     .own_time = std::chrono::microseconds{50}});
    EXPECT_THROW(s.wait(), std::runtime_error);
    EXPECT_EQ(reported(), (events{"submission", "failure", "completion"}));
}

TEST_F(CoreResourceBackend, marks_the_time_of_a_polled_future_as_a_bound) {
    std::promise<void> promise;
    auto s = backend.submit(selection, [&](int) { return promise.get_future(); });
    promise.set_value();
    s.wait();
    EXPECT_EQ(reported(), (events{"submission", "bound", "completion"}));
}

TEST_F(CoreResourceBackend, reports_no_time_for_work_that_failed) {
    t::calling_work work;
    auto s = backend.submit(selection, [&](int) { return work; });
    work.fail();
    EXPECT_THROW(s.wait(), std::runtime_error);
    EXPECT_EQ(reported(), (events{"submission", "failure", "completion"}));
}

TEST_F(CoreResourceBackend, reports_neither_time_nor_failure_for_an_unseen_completion) {
    t::waited_work work;
    static_cast<void>(backend.submit(selection, [&](int) { return work; }));
    EXPECT_EQ(reported(), (events{"submission", "completion"}));
    work.succeed();
}

struct pair_resource {
    int id;
    std::vector<int>* waited;
    void wait() { waited->push_back(id); }
};

TEST(CoreResourceBackendResource, returned_as_its_own_waitable_is_stored_once) {
    std::vector<int> waited;
    pointsman::default_backend<pair_resource> backend{{pair_resource{1, &waited}}};
    const auto resources = backend.get_resources();
    struct silent {
        const pair_resource& resource;
        const pair_resource& unwrap() const { return resource; }
    };
    for (int i = 0; i < 10; ++i) {
        static_cast<void>(backend.submit(silent{resources[0]}, [](pair_resource r) { return r; }));
    }
    backend.get_submission_group().wait();
    EXPECT_EQ(waited, (std::vector{1}));
}

TEST(DefaultBackend, takes_its_core_resource_from_the_adapter) {
    auto dereference = [](auto* p) { return *p; };
    EXPECT_TRUE((std::is_same_v<pointsman::core_resource_t<int*, decltype(dereference)>, int>));
    int value = 3;
    pointsman::default_backend<int*, decltype(dereference)> backend{{&value}, dereference};
    struct silent {
        int* resource;
        int* unwrap() const { return resource; }
    };
    auto s = backend.submit(silent{&value}, [](int* unadapted) { return *unadapted; });
    EXPECT_EQ(s.unwrap(), 3);
}

}  // namespace
