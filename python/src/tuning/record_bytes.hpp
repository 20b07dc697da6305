// SPDX-License-Identifier: Apache-2.0
// Passes the records of a policy from one extension module to another.
#pragma once

#include <pybind11/pybind11.h>

#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "pointsman/error.hpp"
#include "pointsman/tuning/model_record.hpp"

namespace pointsman::python {

namespace py = pybind11;

/// Records or pins as bytes, in which the modules of one build pass them on: thousands of objects would take
/// milliseconds.
template <class Record>
py::bytes to_bytes(const std::vector<Record>& records) {
    static_assert(std::is_trivially_copyable_v<Record>);
    return {reinterpret_cast<const char*>(records.data()), records.size() * sizeof(Record)};
}
/// **Throws**: `invalid_option` for bytes that are not of `to_bytes`.
template <class Record>
std::vector<Record> to_records(const py::bytes& bytes) {
    const std::string_view all = bytes;
    if (all.size() % sizeof(Record) != 0) {
        throw invalid_option{std::to_string(all.size()) +
                             " bytes are no records: pass those of the same build"};
    }
    std::vector<Record> records(all.size() / sizeof(Record));
    if (!records.empty()) {
        std::memcpy(records.data(), all.data(), all.size());
    }
    return records;
}

}  // namespace pointsman::python
