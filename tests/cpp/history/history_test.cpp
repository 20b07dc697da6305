// SPDX-License-Identifier: Apache-2.0
// Tests that a history keeps what several processes write, whatever ends them, and survives damaged files.
#include "pointsman/history/history.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "pointsman/tuning/stable_task_key.hpp"

namespace pointsman {
namespace {

using namespace std::chrono_literals;
namespace fs = std::filesystem;

const std::chrono::sys_seconds start{1'000'000s};

class History : public testing::Test {
  protected:
    History() {
        std::string name = (fs::temp_directory_path() / "history_XXXXXX").string();
        folder_ = ::mkdtemp(name.data());
    }
    ~History() override { fs::remove_all(folder_); }
    History(const History&) = delete;
    History& operator=(const History&) = delete;

    [[nodiscard]] fs::path path() const { return folder_ / "history.db"; }
    void write(const std::string& bytes) const { std::ofstream{path()} << bytes; }

  private:
    fs::path folder_;
};

history_record timed(double nanoseconds, std::uint32_t count = 1, std::string resource = "gpu") {
    return {.kind = stable_task_key("triad", "a + b", 1000),
            .resource = std::move(resource),
            .timings = {count, nanoseconds, std::log(nanoseconds), 0, 0}};
}

/// Runs `work` in a forked child, and returns its process.
template <class Work>
pid_t in_child(Work work) {
    const pid_t child = ::fork();
    if (child == 0) {
        try {
            work();
        } catch (const std::exception& failed) {
            std::fputs(failed.what(), stderr);
            ::_exit(1);
        }
        ::_exit(0);
    }
    return child;
}

TEST_F(History, finds_after_it_was_opened_again_what_was_added) {
    history{path()}.add(std::array{timed(100)}, start);
    auto expected = timed(100);
    expected.updated = start;
    EXPECT_THAT(history{path()}.records(), testing::ElementsAre(expected));
}

TEST_F(History, keeps_the_name_of_a_kind_when_more_is_added_without_one) {
    auto named = timed(100);
    named.name = "triad";
    history{path()}.add(std::array{named}, start);
    history kept{path()};
    kept.add(std::array{timed(100)}, start);
    ASSERT_EQ(kept.records().size(), 1U);
    EXPECT_EQ(kept.records()[0].name, "triad");
}

TEST_F(History, forgets_one_resource_and_keeps_the_others) {
    auto other = timed(100);
    other.resource = "another";
    history kept{path()};
    kept.add(std::array{timed(100), other}, start);
    EXPECT_EQ(kept.forget("another"), 1U);
    EXPECT_EQ(kept.forget("another"), 0U);
    ASSERT_EQ(kept.records().size(), 1U);
    EXPECT_NE(kept.records()[0].resource, "another");
}

TEST_F(History, forgets_the_name_of_a_kind_with_its_last_record) {
    auto named = timed(100);
    named.name = "triad";
    history kept{path()};
    kept.add(std::array{named}, start);
    EXPECT_EQ(kept.prune(start + 1s), 1U);
    kept.add(std::array{timed(100)}, start);
    ASSERT_EQ(kept.records().size(), 1U);
    EXPECT_EQ(kept.records()[0].name, "");
}

TEST_F(History, merges_timings_of_one_kind_and_resource) {
    history kept{path()};
    kept.add(std::array{timed(100, 3)}, start);
    kept.add(std::array{timed(200, 1)}, start);
    const auto all = kept.records();
    ASSERT_EQ(all.size(), 1U);
    EXPECT_EQ(all[0].timings.count, 4U);
    EXPECT_DOUBLE_EQ(all[0].timings.mean, 125);
}

TEST_F(History, keeps_resources_apart) {
    history kept{path()};
    kept.add(std::array{timed(100), timed(100, 1, "gpu, newer driver")}, start);
    EXPECT_EQ(kept.records().size(), 2U);
}

TEST_F(History, lets_exact_timings_replace_upper_bounds) {
    history kept{path()};
    auto bound = timed(500);
    bound.is_exact = false;
    kept.add(std::array{bound}, start);
    kept.add(std::array{timed(100)}, start);
    kept.add(std::array{bound}, start);
    EXPECT_EQ(kept.records()[0].timings, timed(100).timings);
    EXPECT_TRUE(kept.records()[0].is_exact);
}

TEST_F(History, replaces_timings_that_have_changed) {
    history kept{path()};
    kept.add(std::array{timed(100, 50)}, start);
    kept.write({}, std::array{timed(900, 2)}, start);
    EXPECT_EQ(kept.records()[0].timings, timed(900, 2).timings);
}

TEST_F(History, prunes_what_had_no_update_since) {
    history kept{path()};
    kept.add(std::array{timed(100)}, start);
    kept.add(std::array{timed(100, 1, "cpu")}, start + 10s);
    EXPECT_EQ(kept.prune(start + 10s), 1U);
    EXPECT_EQ(kept.records()[0].resource, "cpu");
}

TEST_F(History, is_readable_by_its_owner_only) {
    const history kept{path()};
    struct stat found{};
    ASSERT_EQ(::stat(path().c_str(), &found), 0);
    EXPECT_EQ(found.st_mode & 0777U, 0600U);
}

TEST_F(History, counts_all_updates_of_eight_processes) {
    constexpr int processes = 8;
    constexpr int updates = 10'000;
    constexpr int batch = 100;
    std::vector<pid_t> children;
    for (int i = 0; i < processes; ++i) {
        children.push_back(in_child([&] {
            history kept{path()};
            for (int done = 0; done < updates; done += batch) {
                kept.add(std::vector<history_record>(batch, timed(100)), start);
            }
        }));
    }
    for (const pid_t each : children) {
        int status = -1;
        ::waitpid(each, &status, 0);
        EXPECT_EQ(status, 0);
    }
    EXPECT_EQ(history{path()}.records()[0].timings.count, std::uint32_t{processes * updates});
}

TEST_F(History, holds_every_flushed_update_of_processes_that_were_killed) {
    constexpr int kills = 50;
    const auto seed = std::random_device{}();
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random{seed};
    std::uint32_t flushed = 0;
    for (int i = 0; i < kills; ++i) {
        std::array<int, 2> ends{};
        ASSERT_EQ(::pipe(ends.data()), 0);
        const pid_t child = in_child([&] {
            history kept{path()};
            for (;;) {
                kept.add(std::array{timed(100)}, start);
                if (::write(ends[1], "x", 1) != 1) {
                    return;
                }
            }
        });
        ::close(ends[1]);
        char each = 0;
        for (auto left = random() % 30; left > 0 && ::read(ends[0], &each, 1) == 1; --left) {
            ++flushed;
        }
        ::kill(child, SIGKILL);
        ::waitpid(child, nullptr, 0);
        std::uint32_t last = 0;
        while (::read(ends[0], &each, 1) == 1) {
            ++last;
        }
        ::close(ends[0]);
        flushed += last;
        const history kept{path()};
        ASSERT_FALSE(kept.set_aside());
        const auto all = kept.records();
        const std::uint32_t count = all.empty() ? 0 : all[0].timings.count;
        ASSERT_GE(count, flushed);
        ASSERT_LE(count, flushed + 1);  // written, and not yet told
        flushed = count;
    }
}

TEST_F(History, sets_a_file_aside_that_is_no_database) {
    write(
        "a text that is longer than the header of a database, to be recognised as no database, "
        "whatever else it may be");
    history kept{path()};
    ASSERT_TRUE(kept.set_aside());
    EXPECT_TRUE(fs::exists(*kept.set_aside()));
    kept.add(std::array{timed(100)}, start);
    EXPECT_EQ(kept.records().size(), 1U);
}

TEST_F(History, sets_a_newer_file_aside) {
    {
        const history kept{path()};
    }
    detail::database{path()}.run("PRAGMA user_version = 2");
    EXPECT_TRUE(history{path()}.set_aside());
}

TEST_F(History, sets_a_file_with_other_tables_aside) {
    for (const char* change : {"DROP TABLE names", "ALTER TABLE timings DROP COLUMN squares",
                               "ALTER TABLE names DROP COLUMN name"}) {
        fs::remove(path());
        {
            history kept{path()};
            kept.add(std::array{timed(100)}, start);
        }
        detail::database{path()}.run(change);
        history next{path()};
        EXPECT_TRUE(next.set_aside()) << change;
        EXPECT_TRUE(next.records().empty()) << change;
    }
}

TEST_F(History, survives_truncated_files) {
    {
        history kept{path()};
        std::vector<history_record> many;
        for (int i = 0; i < 500; ++i) {
            many.push_back(timed(100, 1, "resource " + std::to_string(i)));
        }
        kept.add(many, start);
    }
    std::ifstream file{path(), std::ios::binary};
    const std::string whole{std::istreambuf_iterator<char>{file}, {}};
    for (std::size_t size = 1; size < whole.size(); size += 997) {
        write(whole.substr(0, size));
        history kept{path()};
        kept.add(std::array{timed(100)}, start);
        EXPECT_FALSE(kept.records().empty());
    }
}

TEST_F(History, is_begun_anew_once_by_processes_that_find_it_damaged_together) {
    constexpr int processes = 8;
    write(
        "no database, but a text that is longer than the hundred bytes of the header that "
        "databases of "
        "SQLite begin with");
    std::vector<pid_t> children;
    for (int i = 0; i < processes; ++i) {
        children.push_back(in_child([&] { history{path()}.add(std::array{timed(100)}, start); }));
    }
    for (const pid_t child : children) {
        ::waitpid(child, nullptr, 0);
    }
    const auto found = history{path()}.records();
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].timings.count, processes);
}

TEST_F(History, refuses_keys_of_one_process_and_numbers_of_no_timings) {
    history kept{path()};
    auto passing = timed(100);
    passing.kind = task_key_of([] {});
    EXPECT_THROW(kept.add(std::array{timed(100), passing}, start), invalid_option);
    EXPECT_THROW(kept.add(std::array{timed(-100)}, start), invalid_option);
    EXPECT_TRUE(kept.records().empty());
}

TEST_F(History, leaves_out_and_replaces_stored_numbers_of_no_timings) {
    history kept{path()};
    kept.add(std::array{timed(100)}, start);
    detail::database{path()}.run("UPDATE timings SET mean = -1");
    EXPECT_TRUE(kept.records().empty());
    kept.add(std::array{timed(200)}, start);
    EXPECT_EQ(kept.records().at(0).timings.mean, 200);
}

TEST_F(History, outlives_its_copy_in_a_forked_child) {
    std::optional<history> kept{path()};
    kept->add(std::array{timed(100)}, start);
    ::waitpid(in_child([&] { kept.reset(); }), nullptr, 0);
    kept->add(std::array{timed(100)}, start);
    EXPECT_EQ(kept->records().at(0).timings.count, 2U);
}

TEST_F(History, refuses_a_forked_child_the_connection_of_its_parent) {
    history kept{path()};
    const pid_t child = in_child([&] {
        try {
            kept.add(std::array{timed(100)}, start);
        } catch (const forked_process&) {
            ::_exit(7);
        }
    });
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_EQ(WEXITSTATUS(status), 7);
}

TEST_F(History, names_the_reason_where_it_cannot_write) {
    try {
        const history kept{"/proc/no/history.db"};
        FAIL();
    } catch (const history_error& failed) {
        EXPECT_THAT(failed.what(), testing::HasSubstr("pass another path"));
    }
}

TEST(HistoryPath, follows_the_environment) {
    ::unsetenv("POINTSMAN_HISTORY");
    ::setenv("XDG_CACHE_HOME", "/caches", 1);
    EXPECT_EQ(history::default_path(), fs::path{"/caches/pointsman/history.db"});
    ::setenv("POINTSMAN_HISTORY", "/elsewhere.db", 1);
    EXPECT_EQ(history::default_path(), fs::path{"/elsewhere.db"});
    ::setenv("POINTSMAN_HISTORY", "off", 1);
    EXPECT_EQ(history::default_path(), std::nullopt);
    ::unsetenv("POINTSMAN_HISTORY");
    ::unsetenv("XDG_CACHE_HOME");
}

TEST_F(History, keeps_one_pin_for_each_kind_until_it_is_removed) {
    const task_key first = stable_task_key("triad", "a + b", 1);
    const task_key second = stable_task_key("triad", "a + b", 4);
    {
        history file{path()};
        file.pin({first, "cpu"});
        file.pin({second, "cpu"});
        file.pin({first, "gpu"});
    }
    history file{path()};
    ASSERT_EQ(file.pins().size(), 2U);
    EXPECT_TRUE(file.unpin(second));
    EXPECT_FALSE(file.unpin(second));
    EXPECT_EQ(file.pins(), (std::vector<history_pin>{{first, "gpu"}}));
    EXPECT_THROW(file.pin({task_key{1, 2}, "cpu"}), invalid_option);
}

TEST_F(History, keeps_the_speed_of_a_device_until_it_is_forgotten) {
    const device_speed gpu{5'000, 2e12, 2e10, 3e10};
    history{path()}.set_speed("gpu", gpu);
    history file{path()};
    EXPECT_EQ(file.speed_of("gpu"), gpu);
    EXPECT_FALSE(file.speed_of("cpu"));
    EXPECT_THAT([&] { file.set_speed("cpu", {1'000, -5, 0, 0}); },
                testing::ThrowsMessage<invalid_option>(testing::AllOf(
                    testing::HasSubstr("resource \"cpu\""), testing::HasSubstr("bandwidth -5"),
                    testing::HasSubstr("pass measured numbers"))));
    EXPECT_FALSE(file.speed_of("cpu"));
    EXPECT_EQ(file.forget("gpu"), 0U);
    EXPECT_FALSE(file.speed_of("gpu"));
}

}  // namespace
}  // namespace pointsman
