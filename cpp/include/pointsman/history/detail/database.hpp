// SPDX-License-Identifier: Apache-2.0
// Owns a connection to an SQLite file, and the statements that are run on it.
#pragma once

#include <fcntl.h>
#include <sqlite3.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "pointsman/history/history_error.hpp"

namespace pointsman::detail {

/// A statement, whose parameters and columns count from 1 and from 0.
class statement {
  public:
    statement(sqlite3* of, const char* text) : of_{of} {
        sqlite3_stmt* made = nullptr;
        check(sqlite3_prepare_v2(of, text, -1, &made, nullptr));
        prepared_.reset(made);
    }

    void bind(int place, std::int64_t value) {
        check(sqlite3_bind_int64(prepared_.get(), place, value));
    }
    void bind(int place, double value) {
        check(sqlite3_bind_double(prepared_.get(), place, value));
    }
    void bind(int place, const std::string& text) {
        check(sqlite3_bind_text(prepared_.get(), place, text.data(), static_cast<int>(text.size()),
                                SQLITE_TRANSIENT));
    }
    /// Returns true if there is a row, false at the end, after which the statement can run again.
    bool step() {
        const int result = sqlite3_step(prepared_.get());
        if (result == SQLITE_ROW) {
            return true;
        }
        sqlite3_reset(prepared_.get());
        check(result == SQLITE_DONE ? SQLITE_OK : result);
        return false;
    }
    [[nodiscard]] std::int64_t integer(int column) const {
        return sqlite3_column_int64(prepared_.get(), column);
    }
    [[nodiscard]] double real(int column) const {
        return sqlite3_column_double(prepared_.get(), column);
    }
    [[nodiscard]] std::string text(int column) const { return std::string{text_view(column)}; }
    /// Valid until the next `step`.
    [[nodiscard]] std::string_view text_view(int column) const {
        const auto* const found = sqlite3_column_text(prepared_.get(), column);
        const auto size = static_cast<std::size_t>(sqlite3_column_bytes(prepared_.get(), column));
        return found == nullptr ? std::string_view{}
                                : std::string_view{reinterpret_cast<const char*>(found), size};
    }

  private:
    struct finalise {
        void operator()(sqlite3_stmt* of) const noexcept { sqlite3_finalize(of); }
    };
    void check(int result) const {
        if (result != SQLITE_OK) {
            throw history_error{result, sqlite3_errmsg(of_)};
        }
    }

    sqlite3* of_;
    std::unique_ptr<sqlite3_stmt, finalise> prepared_;
};

/// A connection. **Thread safety**: none; the caller locks.
class database {
  public:
    /// Opens `path`, which is created, readable by its owner only, where there is no file.
    /// **Throws**: `history_error`.
    explicit database(const std::filesystem::path& path) {
        create_private(path);
        sqlite3* made = nullptr;
        const int result = sqlite3_open_v2(path.c_str(), &made, SQLITE_OPEN_READWRITE, nullptr);
        connection_.reset(made);
        if (result != SQLITE_OK) {
            throw history_error{result, sqlite3_errstr(result)};
        }
        constexpr int patience_ms = 60'000;  // for other processes' transactions
        sqlite3_busy_timeout(made, patience_ms);
    }

    /// An in-memory database, for SQLite's functions. **Throws**: `history_error`.
    [[nodiscard]] static database in_memory() {
        sqlite3* made = nullptr;
        const int result = sqlite3_open_v2(":memory:", &made, SQLITE_OPEN_READWRITE, nullptr);
        database opened{made};
        if (result != SQLITE_OK) {
            throw history_error{result, sqlite3_errstr(result)};
        }
        return opened;
    }

    [[nodiscard]] statement prepare(const char* text) const {
        return statement{connection_.get(), text};
    }
    /// Runs one statement, and returns the first integer that it finds, or 0.
    std::int64_t run(const char* text) const {
        auto made = prepare(text);
        std::int64_t found = 0;
        for (bool is_first = true; made.step(); is_first = false) {
            found = is_first ? made.integer(0) : found;
        }
        return found;
    }
    /// Gives up the connection without closing it, in a process that was forked since it was opened.
    void abandon() noexcept { static_cast<void>(connection_.release()); }
    /// How many rows the last statement changed.
    [[nodiscard]] std::size_t changes() const noexcept {
        return static_cast<std::size_t>(sqlite3_changes(connection_.get()));
    }

  private:
    explicit database(sqlite3* opened) : connection_{opened} {}

    struct close {
        void operator()(sqlite3* of) const noexcept { sqlite3_close_v2(of); }
    };
    /// SQLite gives its further files the permissions of the first one. A file that exists is not opened:
    /// closing it again would release the locks of this process's other connections to it.
    static void create_private(const std::filesystem::path& path) {
        const int file =
            ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR);
        if (file < 0 && errno == EEXIST) {
            return;
        }
        if (file < 0) {
            throw history_error{SQLITE_CANTOPEN, std::generic_category().message(errno)};
        }
        ::close(file);
    }

    std::unique_ptr<sqlite3, close> connection_;
};

/// A transaction that is rolled back unless `commit` was called.
class transaction {
  public:
    explicit transaction(const database& in) : in_{in} { in_.run("BEGIN IMMEDIATE"); }
    transaction(const transaction&) = delete;
    transaction& operator=(const transaction&) = delete;
    ~transaction() {
        if (!is_done_) {
            try {
                in_.run("ROLLBACK");
            } catch (const history_error&) {  // SQLite has rolled back by itself
            }
        }
    }
    void commit() {
        in_.run("COMMIT");
        is_done_ = true;
    }

  private:
    const database& in_;
    bool is_done_ = false;
};

}  // namespace pointsman::detail
