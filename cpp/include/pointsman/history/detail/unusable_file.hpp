// SPDX-License-Identifier: Apache-2.0
// Tells files that cannot be histories from systems that cannot open them.
#pragma once

#include <sqlite3.h>
#include <unistd.h>

#include <filesystem>

namespace pointsman::detail {

/// Returns true if `code`, with which opening the file failed, is due to its contents, and not to the system or to
/// another process. SQLite takes a file of a newer format for one that must not be written.
[[nodiscard]] inline bool is_unusable(const std::filesystem::path& path, int code) {
    switch (code) {
        case SQLITE_READONLY: {
            const auto folder = path.has_parent_path() ? path.parent_path() : ".";
            return ::access(path.c_str(), W_OK) == 0 && ::access(folder.c_str(), W_OK) == 0;
        }
        case SQLITE_BUSY:
        case SQLITE_LOCKED:
        case SQLITE_PERM:
        case SQLITE_AUTH:
        case SQLITE_NOMEM:
        case SQLITE_INTERRUPT:
        case SQLITE_IOERR:
        case SQLITE_FULL:
        case SQLITE_CANTOPEN:
        case SQLITE_PROTOCOL:
            return false;
        default:
            return true;
    }
}

}  // namespace pointsman::detail
