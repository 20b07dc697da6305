// SPDX-License-Identifier: Apache-2.0
// Chooses which calls are timed, and adds up what was counted by threads and by completions.
#include "submission/resource_record.hpp"

namespace pointsman::python {

void resource_record::time(part& mine, instant begin) noexcept {
    constexpr std::uint64_t short_call = 4096;  // ticks at 2 to 4 GHz, or nanoseconds
    constexpr std::uint64_t most_untimed = 63;
    const std::uint64_t elapsed = instant::counts_since(begin);
    const std::uint64_t stands_for = mine.untimed.load(std::memory_order_relaxed) + 1;
    mine.timed.fetch_add(stands_for, std::memory_order_relaxed);
    mine.elapsed.fetch_add(elapsed * stands_for, std::memory_order_relaxed);
    mine.untimed.store(elapsed < short_call && !times_all_ ? most_untimed : 0,
                       std::memory_order_relaxed);
}

resource_record::totals resource_record::read() const noexcept {
    std::uint64_t timed = took_.load(std::memory_order_relaxed);
    std::uint64_t completed = timed;
    std::uint64_t counts = 0;
    for (const part& each : parts_) {
        completed += each.returned.load(std::memory_order_relaxed);
        timed += each.timed.load(std::memory_order_relaxed);
        counts += each.elapsed.load(std::memory_order_relaxed);
    }
    const double elapsed = static_cast<double>(elapsed_.load(std::memory_order_relaxed)) +
                           static_cast<double>(counts) * instant::nanoseconds_per_count();
    return {completed, failed_.load(std::memory_order_relaxed),
            timed == 0 ? std::nullopt : std::optional{elapsed * 1e-9 / static_cast<double>(timed)}};
}

}  // namespace pointsman::python
