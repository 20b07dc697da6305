// SPDX-License-Identifier: Apache-2.0
// Any text as an exported history: it is refused, or its records survive another export.
#include <cstddef>
#include <cstdint>
#include <string>

#include "pointsman/error.hpp"
#include "pointsman/history/history_json.hpp"
#include "target.hpp"

namespace {

using pointsman::fuzz::check;

bool are_alike(const pointsman::history_record& a, const pointsman::history_record& b) {
    return a.kind == b.kind && a.timings.count == b.timings.count && a.is_exact == b.is_exact &&
           a.updated == b.updated;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text{reinterpret_cast<const char*>(data), size};
    try {
        const auto records = pointsman::records_from_json(text);
        const auto again = pointsman::records_from_json(pointsman::to_json(records));
        check(again.size() == records.size(), "an export has all records");
        for (const auto& each : records) {
            check(each.timings.is_possible(), "a record has numbers that no timings have");
        }
        for (std::size_t i = 0; i < records.size(); ++i) {
            check(are_alike(records[i], again[i]), "a record survives an export");
        }
    } catch (const pointsman::invalid_option&) {  // the text is refused
    }
    return 0;
}
