// SPDX-License-Identifier: Apache-2.0
// Converts ticks to times by two readings of both: one when the module was loaded, one now.
#include "instant.hpp"

#include <chrono>
#include <fstream>
#include <limits>
#include <string>

namespace pointsman::python {
namespace {

#ifdef __x86_64__
/// Returns true if the kernel trusts the counter: it runs at one rate, and is the same on all cores.
bool kernel_uses_counter() {
    std::ifstream source{"/sys/devices/system/clocksource/clocksource0/current_clocksource"};
    std::string name;
    return source >> name && name == "tsc";
}

struct reading {
    std::uint64_t ticks = __builtin_ia32_rdtsc();
    clock::time_point time = clock::now();
};

/// Returns the first of a few readings between whose two parts at most `enough` ticks have passed, or else the one of
/// the fewest: a thread may be interrupted between them for milliseconds.
reading undisturbed_reading(std::uint64_t enough) {
    reading best;
    auto least = std::numeric_limits<std::uint64_t>::max();
    for (int attempt = 0; attempt < 4 && least > enough; ++attempt) {
        const reading next;
        if (const auto gap = __builtin_ia32_rdtsc() - next.ticks; gap < least) {
            least = gap;
            best = next;
        }
    }
    return best;
}

constexpr std::uint64_t about_a_microsecond = 2'048;  // ticks

const reading at_load = undisturbed_reading(0);

double nanoseconds_per_tick(const reading& now) noexcept {
    return static_cast<double>((now.time - at_load.time).count()) /
           static_cast<double>(now.ticks - at_load.ticks);
}
#endif

}  // namespace

#ifdef __x86_64__
const bool instant::has_counter = kernel_uses_counter();
#else
const bool instant::has_counter = false;
#endif

clock::time_point instant::time() const noexcept {
#ifdef __x86_64__
    if (has_counter) {
        const reading now = undisturbed_reading(about_a_microsecond);
        const double since = static_cast<double>(now.ticks - count_) * nanoseconds_per_tick(now);
        return now.time - clock::duration{static_cast<clock::rep>(since)};
    }
#endif
    return clock::time_point{clock::duration{static_cast<clock::rep>(count_)}};
}

double instant::nanoseconds_per_count() noexcept {
#ifdef __x86_64__
    if (has_counter) {
        return nanoseconds_per_tick(undisturbed_reading(about_a_microsecond));
    }
#endif
    return 1;
}

}  // namespace pointsman::python
