// SPDX-License-Identifier: Apache-2.0
// Shares the values of an array among threads.
#pragma once

#include <algorithm>
#include <cstddef>

#include "pointsman/binding/host_algorithm.hpp"

namespace pointsman::python {

/// Consecutive spans of some values, each for one thread at a time.
struct spans {
    std::size_t size;  ///< of all values
    std::size_t of_span;

    [[nodiscard]] std::size_t count() const noexcept { return (size + of_span - 1) / of_span; }
    [[nodiscard]] std::size_t begin(std::size_t span) const noexcept { return span * of_span; }
    [[nodiscard]] std::size_t end(std::size_t span) const noexcept {
        return std::min(size, begin(span) + of_span);
    }

    /// Calls `work(span)` for each span, in threads if there are several.
    template <class Work>
    void for_each(const Work& work) const {
        if (count() == 1) {
            work(0);
            return;
        }
        binding::in_threads(count(), 1, [&](std::size_t first, std::size_t last) {
            for (std::size_t span = first; span < last; ++span) {
                work(span);
            }
        });
    }
};

}  // namespace pointsman::python
