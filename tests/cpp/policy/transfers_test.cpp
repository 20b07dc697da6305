// SPDX-License-Identifier: Apache-2.0
// Policies that measure count how long the arguments of a task are under way.
#include "pointsman/tuning/transfers_of.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <utility>
#include <vector>

#include "pointsman/policy/auto_tune_policy.hpp"
#include "pointsman/policy/earliest_finish_policy.hpp"
#include "pointsman/tuning/forwarded_task.hpp"
#include "support/manual_work.hpp"

namespace {

namespace t = pointsman::test;
using std::chrono::seconds;

/// Takes as long as its resource says; its arguments are under way for `under_way` nanoseconds.
struct sent_task {
    std::vector<double> under_way{};

    [[nodiscard]] const std::vector<double>& transfers() const { return under_way; }
    t::calling_work operator()(seconds time) const { return t::ended_after(time); }
};

template <class Policy>
class TransferPolicy : public testing::Test {
  protected:
    TransferPolicy() {
        for (int i = 0; i < 50; ++i) {
            static_cast<void>(policy.submit(sent_task{}));
        }
    }
    /// The resource for a task whose arguments are under way for so long.
    seconds chosen(std::vector<double> under_way) {
        return policy.select(sent_task{std::move(under_way)}).unwrap();
    }

    Policy policy{{seconds{100}, seconds{200}}};
};
using transfer_policies = testing::Types<pointsman::auto_tune_policy<seconds>,
                                         pointsman::earliest_finish_policy<seconds>>;
TYPED_TEST_SUITE(TransferPolicy, transfer_policies);

TYPED_TEST(TransferPolicy, prefers_a_slower_resource_that_has_the_data) {
    EXPECT_EQ(this->chosen({1e12, 0}), seconds{200});
}

TYPED_TEST(TransferPolicy, sends_data_that_arrives_soon_to_the_faster_resource) {
    EXPECT_EQ(this->chosen({10e9, 0}), seconds{100});
}

TYPED_TEST(TransferPolicy, forgets_the_transfer_after_the_task) {
    static_cast<void>(this->chosen({1e12, 0}));
    EXPECT_EQ(this->chosen({}), seconds{100});
}

TYPED_TEST(TransferPolicy, takes_no_transfer_for_resources_beyond_the_end) {
    EXPECT_EQ(this->chosen({1e12}), seconds{200});
}

TEST(TransfersOf, are_those_of_a_forwarded_task) {
    sent_task task{{1, 2}};
    const pointsman::forwarded_task<sent_task> forwarded{task};
    EXPECT_EQ(pointsman::transfers_of(forwarded).size(), 2U);
}

/// Says how long its argument is under way once it has seen the resources.
struct asked_task {
    void look_for_transfers(const std::vector<seconds>& resources) const {
        under_way.assign(resources.size(), 0);
        under_way.front() = 1e12;
    }
    [[nodiscard]] const std::vector<double>& transfers() const { return under_way; }
    t::calling_work operator()(seconds time) const { return t::ended_after(time); }

    mutable std::vector<double> under_way{};
};

TYPED_TEST(TransferPolicy, lets_the_task_look_at_the_resources_before_the_choice) {
    const asked_task task;
    for (int i = 0; i < 50; ++i) {
        static_cast<void>(this->policy.submit(task));
    }
    EXPECT_EQ(this->policy.select(task).unwrap(), seconds{200});
}

TEST(TransfersOf, are_none_for_a_callable_that_does_not_say) {
    EXPECT_TRUE(pointsman::transfers_of([] {}).empty());
}

}  // namespace
