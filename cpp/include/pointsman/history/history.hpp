// SPDX-License-Identifier: Apache-2.0
// Keeps what policies have learnt in a file that several processes share, for the processes after them.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <unordered_map>
#include <utility>
#include <vector>

#include "pointsman/base/fork_mark.hpp"
#include "pointsman/error.hpp"
#include "pointsman/history/detail/database.hpp"
#include "pointsman/history/detail/folder_lock.hpp"
#include "pointsman/history/detail/record_rows.hpp"
#include "pointsman/history/detail/unusable_file.hpp"
#include "pointsman/history/history_record.hpp"
#include "pointsman/tuning/device_speed.hpp"
#include "pointsman/tuning/evidence.hpp"
#include "pointsman/tuning/model_record.hpp"
#include "pointsman/tuning/task_key.hpp"

namespace pointsman {

/// A file of timings, an SQLite database with data only. Processes that write at once wait for each other, and
/// lose nothing; a process that is killed loses at most the call that it was in.
///
/// A file that is damaged, of another program or of a newer version is renamed to `<path>.set-aside`, and a new
/// one begun: `set_aside()` says so, for one warning.
/// **Throws**: every member `history_error`; `forked_process` in a child of the process that opened it.
/// **Thread safety**: any thread.
/// **Cost**: `add` writes to the disk: call it for many records at once, outside of what is to be fast.
/// **Example**: `history kept{"timings.db"};  kept.add(records, now);`
class history {
  public:
    /// Opens `path`, or creates it, readable by its owner only.
    explicit history(std::filesystem::path path) : path_{std::move(path)} {
        if (path_.has_parent_path()) {
            std::error_code ignored;  // opening the file reports it
            std::filesystem::create_directories(path_.parent_path(), ignored);
        }
        const detail::folder_lock alone{path_};  // SQLite's change to WAL does not wait for others
        if (!open_usable()) {
            set_file_aside();
            open();
        }
    }
    history(const history&) = delete;
    history& operator=(const history&) = delete;
    ~history() {
        if (mark_.is_stale() && database_) {
            database_->abandon();
        }
    }

    /// Where the environment wants the history: `POINTSMAN_HISTORY`, or else `pointsman/history.db` in XDG's
    /// folder for caches. Empty if `POINTSMAN_HISTORY` is `off`, or there is neither a folder nor a home.
    [[nodiscard]] static std::optional<std::filesystem::path> default_path() {
        if (const auto given = environment("POINTSMAN_HISTORY")) {
            return *given == "off" ? std::nullopt : std::optional{std::filesystem::path{*given}};
        }
        if (const auto caches = environment("XDG_CACHE_HOME");
            caches && caches->starts_with('/')) {  // XDG has others ignored
            return std::filesystem::path{*caches} / "pointsman/history.db";
        }
        const auto home = environment("HOME");
        return home ? std::optional{std::filesystem::path{*home} / ".cache/pointsman/history.db"}
                    : std::nullopt;
    }

    /// Adds the timings of `records` to those in the file, all or none. Exact timings replace upper bounds,
    /// which add nothing to exact ones.
    /// **Throws**: `invalid_option` for a key that is not stable, and for numbers that no timings have.
    void add(std::span<const history_record> records, std::chrono::sys_seconds now) {
        write(records, {}, now);
    }
    /// Adds the timings of `added`, and replaces what the file has of the kinds and resources in `changed`, whose
    /// times have changed. All or none.
    void write(std::span<const history_record> added, std::span<const history_record> changed,
               std::chrono::sys_seconds now) {
        for (const auto& records : {added, changed}) {
            for (const history_record& each : records) {
                check(each);
            }
        }
        const std::lock_guard lock{mutex()};
        detail::transaction writing{*database_};
        auto known = database_->prepare(
            "SELECT callable, sizes, resource, count, mean, centre, squares, is_exact, updated "
            "FROM timings WHERE callable = ? AND sizes = ? AND resource = ?");
        auto stored =
            database_->prepare("INSERT OR REPLACE INTO timings VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)");
        for (const history_record& each : added) {
            detail::bind_key(known, each);
            history_record next = each;
            while (known.step()) {
                const history_record before = detail::record_in(known);
                next = before.timings.is_possible() ? detail::combined(before, each) : each;
            }
            detail::store(stored, next, now);
        }
        for (const history_record& each : changed) {
            detail::store(stored, each, now);
        }
        auto named = database_->prepare("INSERT OR REPLACE INTO names VALUES (?, ?, ?)");
        for (const auto& records : {added, changed}) {
            for (const history_record& each : records) {
                store_name(named, each);
            }
        }
        writing.commit();
    }

    /// All records, ordered by kind and resource, but for those with numbers that no timings have.
    [[nodiscard]] std::vector<history_record> records() const {
        const std::lock_guard lock{mutex()};
        auto found = database_->prepare(
            "SELECT callable, sizes, resource, count, mean, centre, squares, is_exact, updated, "
            "name "
            "FROM timings LEFT JOIN names USING (callable, sizes) ORDER BY callable, sizes, "
            "resource");
        std::vector<history_record> all;
        while (found.step()) {
            if (history_record each = detail::record_in(found); each.timings.is_possible()) {
                each.name = found.text(9);
                all.push_back(std::move(each));
            }
        }
        return all;
    }

    /// The records of `resources`, each with the index of its resource there, as a policy takes them over.
    [[nodiscard]] std::vector<model_record> records_of(
        std::span<const std::string> resources) const {
        std::unordered_map<std::string_view, std::size_t> indices;
        for (std::size_t i = 0; i < resources.size(); ++i) {
            indices.emplace(resources[i], i);
        }
        const std::lock_guard lock{mutex()};
        auto found = database_->prepare(
            "SELECT callable, sizes, resource, count, mean, centre, squares, is_exact "
            "FROM timings ORDER BY callable, sizes, resource");
        std::vector<model_record> all;
        while (found.step()) {
            const auto index = indices.find(found.text_view(2));
            const evidence_summary timings = detail::timings_in(found);
            if (index != indices.end() && timings.is_possible()) {
                all.push_back(
                    {detail::kind_in(found), index->second, timings, found.integer(7) != 0});
            }
        }
        return all;
    }

    /// Pins a kind of task to the resource with this identity, in place of an earlier pin: policies that have the
    /// resource run it there, whatever is learnt, from their start or next flush on.
    /// **Throws**: `invalid_option` for a key that is not stable.
    void pin(const history_pin& pinned) {
        check_key(pinned.kind, pinned.resource);
        const std::lock_guard lock{mutex()};
        auto stored = database_->prepare("INSERT OR REPLACE INTO pins VALUES (?, ?, ?)");
        detail::bind_key(stored, pinned.kind);
        stored.bind(3, pinned.resource);
        stored.step();
    }
    /// Removes the pin of a kind of task; returns false if there was none.
    bool unpin(const task_key& kind) {
        const std::lock_guard lock{mutex()};
        auto removal = database_->prepare("DELETE FROM pins WHERE callable = ? AND sizes = ?");
        detail::bind_key(removal, kind);
        removal.step();
        return database_->changes() > 0;
    }
    /// All pins, ordered by kind.
    [[nodiscard]] std::vector<history_pin> pins() const {
        const std::lock_guard lock{mutex()};
        auto found = database_->prepare(
            "SELECT callable, sizes, resource, name FROM pins LEFT JOIN names "
            "USING (callable, sizes) ORDER BY callable, sizes");
        std::vector<history_pin> all;
        while (found.step()) {
            all.push_back({detail::kind_in(found), found.text(2), found.text(3)});
        }
        return all;
    }

    /// Stores the speed of a resource. Policies try kinds of tasks without records in the order of the speeds.
    /// **Throws**: `invalid_option` for numbers that no measurement has.
    void set_speed(const std::string& resource, const device_speed& speed) {
        speed.check("resource \"" + resource + "\"");
        const std::lock_guard lock{mutex()};
        auto stored = database_->prepare("INSERT OR REPLACE INTO speeds VALUES (?, ?, ?, ?, ?)");
        stored.bind(1, resource);
        stored.bind(2, speed.launch);
        stored.bind(3, speed.bandwidth);
        stored.bind(4, speed.upload);
        stored.bind(5, speed.download);
        stored.step();
    }
    /// The speed of the resource with this identity, if it was measured.
    [[nodiscard]] std::optional<device_speed> speed_of(const std::string& resource) const {
        const std::lock_guard lock{mutex()};
        auto found = database_->prepare(
            "SELECT launch, bandwidth, upload, download FROM speeds WHERE resource = ?");
        found.bind(1, resource);
        std::optional<device_speed> known;
        while (found.step()) {
            const device_speed speed{found.real(0), found.real(1), found.real(2), found.real(3)};
            known = speed.is_possible() ? std::optional{speed} : std::nullopt;
        }
        return known;
    }

    /// Removes the records without an update since `time`; returns how many.
    std::size_t prune(std::chrono::sys_seconds time) {
        const std::lock_guard lock{mutex()};
        detail::transaction pruning{*database_};
        auto removal = database_->prepare("DELETE FROM timings WHERE updated < ?");
        removal.bind(1, std::int64_t{time.time_since_epoch().count()});
        removal.step();
        const std::size_t removed = database_->changes();
        forget_names();
        pruning.commit();
        return removed;
    }

    /// Removes the speed and the records of the resource with this identity; returns how many records.
    std::size_t forget(const std::string& resource) {
        const std::lock_guard lock{mutex()};
        detail::transaction forgetting{*database_};
        auto removal = database_->prepare("DELETE FROM timings WHERE resource = ?");
        removal.bind(1, resource);
        removal.step();
        const std::size_t removed = database_->changes();
        auto speed = database_->prepare("DELETE FROM speeds WHERE resource = ?");
        speed.bind(1, resource);
        speed.step();
        forget_names();
        forgetting.commit();
        return removed;
    }

    [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }
    /// Where the unusable file is that was there before; empty if there was none.
    [[nodiscard]] const std::optional<std::filesystem::path>& set_aside() const noexcept {
        return set_aside_;
    }

  private:
    static constexpr std::int64_t application = 0x706f696e;  // marks files of this program: "poin"
    static constexpr std::int64_t version = 1;

    [[nodiscard]] static std::optional<std::string> environment(const char* name) {
        const char* const value = std::getenv(name);
        return value == nullptr || *value == '\0' ? std::nullopt
                                                  : std::optional<std::string>{value};
    }

    /// Returns false if the file is damaged, or of another program or version.
    [[nodiscard]] bool open_usable() {
        try {
            open();
            return true;
        } catch (const history_error& failed) {
            database_.reset();
            if (!detail::is_unusable(path_, failed.code())) {
                throw;
            }
            return false;
        }
    }
    void open() {
        database_.emplace(path_);
        database_->run("PRAGMA journal_mode = WAL");
        database_->run("PRAGMA synchronous = NORMAL");
        detail::transaction opening{*database_};
        if (database_->run("SELECT count(*) FROM sqlite_schema") == 0) {
            create();
        } else if (database_->run("PRAGMA application_id") != application ||
                   database_->run("PRAGMA user_version") != version) {
            throw history_error{SQLITE_NOTADB, "the file is of another program or version"};
        }
        database_->run("SELECT sum(updated) FROM timings");  // finds a damaged page now
        database_->run(
            "SELECT callable, sizes, resource, count, mean, centre, squares, is_exact, name "
            "FROM timings JOIN names USING (callable, sizes) WHERE false");  // has these columns
        database_->run("SELECT callable, sizes, resource FROM pins WHERE false");
        database_->run(
            "SELECT resource, launch, bandwidth, upload, download FROM speeds WHERE false");
        opening.commit();
    }
    void create() {
        database_->run(
            "CREATE TABLE timings (callable INTEGER, sizes INTEGER, resource TEXT, "
            "count INTEGER, mean REAL, centre REAL, squares REAL, is_exact INTEGER, updated "
            "INTEGER, PRIMARY KEY (callable, sizes, resource)) WITHOUT ROWID");
        database_->run(
            "CREATE TABLE names (callable INTEGER, sizes INTEGER, name TEXT, "
            "PRIMARY KEY (callable, sizes)) WITHOUT ROWID");
        database_->run(
            "CREATE TABLE pins (callable INTEGER, sizes INTEGER, resource TEXT, "
            "PRIMARY KEY (callable, sizes)) WITHOUT ROWID");
        database_->run(
            "CREATE TABLE speeds (resource TEXT PRIMARY KEY, launch REAL, bandwidth REAL, "
            "upload REAL, download REAL) WITHOUT ROWID");
        database_->run("PRAGMA application_id = 0x706f696e");
        database_->run("PRAGMA user_version = 1");
    }
    void set_file_aside() {
        set_aside_ = path_;
        *set_aside_ += ".set-aside";
        std::error_code failed;
        std::filesystem::rename(path_, *set_aside_, failed);
        if (failed) {
            throw history_error{SQLITE_CANTOPEN, failed.message()};
        }
        for (const char* each : {"-wal", "-shm"}) {
            auto beside = path_;
            std::filesystem::remove(beside += each, failed);
        }
    }

    /// The lock of the connection, which is this process's alone.
    [[nodiscard]] std::mutex& mutex() const {
        mark_.check("A history of timings");
        return mutex_;
    }

    static void check_key(const task_key& kind, const std::string& resource) {
        if (!kind.is_stable()) {
            throw invalid_option{
                "a record or pin of resource \"" + resource +
                "\" has a key that identifies its task in this process alone: make "
                "it with stable_task_key"};
        }
    }
    static void check(const history_record& record) {
        check_key(record.kind, record.resource);
        if (!record.timings.is_possible()) {
            throw invalid_option{"a record of resource \"" + record.resource +
                                 "\" has timings with the mean " +
                                 std::to_string(record.timings.mean) +
                                 " ns: leave it out, as these do not come from timings"};
        }
    }

    /// Removes the names of kinds without a record or a pin.
    void forget_names() {
        database_->run(
            "DELETE FROM names WHERE (callable, sizes) NOT IN (SELECT callable, sizes FROM "
            "timings UNION SELECT callable, sizes FROM pins)");
    }
    static void store_name(detail::statement& in, const history_record& of) {
        if (!of.name.empty()) {
            detail::bind_key(in, of.kind);
            in.bind(3, of.name);
            in.step();
        }
    }
    std::filesystem::path path_;
    std::optional<std::filesystem::path> set_aside_;
    const detail::fork_mark mark_;
    mutable std::mutex mutex_;
    std::optional<detail::database> database_;
};

}  // namespace pointsman
