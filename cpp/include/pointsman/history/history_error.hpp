// SPDX-License-Identifier: Apache-2.0
// The exception for a history that cannot be read or written.
#pragma once

#include <stdexcept>
#include <string>

#include "pointsman/error.hpp"

namespace pointsman {

/// SQLite refused an operation on the file of a `history`.
struct history_error : std::runtime_error, error {
    /// `code` is SQLite's, such as `SQLITE_FULL`; `reason` its text.
    history_error(int code, const std::string& reason)
        : std::runtime_error{"the history of timings failed: " + reason + " (SQLite's code " +
                             std::to_string(code) +
                             "): make its folder writable with room for it, or pass another path"},
          code_{code} {}

    [[nodiscard]] int code() const noexcept { return code_; }

  private:
    int code_;
};

}  // namespace pointsman
