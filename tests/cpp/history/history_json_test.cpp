// SPDX-License-Identifier: Apache-2.0
// Records as JSON, and what differs between two histories.
#include "pointsman/history/history_json.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "pointsman/tuning/stable_task_key.hpp"

namespace pointsman {
namespace {

history_record record_of(int size, std::string resource, double mean) {
    return {.kind = stable_task_key("sweep", "x", size),
            .resource = std::move(resource),
            .timings = {3, mean, std::log(mean), 0.25, 0},
            .is_exact = true,
            .updated = std::chrono::sys_seconds{std::chrono::seconds{1'700'000'000}},
            .name = "sweep"};
}

/// Equal but for the mean, which goes through seconds.
void expect_alike(const history_record& a, history_record b) {
    EXPECT_NEAR(a.timings.mean, b.timings.mean, 1e-12 * a.timings.mean);
    b.timings.mean = a.timings.mean;
    EXPECT_EQ(a, b);
}

TEST(HistoryJson, gives_records_back) {
    std::mt19937_64 random{1};
    for (int round = 0; round < 100; ++round) {
        std::vector<history_record> records;
        for (std::size_t i = random() % 4; i > 0; --i) {
            auto each = record_of(1, "a \"GPU\"\\\n\t\u00e9", std::exp2(random() % 60));
            each.kind = {random(), random()};
            each.timings.squares = static_cast<double>(random()) * 1e-17;
            each.is_exact = random() % 2 == 0;
            records.push_back(each);
        }
        const auto again = records_from_json(to_json(records));
        ASSERT_EQ(again.size(), records.size());
        for (std::size_t i = 0; i < records.size(); ++i) {
            expect_alike(records[i], again[i]);
        }
    }
}

TEST(HistoryJson, reads_what_the_command_exports) {
    const auto found = records_from_json(R"json({"format": "pointsman history", "version": 1,
        "records": [{"key": ["8000000000000001", "0000000000000005"], "kind": "blur(2^20)",
        "resource": "an H100", "count": 10, "mean": 0.002, "log_mean": 14.5, "log_squares": 0.1,
        "is_exact": false, "updated": 12.0}], "pins": []})json");
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].kind, (task_key{(std::uint64_t{1} << 63U) + 1, 5}));
    EXPECT_EQ(found[0].name, "blur(2^20)");
    EXPECT_EQ(found[0].timings, (evidence_summary{10, 2e6, 14.5, 0.1, 0}));
    EXPECT_FALSE(found[0].is_exact);
    EXPECT_EQ(found[0].updated.time_since_epoch().count(), 12);
}

TEST(HistoryJson, refuses_another_text) {
    for (
        const std::string text :
        {"", "no JSON", "[]", "{}",
         R"({"format": "pointsman history", "version": 2, "records": []})",
         R"({"format": "pointsman history", "version": 1, "records": 3})",
         R"({"format": "pointsman history", "version": 1, "records": [3]})",
         R"({"format": "pointsman history", "version": 1, "records": [{"key": ["g", "0"]}]})",
         R"({"format": "pointsman history", "version": 1, "records": [{"key": ["1"]}]})",
         R"({"format": "pointsman history", "version": 1, "records": [{"key": ["1", "1"], "count": 4294967297}]})"}) {
        EXPECT_THROW(static_cast<void>(records_from_json(text)), invalid_option) << text;
    }
}

TEST(HistoryDifferences, name_each_kind_and_resource_of_either) {
    const std::vector<history_record> before{record_of(1, "cpu", 100), record_of(1, "gpu", 50)};
    std::vector<history_record> after{record_of(1, "cpu", 150), record_of(4, "cpu", 400)};
    after[1].name.clear();
    const auto found = differences(before, after);
    ASSERT_EQ(found.size(), 3U);
    for (const auto& each : found) {
        const bool is_changed = each.kind == before[0].kind && each.resource == "cpu";
        EXPECT_EQ(each.ratio(), is_changed ? std::optional{1.5} : std::nullopt);
        EXPECT_EQ(each.name, each.kind == before[0].kind ? "sweep" : "");
    }
}

}  // namespace
}  // namespace pointsman
