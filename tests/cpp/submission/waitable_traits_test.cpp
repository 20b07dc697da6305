// SPDX-License-Identifier: Apache-2.0
// The completion kind that waitable_traits finds for a returned object.
#include "pointsman/submission/waitable.hpp"

#include <gtest/gtest.h>

#include <future>
#include <string>

#include "support/manual_work.hpp"

namespace {

using pointsman::rung_of;
using pointsman::waitable;
using pointsman::waitable_rung;
namespace t = pointsman::test;

static_assert(!waitable<int> && !waitable<std::string> && !waitable<void>);
static_assert(waitable<t::calling_work> && waitable<t::polled_work> && waitable<t::waited_work>);
static_assert(waitable<std::future<int>> && waitable<std::shared_future<void>>);

TEST(WaitableRung, is_the_best_that_a_type_offers) {
    EXPECT_EQ(rung_of(3), waitable_rung::complete_at_return);
    EXPECT_EQ(rung_of(t::calling_work{}), waitable_rung::calls_back);
    EXPECT_EQ(rung_of(t::polled_work{}), waitable_rung::polled);
    EXPECT_EQ(rung_of(t::waited_work{}), waitable_rung::waited);
}

TEST(WaitableRung, of_a_future_depends_on_its_state) {
    std::promise<int> promise;
    EXPECT_EQ(rung_of(promise.get_future()), waitable_rung::polled);
    EXPECT_EQ(rung_of(std::async(std::launch::deferred, [] {})), waitable_rung::waited);
    EXPECT_EQ(rung_of(std::future<int>{}), waitable_rung::complete_at_return);
}

struct foreign_work {
    bool finished = false;
};

}  // namespace

template <>
struct pointsman::waitable_traits<foreign_work> {
    static bool is_ready(foreign_work& work) { return work.finished; }
};

namespace {

TEST(WaitableTraits, add_a_type_by_specialisation) {
    EXPECT_TRUE(waitable<foreign_work>);
    EXPECT_EQ(rung_of(foreign_work{}), waitable_rung::polled);
}

}  // namespace
