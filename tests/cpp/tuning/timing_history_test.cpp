// SPDX-License-Identifier: Apache-2.0
// A history keeps timings from the first to nearly the last one, evenly spread.
#include "pointsman/tuning/detail/timing_history.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>

namespace {

using pointsman::detail::timing_history;

TEST(TimingHistory, keeps_all_of_a_few) {
    timing_history history;
    for (std::uint64_t run = 0; run < timing_history::most; ++run) {
        history.add(run, static_cast<double>(2 * run));
    }
    ASSERT_EQ(history.kept().size(), timing_history::most);
    EXPECT_EQ(history.kept().back().run, timing_history::most - 1);
    EXPECT_EQ(history.kept().back().nanoseconds, 2 * (timing_history::most - 1));
}

TEST(TimingHistory, spreads_evenly_over_many) {
    for (const std::uint64_t runs : {33, 100, 1'000, 1'000'000}) {
        timing_history history;
        for (std::uint64_t run = 0; run < runs; ++run) {
            history.add(run, 1);
        }
        const auto kept = history.kept();
        const auto step = kept[1].run;
        EXPECT_GE(kept.size(), timing_history::most / 2);
        for (std::size_t i = 0; i < kept.size(); ++i) {
            EXPECT_EQ(kept[i].run, i * step) << runs;
        }
        EXPECT_GE(kept.back().run + step, runs);
    }
}

}  // namespace
