// SPDX-License-Identifier: Apache-2.0
// Checks every pair of executor and property against the table in executor_properties.hpp.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <latch>
#include <map>
#include <string>
#include <vector>

#include "pointsman/pointsman.hpp"
#include "support/counting_allocator.hpp"
#include "support/every_executor.hpp"

namespace pointsman::test {
namespace {

using table_row = std::vector<std::string>;

/// Returns the cells of `/// | a | b |`, without surrounding blanks.
table_row cells_of(const std::string& line) {
    table_row cells;
    for (std::size_t begin = line.find('|'), end = 0;
         (end = line.find('|', begin + 1)) != line.npos; begin = end) {
        const std::string cell = line.substr(begin + 1, end - begin - 1);
        const auto first = cell.find_first_not_of(' ');
        cells.push_back(cell.substr(first, cell.find_last_not_of(' ') + 1 - first));
    }
    return cells;
}

std::map<std::string, table_row> published_rows() {
    std::ifstream header{POINTSMAN_INCLUDE_DIR "/pointsman/executor/executor_properties.hpp"};
    std::map<std::string, table_row> rows;
    for (std::string line; std::getline(header, line);) {
        if (line.starts_with("/// | ")) {
            const auto cells = cells_of(line);
            rows.emplace(cells.front(), table_row{cells.begin() + 1, cells.end()});
        }
    }
    return rows;
}

/// Returns the names of the values that can be required, and checks that each holds after `require`.
template <class Executor, class... Values>
std::string allowed(const Executor& executor, const char* const* names, Values... values) {
    std::string text;
    const auto add = [&](auto value) {
        if constexpr (can_require_v<Executor, decltype(value)>) {
            text += (text.empty() ? "" : ", ") + std::string{*names};
            EXPECT_EQ(query(require(executor, value), value), value) << *names;
        } else {
            EXPECT_EQ(prefer(executor, value), executor) << *names;
        }
        ++names;
    };
    (add(values), ...);
    return text;
}

template <class Executor>
table_row row_of(const Executor& executor, const std::string& occupancy_name,
                 std::size_t expected_occupancy) {
    static constexpr const char* blockings[] = {"always", "never", "possibly"};
    static constexpr const char* trackings[] = {"untracked", "tracked"};
    static constexpr const char* mappings[] = {"thread", "new_thread", "other"};
    allocation_counts counts;
    const auto counted = require(executor, allocator(counting_allocator<>{counts}));
    EXPECT_EQ(query(counted, allocator).counts(), &counts);
    static_assert(!can_require_v<Executor, occupancy_t> && !can_prefer_v<Executor, occupancy_t>);
    EXPECT_EQ(query(executor, occupancy), expected_occupancy);
    return {allowed(executor, blockings, blocking.always, blocking.never, blocking.possibly), "any",
            allowed(executor, trackings, outstanding_work.untracked, outstanding_work.tracked),
            allowed(executor, mappings, mapping.thread, mapping.new_thread, mapping.other),
            occupancy_name};
}

/// A user-defined property.
struct urgency_t {
    static constexpr bool is_requirable = true;
    static constexpr bool is_preferable = true;
    using polymorphic_query_result_type = int;
    static constexpr int default_value() { return 5; }
};

/// Checks `never` and `possibly`.
template <class Executor>
void expect_return_before_the_end(const Executor& executor) {
    const auto check = [](const auto& with_handle) {
        std::latch may_end{1};
        const auto one = execute(with_handle, [&] { may_end.wait(); });
        const auto many = bulk_execute(with_handle, [&](std::size_t) { may_end.wait(); }, 2);
        EXPECT_FALSE(one.is_ready() || many.is_ready());
        may_end.count_down();
        one.wait();
        many.wait();
    };
    check(require(executor, blocking.never));
    check(require(executor, blocking.possibly));
}

}  // namespace

TEST(PropertyTable, holds_for_the_calling_thread) {
    const auto published = published_rows();
    EXPECT_EQ(published.at("inline"), row_of(inline_executor<>{}, "1", 1));
    const std::size_t lanes = query(unsequenced_executor<>{}, occupancy);
    EXPECT_EQ(lanes & (lanes - 1), 0U);
    EXPECT_EQ(published.at("unsequenced"),
              row_of(unsequenced_executor<>{}, "lanes of a float", lanes));
}

TEST(PropertyTable, holds_for_threads) {
    const auto published = published_rows();
    EXPECT_EQ(published.at("arena"), row_of(arena_executor<>{arena{3}}, "the arena's threads", 3));
    EXPECT_EQ(published.at("nested"),
              row_of(nested_executor{arena_executor<>{arena{3}}, unsequenced_executor<>{}},
                     "the arena's threads", 3));
#ifdef _OPENMP
    EXPECT_EQ(published.at("openmp"), row_of(openmp_executor<>{5}, "its threads", 5));
#endif
}

TEST(PropertyTable, holds_for_opencl) {
#ifdef POINTSMAN_WITHOUT_OPENCL
    GTEST_SKIP() << "compiled without OpenCL";
#else
    if (opencl::devices().empty()) {
        GTEST_SKIP() << "no OpenCL device";
    }
    const opencl_executor<> executor;
    EXPECT_EQ(published_rows().at("opencl"),
              row_of(executor, "compute units", executor.context().device().compute_units()));
#endif
}

TEST(PropertyTable, is_right_that_a_user_defined_property_has_its_default) {
    on_every_executor([]<class Executor>(const Executor& executor) {
        EXPECT_EQ(query(executor, urgency_t{}), 5);
        EXPECT_EQ(query(prefer(executor, urgency_t{}), urgency_t{}), 5);
        static_assert(!can_require_v<Executor, urgency_t>);
    });
    static_assert(static_query_v<opencl_executor<>, urgency_t> == 5);
}

TEST(PropertyTable, is_right_that_possibly_equals_never) {
    const arena_executor<> cores{arena{2}};
    expect_return_before_the_end(cores);
    expect_return_before_the_end(nested_executor{cores, unsequenced_executor<>{}});
}

TEST(PropertyTable, has_a_row_for_each_executor_and_a_column_for_each_property) {
    const auto published = published_rows();
    std::vector<std::string> executors;
    for (const auto& [name, cells] : published) {
        executors.push_back(name);
        EXPECT_EQ(cells.size(), 5U) << name;
    }
    EXPECT_EQ(executors, (std::vector<std::string>{"arena", "executor", "inline", "nested",
                                                   "opencl", "openmp", "unsequenced"}));
    EXPECT_EQ(published.at("executor"),
              (table_row{"blocking", "allocator", "outstanding_work", "mapping", "occupancy"}));
}

}  // namespace pointsman::test
