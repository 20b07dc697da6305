// SPDX-License-Identifier: Apache-2.0
// Writes a recording as a JSON file for Perfetto and Chrome, or as a table of its events.
#pragma once

#include <filesystem>
#include <ostream>

#include "pointsman/trace/recording.hpp"

namespace pointsman::trace {

/// Writes `made` in the Trace Event Format, which https://ui.perfetto.dev and chrome://tracing show. Process
/// 1 has a row for each resource, or several where its tasks overlap, with a bar for each task; process 2 has
/// a row for each thread with its submissions, selections, waits and retries. Times are microseconds.
void write_json(std::ostream& out, const recording& made);

/// Writes a line for each event, with the columns `time_ns,kind,task,name,resource,policy,thread,
/// duration_ns,succeeded,exact`.
void write_csv(std::ostream& out, const recording& made);

/// Writes a CSV file if the extension is `.csv`, else JSON.
/// **Throws**: `std::ios_base::failure` if the file cannot be written.
void save(const recording& made, const std::filesystem::path& path);

}  // namespace pointsman::trace

#include "pointsman/trace/detail/write.hpp"
