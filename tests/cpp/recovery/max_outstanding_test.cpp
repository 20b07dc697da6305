// SPDX-License-Identifier: Apache-2.0
// The bounded number of outstanding submissions.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <functional>
#include <stdexcept>
#include <stop_token>
#include <thread>

#include "pointsman/dynamic_selection.hpp"
#include "pointsman/recovery/recovering_policy.hpp"
#include "support/manual_work.hpp"
#include "support/work_list.hpp"

namespace pointsman::test {
namespace {

struct MaxOutstanding : ::testing::Test {
    recovering_policy<dynamic_load_policy<int>> p{dynamic_load_policy{{1, 2}},
                                                  {.max_outstanding = 2}};
    work_list<calling_work> works;
    std::function<calling_work(int)> begin = [this](int r) { return works.begin(r); };
};

TEST_F(MaxOutstanding, refuses_a_submission_too_many) {
    auto first = p.submit(begin);
    auto second = p.submit(begin);
    EXPECT_FALSE(p.try_submit(begin).has_value());
    works.at(0).succeed();
    EXPECT_TRUE(p.try_submit(begin).has_value());
    works.at(1).succeed();
    works.at(2).succeed();
}

TEST_F(MaxOutstanding, makes_a_submission_wait_for_a_place) {
    auto first = p.submit(begin);
    auto second = p.submit(begin);
    std::jthread submitter{[&] { p.submit(begin); }};
    works.at(0).fail();
    submitter.join();
    EXPECT_EQ(works.size(), 3U);
    works.at(1).succeed();
    works.at(2).succeed();
}

TEST_F(MaxOutstanding, gives_up_at_the_limits_of_the_options) {
    auto first = p.submit(begin);
    auto second = p.submit(begin);
    EXPECT_THROW(p.submit(submit_options{.timeout = std::chrono::milliseconds{1}}, begin),
                 submit_timeout);
    std::stop_source source;
    source.request_stop();
    EXPECT_THROW(p.submit(submit_options{.stop = source.get_token()}, begin), submit_stopped);
    works.at(0).succeed();
    works.at(1).succeed();
}

TEST_F(MaxOutstanding, frees_the_place_of_a_function_that_throws) {
    const std::function<calling_work(int)> fail = [](int) -> calling_work {
        throw std::domain_error{"no"};
    };
    for (int i = 0; i < 5; ++i) {
        EXPECT_THROW(p.submit(fail), std::domain_error);
    }
}

TEST_F(MaxOutstanding, keeps_a_fast_producer_within_bounds) {
    std::size_t most = 0;
    std::jthread worker{[&] {
        for (std::size_t i = 0; i < 500; ++i) {
            works.at(i).succeed();
        }
    }};
    for (int i = 0; i < 500; ++i) {
        p.submit(begin);
        const auto loads = p.policy().loads();
        most = std::max(most, loads[0] + loads[1]);
    }
    worker.join();
    EXPECT_LE(most, 2U);
}

}  // namespace
}  // namespace pointsman::test
