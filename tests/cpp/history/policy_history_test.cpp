// SPDX-License-Identifier: Apache-2.0
// Invented costs: what one cost model or policy has learnt, and what the next one makes of it.
#include "pointsman/history/policy_history.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "pointsman/dynamic_selection.hpp"
#include "pointsman/tuning/cost_model.hpp"

namespace pointsman {
namespace {

using namespace std::chrono_literals;

const std::chrono::sys_seconds time_of_update{1'000'000s};
const std::vector<std::string> cpu_and_gpu{"cpu", "gpu"};

task_key triad_of(int size) { return stable_task_key("triad", "a + b", size); }

struct stable_triad {
    [[nodiscard]] pointsman::task_key task_key() const { return triad_of(1'000); }
    int operator()(int resource) const { return resource; }
};

/// Runs a task where the model wants it; it takes longest on the first resource, and more for larger sizes.
std::size_t run_triad(cost_model& model, int size, std::chrono::nanoseconds first = 50us,
                      std::chrono::nanoseconds second = 20us) {
    auto& kind = model.find(triad_of(size));
    const auto chosen = model.choose(kind, std::array<double, 2>{});
    cost_model::reserve(kind, chosen.index);
    model.learn(kind, chosen.index, (chosen.index == 0 ? first : second) * (1 + size / 1'000));
    cost_model::release(kind, chosen.index);
    return chosen.index;
}

class PolicyHistory : public testing::Test {
  protected:
    PolicyHistory() {
        std::string name = (std::filesystem::temp_directory_path() / "history_XXXXXX").string();
        folder_ = ::mkdtemp(name.data());
    }
    ~PolicyHistory() override { std::filesystem::remove_all(folder_); }
    PolicyHistory(const PolicyHistory&) = delete;
    PolicyHistory& operator=(const PolicyHistory&) = delete;

    [[nodiscard]] history open() const { return history{folder_ / "history.db"}; }
    /// Learns tasks of all sizes, and flushes.
    void learn_all() const {
        history file = open();
        cost_model model{2};
        policy_history kept{model, file, cpu_and_gpu};
        for (int size = 1'000; size <= 64'000; size *= 2) {
            for (int i = 0; i < 100; ++i) {
                run_triad(model, size);
            }
        }
        kept.flush(time_of_update);
    }

  private:
    std::filesystem::path folder_;
};

TEST_F(PolicyHistory,
       lets_every_size_of_a_second_process_run_where_it_is_fastest_from_the_first_task) {
    learn_all();
    history file = open();
    cost_model model{2};
    const policy_history kept{model, file, cpu_and_gpu};
    for (int size = 1'000; size <= 64'000; size *= 2) {
        EXPECT_EQ(run_triad(model, size), 1U) << size;
    }
}

TEST_F(PolicyHistory, measures_anew_on_a_resource_with_another_identity) {
    learn_all();
    history file = open();
    cost_model model{2};
    const policy_history kept{model, file, {"cpu", "gpu, newer driver"}};
    EXPECT_FALSE(model.estimate(model.find(triad_of(1'000)), 1));
    EXPECT_TRUE(model.estimate(model.find(triad_of(1'000)), 0));
}

TEST_F(PolicyHistory, follows_resources_that_come_in_another_order) {
    learn_all();
    history file = open();
    cost_model model{2};
    const policy_history kept{model, file, {"gpu", "cpu"}};
    EXPECT_EQ(model.choose(model.find(triad_of(1'000)), std::array<double, 2>{}).index, 0U);
}

TEST_F(PolicyHistory, adds_what_was_learnt_since_the_last_flush_once) {
    history file = open();
    cost_model model{1};
    policy_history kept{model, file, {"cpu"}};
    for (int i = 0; i < 11; ++i) {  // the first is warm-up
        run_triad(model, 1'000);
    }
    kept.flush(time_of_update);
    kept.flush(time_of_update);
    EXPECT_EQ(file.records()[0].timings.count, 10U);
    for (int i = 0; i < 5; ++i) {
        run_triad(model, 1'000);
    }
    kept.flush(time_of_update);
    EXPECT_EQ(file.records()[0].timings.count, 15U);
    EXPECT_NEAR(file.records()[0].timings.mean, 100'000, 1);
}

TEST_F(PolicyHistory, finds_a_change_since_the_record_and_replaces_it) {
    learn_all();
    history file = open();
    cost_model model{2};
    policy_history kept{model, file, cpu_and_gpu};
    int runs = 0;
    while (run_triad(model, 1'000, 50us, 300us) == 1) {
        ASSERT_LT(++runs, 20);
    }
    kept.flush(time_of_update);
    for (const auto& each : file.records()) {
        if (each.kind == triad_of(1'000) && each.resource == "gpu") {
            EXPECT_NEAR(each.timings.mean, 600'000, 1);
        }
    }
}

TEST_F(PolicyHistory, tries_what_it_does_not_know_in_the_order_of_the_speeds) {
    history file = open();
    file.set_speed("cpu", {1'000, 1e10, 0, 0});
    file.set_speed("gpu", {20'000, 1e12, 5e10, 5e10});
    const std::vector<std::string> identities{"not measured", "cpu", "gpu"};
    const auto first_for = [&](int size) {
        cost_model model{3};
        const policy_history kept{model, file, identities};
        std::vector<std::size_t> tried;
        while (tried.size() < 3) {
            auto& kind = model.find(stable_task_key("fill", "x", std::vector<char>(size)));
            tried.push_back(model.choose(kind, std::array<double, 3>{}).index);
            cost_model::reserve(kind, tried.back());
        }
        return tried;
    };
    EXPECT_EQ(first_for(1'000), (std::vector<std::size_t>{1, 2, 0}));
    EXPECT_EQ(first_for(1'000'000), (std::vector<std::size_t>{2, 1, 0}));
}

TEST_F(PolicyHistory, follows_the_pins_of_the_file) {
    learn_all();
    history file = open();
    file.pin({triad_of(1'000), "cpu"});
    file.pin({triad_of(2'000), "another machine's"});
    cost_model model{2};
    policy_history kept{model, file, cpu_and_gpu};
    EXPECT_EQ(run_triad(model, 1'000), 0U);
    EXPECT_EQ(run_triad(model, 2'000), 1U);
    file.unpin(triad_of(1'000));
    kept.flush(time_of_update);
    EXPECT_EQ(run_triad(model, 1'000), 1U);
}

TEST_F(PolicyHistory, serves_a_policy) {
    learn_all();
    history file = open();
    auto_tune_policy policy{std::vector{7, 8}};
    const policy_history kept{policy, file, cpu_and_gpu};
    EXPECT_EQ(policy.estimates(stable_triad{})[1], std::optional{40us});
    EXPECT_EQ(policy.submit(stable_triad{}).unwrap(), 8);
}

TEST_F(PolicyHistory, keeps_only_what_another_process_recognises) {
    history file = open();
    auto_tune_policy policy{std::vector{7, 8}};
    policy_history kept{policy, file, cpu_and_gpu};
    for (int i = 0; i < 10; ++i) {
        policy.submit([](int resource) { return resource; });
        policy.submit(stable_triad{});
    }
    kept.flush(time_of_update);
    ASSERT_FALSE(file.records().empty());
    for (const history_record& each : file.records()) {
        EXPECT_EQ(each.kind, triad_of(1'000));
    }
}

/// A model that knows names for people, as Python's policies do.
struct named_model : cost_model {
    using cost_model::cost_model;
    [[nodiscard]] std::string name_of(const task_key& of) const {
        return of == triad_of(1'000) ? "triad" : "";
    }
};

TEST_F(PolicyHistory, keeps_the_names_that_the_policy_knows) {
    history file = open();
    named_model model{1};
    policy_history kept{model, file, {"cpu"}};
    for (int i = 0; i < 5; ++i) {
        run_triad(model, 1'000);
    }
    kept.flush(time_of_update);
    ASSERT_EQ(file.records().size(), 1U);
    EXPECT_EQ(file.records()[0].name, "triad");
}

TEST_F(PolicyHistory, refuses_identities_that_two_resources_share) {
    history file = open();
    cost_model model{2};
    EXPECT_THROW((policy_history{model, file, {"gpu", "gpu"}}), invalid_option);
}

TEST(ModelRecords, that_no_timings_can_have_are_refused) {
    cost_model model{1};
    const model_record good{triad_of(1), 0, {1, 100, 4.6, 0, 0}, true};
    auto elsewhere = good;
    elsewhere.resource = 1;
    auto negative = good;
    negative.timings.mean = -1;
    EXPECT_THROW(model.take(std::array{good, elsewhere}), invalid_option);
    EXPECT_THROW(model.take(std::array{good, negative}), invalid_option);
    EXPECT_THROW(model.take(std::array{good}, 0), invalid_option);
    EXPECT_TRUE(model.records().empty());
}

TEST(EvidenceSummary, of_evidence_that_was_begun_again_is_new_as_a_whole) {
    evidence before;
    evidence again;
    for (int i = 0; i < 5; ++i) {
        before.add(1'000, 0.06);
    }
    for (int i = 0; i < 6;
         ++i) {  // one more, but with a mean that cannot follow from the first five
        EXPECT_EQ(added_since(before.summary(), again.summary()), again.summary());
        again.add(10, 0.06);
    }
    EXPECT_EQ(added_since(before.summary(), again.summary()), again.summary());
}

TEST(EvidenceSummary, never_counts_more_than_the_most) {
    const evidence_summary most{evidence_summary::most_timings, 10, 2.3, 1'000, 0};
    EXPECT_EQ(merged(most, most).count, evidence_summary::most_timings);
    EXPECT_NEAR(merged(most, most).squares, most.squares, 1e-6);
}

TEST(EvidenceSummary, gives_back_what_was_added) {
    evidence known;
    for (const double time : {100.0, 120.0, 90.0}) {
        known.add(time, 0.06);
    }
    const auto before = known.summary();
    known.add(110, 0.06);
    known.add(95, 0.06);
    const auto again = merged(before, *added_since(before, known.summary()));
    EXPECT_EQ(again.count, 5U);
    EXPECT_NEAR(again.mean, known.summary().mean, 1e-9);
    EXPECT_NEAR(again.centre, known.summary().centre, 1e-12);
    EXPECT_NEAR(again.squares, known.summary().squares, 1e-12);
}

}  // namespace
}  // namespace pointsman
