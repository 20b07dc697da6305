// SPDX-License-Identifier: Apache-2.0
// Folds rows of values by a loop of NumPy's, as NumPy does.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <string>
#include <utility>

#include "algorithm/ufunc_loop.hpp"

namespace pointsman::python {

/// The fold of rows of `inner` values by one loop. **Thread safety**: from several threads at once.
class line_fold {
  public:
    /// `initial` are the bytes of what a fold begins with, none for the first of its values; `most_at_once` the values of
    /// a line that one call of the loop folds.
    line_fold(ufunc_loop loop, std::size_t size_bytes, std::string initial, std::size_t inner,
              std::size_t most_at_once)
        : loop_{std::move(loop)},
          size_{size_bytes},
          initial_{std::move(initial)},
          inner_{inner},
          most_at_once_{std::max(most_at_once, std::size_t{1})} {}

    /// Folds the first `width` columns of `length` rows to `out`; with what folds begin with if this one `begins`.
    void operator()(const char* rows, std::size_t length, std::size_t width, char* out,
                    bool begins) const {
        const bool has_initial = begins && !initial_.empty();
        if (!has_initial) {
            std::memcpy(out, rows, width * size_);
        } else if (inner_ == 1) {
            std::memcpy(out, initial_.data(), size_);
        } else {
            apply(initial_.data(), rows, out, width, {0, step(), step()});
        }
        add(rows, has_initial && inner_ == 1 ? 0 : 1, length, width, out);
    }
    /// Folds the rows from `first` to `length` and what is in `out` to `out`.
    void add(const char* rows, std::size_t first, std::size_t length, std::size_t width,
             char* out) const {
        if (inner_ == 1) {
            for (std::size_t i = first, end = 0; i < length; i = end) {
                end = std::min(length, (i / most_at_once_ + 1) * most_at_once_);
                apply(out, rows + i * size_, out, end - i, {0, step(), 0});
            }
            return;
        }
        for (std::size_t i = first; i < length; ++i) {
            apply(out, rows + i * inner_ * size_, out, width, {step(), step(), step()});
        }
    }

  private:
    [[nodiscard]] std::ptrdiff_t step() const noexcept {
        return static_cast<std::ptrdiff_t>(size_);
    }
    void apply(const char* a, const char* b, char* out, std::size_t count,
               const std::array<std::ptrdiff_t, 3>& steps) const {
        std::array<char*, 3> operands{const_cast<char*>(a), const_cast<char*>(b), out};
        loop_(operands.data(), static_cast<std::ptrdiff_t>(count), steps.data());
    }

    ufunc_loop loop_;
    std::size_t size_;
    std::string initial_;
    std::size_t inner_;
    std::size_t most_at_once_;
};

}  // namespace pointsman::python
