// SPDX-License-Identifier: Apache-2.0
// Reads records from rows of the tables of a history, and writes them there.
#pragma once

#include <chrono>
#include <cstdint>

#include "pointsman/history/detail/database.hpp"
#include "pointsman/history/history_record.hpp"
#include "pointsman/tuning/evidence.hpp"
#include "pointsman/tuning/task_key.hpp"

namespace pointsman::detail {

[[nodiscard]] inline task_key kind_in(const statement& row) {
    return {static_cast<std::uint64_t>(row.integer(0)), static_cast<std::uint64_t>(row.integer(1))};
}
[[nodiscard]] inline evidence_summary timings_in(const statement& row) {
    return {static_cast<std::uint32_t>(row.integer(3)), row.real(4), row.real(5), row.real(6), 0};
}
[[nodiscard]] inline history_record record_in(const statement& row) {
    history_record found;
    found.kind = kind_in(row);
    found.resource = row.text(2);
    found.timings = timings_in(row);
    found.is_exact = row.integer(7) != 0;
    found.updated = std::chrono::sys_seconds{std::chrono::seconds{row.integer(8)}};
    return found;
}

inline void bind_key(statement& to, const task_key& kind) {
    to.bind(1, static_cast<std::int64_t>(kind.callable));
    to.bind(2, static_cast<std::int64_t>(kind.sizes));
}
inline void bind_key(statement& to, const history_record& of) {
    bind_key(to, of.kind);
    to.bind(3, of.resource);
}

[[nodiscard]] inline history_record combined(const history_record& known,
                                             const history_record& more) {
    history_record next = known;
    if (known.is_exact == more.is_exact) {
        next.timings = merged(known.timings, more.timings);
    } else if (more.is_exact) {
        next = more;
    }
    return next;
}
inline void store(statement& in, const history_record& of, std::chrono::sys_seconds now) {
    bind_key(in, of);
    in.bind(4, std::int64_t{of.timings.count});
    in.bind(5, of.timings.mean);
    in.bind(6, of.timings.centre);
    in.bind(7, of.timings.squares);
    in.bind(8, std::int64_t{of.is_exact ? 1 : 0});
    in.bind(9, std::int64_t{now.time_since_epoch().count()});
    in.step();
}

}  // namespace pointsman::detail
