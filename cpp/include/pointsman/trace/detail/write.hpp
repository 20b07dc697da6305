// SPDX-License-Identifier: Apache-2.0
// The texts that `save` writes: numbers with three digits after the point, names with escapes.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <ostream>
#include <queue>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pointsman/trace/recording.hpp"
#include "pointsman/trace/save.hpp"

namespace pointsman::trace {
namespace detail {

/// Returns a text in quotes, as JSON has it.
[[nodiscard]] inline std::string quoted(std::string_view text) {
    std::string written = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') {
            written += '\\';
        }
        if (static_cast<unsigned char>(c) < 0x20) {
            std::array<char, 8> escape{};
            std::snprintf(escape.data(), escape.size(), "\\u%04x", static_cast<unsigned>(c));
            written += escape.data();
        } else {
            written += c;
        }
    }
    return written + '"';
}

/// Returns nanoseconds as microseconds with three digits after the point.
[[nodiscard]] inline std::string microseconds(clock::duration time) {
    std::array<char, 40> text{};
    const auto count = time.count();
    std::snprintf(text.data(), text.size(), "%lld.%03d", static_cast<long long>(count / 1000),
                  static_cast<int>(count % 1000));
    return text.data();
}
[[nodiscard]] inline std::string microseconds(clock::time_point time) {
    return microseconds(time.time_since_epoch());
}

/// Gives each task a row of its resource such that tasks of one row do not overlap.
class row_table {
  public:
    /// Call it in the order of `begin`.
    [[nodiscard]] int row_of(std::uint32_t resource, clock::time_point begin,
                             clock::time_point end) {
        auto& rows = busy_[resource];
        if (!rows.empty() && rows.top().first <= begin) {
            const int row = rows.top().second;
            rows.pop();
            rows.emplace(end, row);
            return row;
        }
        rows.emplace(end, ++last_);
        names_.emplace_back(resource, static_cast<int>(rows.size()));
        return last_;
    }
    /// The resource of each row, in the order of the rows, and the row's number within the resource.
    [[nodiscard]] const std::vector<std::pair<std::uint32_t, int>>& rows() const noexcept {
        return names_;
    }

  private:
    using ends =
        std::priority_queue<std::pair<clock::time_point, int>,
                            std::vector<std::pair<clock::time_point, int>>, std::greater<>>;
    std::map<std::uint32_t, ends> busy_;
    std::vector<std::pair<std::uint32_t, int>> names_;
    int last_ = 0;
};

/// Writes the entries of a JSON list of trace events.
class json_writer {
  public:
    json_writer(std::ostream& out, const recording& made) : out_{out}, made_{made} {}

    void write() {
        out_ << R"({"displayTimeUnit":"ns","otherData":{"producer":"pointsman","dropped":)"
             << made_.dropped << "},\"traceEvents\":[";
        write_tasks();
        std::uint32_t last_thread = 0;
        for (const event& each : made_.events) {
            last_thread = std::max(last_thread, each.thread);
            write_of_thread(each);
        }
        name_process(resources, "resources");
        name_process(threads, "threads");
        for (std::uint32_t i = 1; i <= last_thread; ++i) {
            name_row(threads, static_cast<int>(i), "thread " + std::to_string(i));
        }
        out_ << "\n]}\n";
    }

  private:
    static constexpr int resources = 1;
    static constexpr int threads = 2;

    std::ostream& entry() {
        out_ << (is_first_ ? "\n" : ",\n");
        is_first_ = false;
        return out_;
    }

    void write_tasks() {
        auto tasks = made_.tasks();
        std::erase_if(tasks, [](const task& each) { return !each.begin() || !each.ended; });
        std::ranges::stable_sort(tasks, {}, [](const task& each) { return *each.begin(); });
        row_table rows;
        for (const task& each : tasks) {
            const auto begin = *each.begin();
            const auto end = std::max(*each.ended, begin);
            entry() << R"({"ph":"X","cat":"task","pid":1,"tid":)"
                    << rows.row_of(each.resource, begin, end) << ",\"ts\":" << microseconds(begin)
                    << ",\"dur\":" << microseconds(end - begin)
                    << ",\"name\":" << quoted(made_.name_of(each.name))
                    << ",\"args\":{\"task\":" << each.number
                    << ",\"resource\":" << quoted(made_.name_of(each.resource))
                    << ",\"policy\":" << quoted(made_.name_of(each.policy))
                    << ",\"succeeded\":" << (each.succeeded ? "true" : "false") << "}}";
        }
        for (std::size_t i = 0; i < rows.rows().size(); ++i) {
            const auto& [resource, number] = rows.rows()[i];
            name_row(
                resources, static_cast<int>(i + 1),
                made_.name_of(resource) + (number == 1 ? "" : ", row " + std::to_string(number)));
        }
    }

    /// An instant or, for a wait, a bar in the row of the thread.
    void write_of_thread(const event& each) {
        entry() << (each.kind == event_kind::wait ? R"({"ph":"X")" : R"({"ph":"i","s":"t")")
                << R"(,"cat":"event","pid":2,"tid":)" << each.thread
                << ",\"ts\":" << microseconds(each.time);
        if (each.kind == event_kind::wait) {
            out_ << ",\"dur\":" << microseconds(each.duration);
        }
        out_ << ",\"name\":\"" << to_string(each.kind) << "\",\"args\":{\"task\":" << each.task;
        write_text("name", each.name);
        write_text("resource", each.resource);
        write_text("policy", each.policy);
        if (each.kind == event_kind::submission) {
            out_ << ",\"sizes\":\"" << each.sizes << '"';
        } else if (each.kind == event_kind::end) {
            out_ << ",\"succeeded\":" << (each.succeeded ? "true" : "false")
                 << ",\"exact\":" << (each.exact ? "true" : "false");
        }
        out_ << "}}";
    }

    void write_text(const char* key, std::uint32_t number) {
        if (number != 0) {
            out_ << ",\"" << key << "\":" << quoted(made_.name_of(number));
        }
    }

    void name_process(int process, const char* name) {
        entry() << R"({"ph":"M","name":"process_name","ts":0,"pid":)" << process
                << R"(,"tid":0,"args":{"name":")" << name << "\"}}";
    }
    void name_row(int process, int row, std::string_view name) {
        entry() << R"({"ph":"M","name":"thread_name","ts":0,"pid":)" << process
                << ",\"tid\":" << row << ",\"args\":{\"name\":" << quoted(name) << "}}";
    }

    std::ostream& out_;
    const recording& made_;
    bool is_first_ = true;
};

/// A field of a CSV file; in quotes, since a name may contain anything.
[[nodiscard]] inline std::string csv_field(std::string_view text) {
    std::string written = "\"";
    for (const char c : text) {
        written += c;
        if (c == '"') {
            written += c;
        }
    }
    return written + '"';
}

}  // namespace detail

inline void write_json(std::ostream& out, const recording& made) {
    detail::json_writer{out, made}.write();
}

inline void write_csv(std::ostream& out, const recording& made) {
    out << "time_ns,kind,task,name,resource,policy,thread,duration_ns,succeeded,exact\n";
    for (const event& each : made.events) {
        out << each.time.time_since_epoch().count() << ',' << to_string(each.kind) << ','
            << each.task << ',' << detail::csv_field(made.name_of(each.name)) << ','
            << detail::csv_field(made.name_of(each.resource)) << ','
            << detail::csv_field(made.name_of(each.policy)) << ',' << each.thread << ','
            << each.duration.count() << ',' << each.succeeded << ',' << each.exact << '\n';
    }
}

inline void save(const recording& made, const std::filesystem::path& path) {
    std::ofstream out;
    out.exceptions(std::ios_base::failbit | std::ios_base::badbit);
    out.open(path, std::ios_base::binary);
    if (path.extension() == ".csv") {
        write_csv(out, made);
    } else {
        write_json(out, made);
    }
    out.close();
}

}  // namespace pointsman::trace
