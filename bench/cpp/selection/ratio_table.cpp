// SPDX-License-Identifier: Apache-2.0
// Collects the runs in rows and prints them in the order in which they were registered.
#include "ratio_table.hpp"

#include <algorithm>
#include <cstdio>

#include "markdown.hpp"
#include "measure.hpp"

namespace bench {
namespace {

std::string decimal(double number, int places) {
    char text[32];
    std::snprintf(text, sizeof text, "%.*f", places, number);
    return text;
}

/// An undisturbed thread has a CPU for at least this share of its wall time.
constexpr double least_share = 0.9;

/// Returns the number in "resources:64"; 0 without arguments.
std::int64_t argument(const std::string& args) {
    const auto colon = args.find(':');
    return colon != std::string::npos ? std::stoll(args.substr(colon + 1)) : 0;
}

std::string time_of(const std::map<std::string, double>& times, const char* backend) {
    const auto found = times.find(backend);
    return found != times.end() ? decimal(found->second, 1) : "-";
}

/// Returns oneDPL's time divided by pointsman's.
std::string ratio_of(const std::map<std::string, double>& times, const char* backend) {
    const auto rival = times.find(rival_backend);
    const auto ours = times.find(backend);
    return rival != times.end() && ours != times.end() ? decimal(rival->second / ours->second, 1)
                                                       : "-";
}

}  // namespace

bool ratio_table::ReportContext(const Context& context) {
    PrintBasicContext(&GetErrorStream(), context);
    return true;
}

void ratio_table::ReportRuns(const std::vector<Run>& runs) {
    for (const Run& run : runs) {
        const bool is_median = run.aggregate_name == "median";
        if (run.run_type == Run::RT_Aggregate && !is_median) {
            continue;
        }
        const auto& function = run.run_name.function_name;
        const auto slash = function.find('/');
        const auto backend = function.substr(slash + 1);
        row& found = row_of(run, function.substr(0, slash));
        found.time[backend] = run.counters.at(time_counter);  // a median comes after its runs
        repetitions_ = run.repetitions;
        if (backend == own_backend || backend == default_backend) {
            disturbed_ |= is_median && run.GetAdjustedCPUTime() < least_share * found.time[backend];
            const double allocations = run.counters.at(allocation_counter);
            found.allocations = std::max(found.allocations, allocations);
            if (allocations > 0 && !is_median) {
                allocating_.push_back(run.benchmark_name());
            }
        }
    }
}

ratio_table::row& ratio_table::row_of(const Run& run, const std::string& name) {
    const auto resources = argument(run.run_name.args);
    auto& position = positions_.try_emplace(name, run.family_index).first->second;
    position = std::min(position, run.family_index);
    return rows_
        .try_emplace({name, resources, run.threads}, row{name, resources, run.threads, {}, 0})
        .first->second;
}

std::vector<ratio_table::row> ratio_table::in_order() const {
    std::vector<row> rows;
    for (const auto& [key, each] : rows_) {
        rows.push_back(each);
    }
    std::ranges::stable_sort(rows, {},
                             [this](const row& each) { return positions_.at(each.name); });
    return rows;
}

void ratio_table::Finalize() {
    const auto rows = in_order();
    GetOutputStream() << "Nanoseconds per step on one thread, which is the thread's wall "
                         "time over its own steps;\nthe median of all repetitions ("
                      << repetitions_ << "). Ratio: oneDPL's time over pointsman's.\n";
    print_floors(rows);
    print_submits(rows);
    if (disturbed_) {
        GetOutputStream() << "\nOther programs kept the CPUs busy: the threads of a row did "
                             "not always run,\nlet alone side by side. These figures are not a "
                             "measure: run this again on an idle machine.\n";
    }
}

void ratio_table::print_floors(const std::vector<row>& rows) {
    markdown_lines table{{"floor", "threads", "ns"}};
    for (const row& each : rows) {
        if (each.time.contains(floor_backend)) {
            table.push_back(
                {each.name, std::to_string(each.threads), time_of(each.time, floor_backend)});
        }
    }
    print(GetOutputStream(), table);
}

void ratio_table::print_submits(const std::vector<row>& rows) {
    markdown_lines table{{"submit", "threads", "resources", "oneDPL ns", "inline backend ns",
                          "ratio", "default backend ns", "ratio", "allocations"}};
    for (const row& each : rows) {
        if (!each.time.contains(floor_backend)) {
            table.push_back({each.name, std::to_string(each.threads),
                             std::to_string(each.resources), time_of(each.time, rival_backend),
                             time_of(each.time, own_backend), ratio_of(each.time, own_backend),
                             time_of(each.time, default_backend),
                             ratio_of(each.time, default_backend), decimal(each.allocations, 3)});
        }
    }
    print(GetOutputStream(), table);
}

}  // namespace bench
