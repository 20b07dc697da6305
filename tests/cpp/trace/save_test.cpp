// SPDX-License-Identifier: Apache-2.0
// The texts of saved recordings; tests/python/trace parses the JSON.
#include "pointsman/trace/save.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <ios>
#include <sstream>
#include <string>

namespace pointsman {
namespace {

using trace::event_kind;

clock::time_point at_nanosecond(int count) { return clock::time_point{clock::duration{count}}; }

/// Two tasks that overlap on one resource.
trace::recording overlapping() {
    trace::recording made;
    made.names = {"", "blur \"3\"", "gpu", "round_robin"};
    for (const std::uint64_t task : {1U, 2U}) {
        const int begin = task == 1 ? 1'000 : 1'500;
        made.events.push_back({.time = at_nanosecond(begin), .task = task, .name = 1, .thread = 1});
        made.events.push_back({.time = at_nanosecond(begin),
                               .task = task,
                               .resource = 2,
                               .policy = 3,
                               .thread = 1,
                               .kind = event_kind::selection});
        made.events.push_back({.time = at_nanosecond(begin + 1'001),
                               .task = task,
                               .thread = 1,
                               .kind = event_kind::end});
    }
    made.put_in_order();
    return made;
}

std::string json_of(const trace::recording& made) {
    std::ostringstream out;
    trace::write_json(out, made);
    return out.str();
}

TEST(TraceSave, writes_a_bar_for_each_task_in_microseconds) {
    const auto text = json_of(overlapping());
    EXPECT_NE(text.find(R"("ph":"X","cat":"task","pid":1,"tid":1,"ts":1.000,"dur":1.001)"),
              std::string::npos)
        << text;
}

TEST(TraceSave, gives_tasks_that_overlap_rows_of_their_own) {
    const auto text = json_of(overlapping());
    EXPECT_NE(text.find(R"("tid":2,"ts":1.500)"), std::string::npos) << text;
    EXPECT_NE(text.find(R"("name":"gpu, row 2")"), std::string::npos) << text;
}

TEST(TraceSave, escapes_names) {
    EXPECT_NE(json_of(overlapping()).find(R"("name":"blur \"3\"")"), std::string::npos);
}

TEST(TraceSave, says_how_many_events_were_dropped) {
    auto made = overlapping();
    made.dropped = 12;
    EXPECT_NE(json_of(made).find("\"dropped\":12"), std::string::npos);
}

TEST(TraceSave, writes_a_line_of_csv_for_each_event) {
    std::ostringstream out;
    trace::write_csv(out, overlapping());
    EXPECT_NE(out.str().find("1000,submission,1,\"blur \"\"3\"\"\",\"\",\"\",1,0,1,1\n"),
              std::string::npos)
        << out.str();
}

TEST(TraceSave, fails_where_the_file_cannot_be_written) {
    EXPECT_THROW(trace::save(overlapping(), "/no/such/folder/trace.json"), std::ios_base::failure);
}

}  // namespace
}  // namespace pointsman
