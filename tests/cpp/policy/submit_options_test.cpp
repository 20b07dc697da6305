// SPDX-License-Identifier: Apache-2.0
// A timeout or a stop request ends the search for a free resource.
#include "pointsman/submission/submit_options.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <thread>
#include <vector>

#include "pointsman/dynamic_selection.hpp"
#include "support/message_of.hpp"

namespace {

using namespace std::chrono_literals;
using pointsman::submit_options;
namespace t = pointsman::test;

/// Has one resource, which the test marks as free or busy; counts the attempts to select it.
class gate_policy : public pointsman::policy_base<gate_policy, pointsman::identity,
                                                  pointsman::default_backend<int>> {
    using base =
        pointsman::policy_base<gate_policy, pointsman::identity, pointsman::default_backend<int>>;

  public:
    using base::selection_type;
    gate_policy() { base::initialize(std::vector{7}); }
    explicit gate_policy(pointsman::deferred_initialization_t) {}

    template <class... Args>
    std::optional<selection_type> try_select_impl(Args&&...) {
        attempts.fetch_add(1);
        attempts.notify_all();
        return open ? std::optional{selection_type{*this, 7}} : std::nullopt;
    }
    /// Blocks until a `submit` has failed twice, as it does before it sleeps.
    void await_a_waiter() {
        for (int seen = attempts.load(); seen < 2; seen = attempts.load()) {
            attempts.wait(seen);
        }
    }

    static inline std::atomic<bool> open{false};
    static inline std::atomic<int> attempts{0};
};

struct SubmitOptions : ::testing::Test {
    SubmitOptions() {
        gate_policy::open = false;
        gate_policy::attempts = 0;
    }
    gate_policy p;
    bool called = false;
};

TEST_F(SubmitOptions, bound_a_select_too) {
    EXPECT_THROW(static_cast<void>(p.select(submit_options{.timeout = 0ms}, 1)),
                 pointsman::submit_timeout);
    gate_policy::open = true;
    EXPECT_EQ(p.select(submit_options{.timeout = 0ms}, 1).unwrap(), 7);
}

TEST_F(SubmitOptions, a_timeout_ends_the_search_and_calls_nothing) {
    EXPECT_THROW(pointsman::submit(p, submit_options{.timeout = 2ms}, [&](int) { called = true; }),
                 pointsman::submit_timeout);
    EXPECT_FALSE(called);
    EXPECT_GE(p.attempts.load(), 2);
}

TEST_F(SubmitOptions, a_timeout_names_the_duration_and_the_remedy) {
    const auto message = t::message_of<std::runtime_error>(
        [&] { pointsman::submit_and_wait(p, submit_options{.timeout = 0ns}, [](int) {}); });
    EXPECT_EQ(message,
              "no resource became free within 0 ns: raise submit_options::timeout, or add "
              "resources");
}

TEST_F(SubmitOptions, a_timeout_does_not_matter_when_a_resource_is_free) {
    p.open = true;
    EXPECT_EQ(
        pointsman::submit(p, submit_options{.timeout = 0ns}, [](int r) { return r; }).unwrap(), 7);
}

TEST_F(SubmitOptions, a_timeout_beyond_the_clock_is_no_limit) {
    std::jthread opener{[this] {
        p.await_a_waiter();
        p.open = true;
        p.notify();
    }};
    const submit_options longest{.timeout = pointsman::clock::duration::max()};
    EXPECT_EQ(p.submit(longest, [](int r) { return r; }).unwrap(), 7);
}

TEST_F(SubmitOptions, a_negative_timeout_is_refused_with_value_and_remedy) {
    for (const bool is_free : {false, true}) {
        p.open = is_free;
        const auto message = t::message_of<std::invalid_argument>(
            [&] { p.submit(submit_options{.timeout = -5ns}, [&](int) { called = true; }); });
        EXPECT_EQ(message, "timeout is -5 ns: pass zero, which tries once, or a positive duration");
        EXPECT_FALSE(called);
    }
}

TEST_F(SubmitOptions, a_requested_stop_ends_a_waiting_submit) {
    std::stop_source source;
    std::jthread stopper{[&] {
        p.await_a_waiter();
        source.request_stop();
    }};
    EXPECT_THROW(pointsman::submit(p, submit_options{.stop = source.get_token()},
                                   [&](int) { called = true; }),
                 pointsman::submit_stopped);
    EXPECT_FALSE(called);
}

TEST_F(SubmitOptions, a_stop_does_not_matter_when_a_resource_is_free) {
    std::stop_source source;
    source.request_stop();
    p.open = true;
    pointsman::submit_and_wait(p, submit_options{.stop = source.get_token()},
                               [&](int) { called = true; });
    EXPECT_TRUE(called);
}

TEST_F(SubmitOptions, goes_on_when_the_policy_is_notified_of_a_free_resource) {
    std::jthread opener{[this] {
        p.await_a_waiter();
        p.open = true;
        p.notify();
    }};
    EXPECT_EQ(pointsman::submit(p, [](int r) { return r; }).unwrap(), 7);
}

/// Has only the members that the named requirement lists.
struct lone_policy {
    using resource_type = int;
    std::vector<int> get_resources() const { return {7}; }
    template <class F, class... Args>
    auto try_submit(F&& f, Args&&... args) {
        using result = std::invoke_result_t<F, int, Args...>;
        return ++tries > 2 ? std::optional{pointsman::default_submission<result>{
                                 f(7, std::forward<Args>(args)...)}}
                           : std::nullopt;
    }
    int tries = 0;
};

TEST(SubmitOptionsOfAMinimalPolicy, bound_its_derived_submit_too) {
    lone_policy p;
    EXPECT_THROW(pointsman::submit(p, submit_options{.timeout = 0ns}, [](int r) { return r; }),
                 pointsman::submit_timeout);
    EXPECT_EQ(p.tries, 1);
    EXPECT_EQ(
        pointsman::submit(p, submit_options{}, [](int r, int x) { return r + x; }, 1).unwrap(), 8);
    EXPECT_EQ(p.tries, 3);
}

}  // namespace
