// SPDX-License-Identifier: Apache-2.0
// What a program computes with, and which of its steps reported errors.
#pragma once

#include <atomic>
#include <cstddef>
#include <limits>
#include <mutex>
#include <vector>

namespace pointsman::python {

/// The operands of a step for which the processor reported an error, such as a division by zero.
struct failed_step {
    std::size_t number;
    std::vector<std::vector<char>> operands;
};

/// Arrays of `size` values, and what becomes of them.
struct program_run {
    std::vector<const char*> inputs{};
    std::size_t size = 0;
    int reported;  ///< the errors to note, as for `std::fetestexcept`
    bool is_parallel;
    char* out = nullptr;  ///< where `transform` writes the results
    std::vector<failed_step> failed{};
    /// Blocks that begin at this index or later may be skipped: where the first match so far lies.
    std::atomic<std::size_t> end{std::numeric_limits<std::size_t>::max()};
    std::atomic<bool> folds_fail{false};  ///< a fold of results raised an error

    bool overwrites_input = false;
    bool streams = false;  ///< results go past the caches
    std::vector<std::atomic<int>> noted{};
    std::mutex noting{};
};

}  // namespace pointsman::python
