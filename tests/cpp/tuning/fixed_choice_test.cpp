// SPDX-License-Identifier: Apache-2.0
// Cost models and policies that are frozen, and kinds of tasks that are pinned.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "pointsman/dynamic_selection.hpp"
#include "pointsman/tuning/cost_model.hpp"
#include "pointsman/tuning/stable_task_key.hpp"

namespace pointsman {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

task_key blur_of(int size) { return stable_task_key("blur", "sum / 9", size); }

/// Ten exact timings of a mean that does not scatter.
model_record timings_of(int size, std::size_t resource, double mean) {
    return {blur_of(size), resource, {10, mean, std::log(mean), 0, 0}, true};
}
/// The second resource takes half the time.
const std::array known_of_blur{timings_of(1'000, 0, 40'000), timings_of(1'000, 1, 20'000)};

learning_settings frozen(std::optional<std::size_t> default_resource = {}) {
    learning_settings settings;
    settings.mode = learning_mode::frozen;
    settings.default_resource = default_resource;
    return settings;
}

/// Runs a task that takes `time`; returns where the model put it.
std::size_t run_blur(cost_model& model, int size, std::chrono::nanoseconds time = 20us) {
    auto& kind = model.find(blur_of(size));
    const auto chosen = model.choose(kind, std::vector<double>(model.size()));
    cost_model::reserve(kind, chosen.index);
    model.learn(kind, chosen.index, time);
    cost_model::release(kind, chosen.index);
    return chosen.index;
}

struct stable_blur {
    [[nodiscard]] pointsman::task_key task_key() const { return blur_of(1'000); }
    int operator()(int resource) const { return resource; }
};

TEST(FrozenModel, never_leaves_the_best_of_its_records) {
    cost_model model{2, frozen()};
    model.take(known_of_blur);
    for (int i = 0; i < 5'000; ++i) {
        ASSERT_EQ(run_blur(model, 1'000, 900us), 1U) << i;
    }
    EXPECT_EQ(model.estimate(model.find(blur_of(1'000)), 1), 20us);
    ASSERT_EQ(model.records().size(), 2U);
    EXPECT_EQ(model.records()[1].timings, known_of_blur[1].timings);
}

TEST(FrozenModel, learns_nothing_from_failures) {
    cost_model model{2, frozen()};
    model.take(known_of_blur);
    auto& kind = model.find(blur_of(1'000));
    for (int i = 0; i < 20; ++i) {
        cost_model::reserve(kind, 1);
        model.fail(kind, 1);
        cost_model::release(kind, 1);
        EXPECT_EQ(run_blur(model, 1'000), 1U);
    }
}

TEST(FrozenModel, predicts_other_sizes_of_what_it_knows) {
    cost_model model{2, frozen()};
    model.take(known_of_blur);
    EXPECT_EQ(run_blur(model, 4'000), 1U);
}

TEST(FrozenModel, refuses_what_it_does_not_know) {
    cost_model model{2, frozen()};
    EXPECT_THROW(run_blur(model, 1'000), unknown_kind);
    try {
        run_blur(model, 1'000);
    } catch (const unknown_kind& refused) {
        EXPECT_THAT(refused.what(), testing::ContainsRegex("[0-9a-f]{16}-[0-9a-f]{16}"));
    }
}

TEST(FrozenModel, puts_what_it_does_not_know_on_the_default) {
    for (const std::size_t index : {0U, 1U}) {
        cost_model model{2, frozen(index)};
        for (int i = 0; i < 100; ++i) {
            EXPECT_EQ(run_blur(model, 1'000), index);
        }
        EXPECT_TRUE(model.records().empty());
    }
}

TEST(FrozenModel, refuses_settings_without_effect) {
    EXPECT_THROW((cost_model{2, frozen(2)}), invalid_option);
    learning_settings learns;
    learns.default_resource = 0;
    EXPECT_THROW((cost_model{2, learns}), invalid_option);
    auto resamples = frozen();
    resamples.resample_time = 1s;
    EXPECT_THROW((cost_model{2, resamples}), invalid_option);
}

TEST(FrozenPolicy, says_why_it_chose) {
    const auto reason_of = [](auto& policy) {
        const auto chosen = policy.select(stable_blur{});
        return policy.explain(chosen);
    };
    auto_tune_policy policy{std::vector{7, 8}, frozen(0)};
    EXPECT_THAT(reason_of(policy), HasSubstr("the default of the frozen policy"));
    policy.take(known_of_blur);
    EXPECT_THAT(reason_of(policy), HasSubstr("fastest"));
    earliest_finish_policy finishing{std::vector{7, 8}, frozen()};
    EXPECT_THROW(finishing.submit(stable_blur{}), unknown_kind);
    EXPECT_THAT(finishing.loads(), testing::Each(0));
    finishing.take(known_of_blur);
    EXPECT_EQ(finishing.submit(stable_blur{}).unwrap(), 8);
}

TEST(PinnedKind, stays_where_it_is_pinned_until_the_pin_is_removed) {
    cost_model model{2};
    model.take(known_of_blur);
    const model_pin slower{blur_of(1'000), 0};
    model.pin(std::array{slower});
    for (int i = 0; i < 5'000; ++i) {
        ASSERT_EQ(run_blur(model, 1'000, 40us), 0U) << i;
    }
    EXPECT_EQ(run_blur(model, 2'000), 1U) << "another kind";
    model.pin({});
    EXPECT_EQ(run_blur(model, 1'000), 1U);
}

TEST(PinnedKind, goes_to_a_resource_of_which_nothing_is_known_and_is_learnt_there) {
    cost_model model{3};
    model.take(known_of_blur);
    model.pin(std::array{model_pin{blur_of(1'000), 2}});
    for (int i = 0; i < 10; ++i) {
        EXPECT_EQ(run_blur(model, 1'000, 90us), 2U);
    }
    EXPECT_EQ(model.estimate(model.find(blur_of(1'000)), 2), 90us);
}

TEST(PinnedKind, is_pinned_in_frozen_models_too) {
    cost_model model{2, frozen()};
    model.pin(std::array{model_pin{blur_of(1'000), 1}});
    EXPECT_EQ(run_blur(model, 1'000), 1U);
}

TEST(PinnedKind, to_a_resource_that_the_model_lacks_is_refused) {
    cost_model model{2};
    model.take(known_of_blur);
    model.pin(std::array{model_pin{blur_of(1'000), 0}});
    EXPECT_THROW(model.pin(std::array{model_pin{blur_of(1'000), 2}}), invalid_option);
    EXPECT_EQ(run_blur(model, 1'000), 0U) << "the pins are as before";
}

TEST(PinnedKind, follows_its_resource_into_another_set) {
    cost_model model{2};
    model.pin(std::array{model_pin{blur_of(1'000), 0}});
    cost_model next{2};
    next.inherit(model, std::array<std::optional<std::size_t>, 2>{std::nullopt, 0});
    for (int i = 0; i < 10; ++i) {
        EXPECT_EQ(run_blur(next, 1'000), 1U);
    }
}

template <class Policy>
class PinnedPolicy : public testing::Test {};
using measuring_policies = testing::Types<auto_tune_policy<int>, earliest_finish_policy<int>>;
TYPED_TEST_SUITE(PinnedPolicy, measuring_policies);

TYPED_TEST(PinnedPolicy, submits_settled_and_outstanding_tasks_there_and_says_so) {
    TypeParam policy{std::vector{7, 8}};
    policy.take(known_of_blur);
    for (int i = 0; i < 100; ++i) {
        policy.submit(stable_blur{});  // threads have the choice in their caches
    }
    policy.pin(std::array{model_pin{blur_of(1'000), 0}});
    std::vector<typename TypeParam::selection_type> outstanding;
    for (int i = 0; i < 200; ++i) {
        EXPECT_EQ(policy.submit(stable_blur{}).unwrap(), 7);
        outstanding.push_back(policy.select(stable_blur{}));
        EXPECT_EQ(outstanding.back().unwrap(), 7);
    }
    EXPECT_THAT(policy.explain(outstanding.front()), HasSubstr("pinned"));
    EXPECT_THAT(policy.explain(outstanding.back()), HasSubstr("pinned"));
}

}  // namespace
}  // namespace pointsman
