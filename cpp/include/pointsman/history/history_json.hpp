// SPDX-License-Identifier: Apache-2.0
// Records of histories as JSON, for other machines, and what differs between two histories.
#pragma once

#include <charconv>
#include <chrono>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "pointsman/error.hpp"
#include "pointsman/history/detail/database.hpp"
#include "pointsman/history/history_error.hpp"
#include "pointsman/history/history_record.hpp"
#include "pointsman/tuning/task_key.hpp"

namespace pointsman {

namespace detail {

inline constexpr double json_second = 1e9;  // nanoseconds

/// The shortest text from which the number is read again.
[[nodiscard]] inline std::string json_number(double value) {
    char text[32];
    const auto end = std::to_chars(text, text + sizeof text, value).ptr;
    return {text, end};
}
/// **Throws**: `invalid_option` unless all of `text` is a hexadecimal number.
[[nodiscard]] inline std::uint64_t from_hexadecimal(std::string_view text) {
    std::uint64_t value = 0;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
    if (failed != std::errc{} || end != text.data() + text.size()) {
        throw invalid_option{"the key of a record has the part \"" + std::string{text} +
                             "\": pass hexadecimal numbers, as to_json writes them"};
    }
    return value;
}

}  // namespace detail

/// The records as JSON, as the command `pointsman history export` writes them.
/// **Throws**: `history_error` without memory, and for numbers that are not finite.
[[nodiscard]] inline std::string to_json(std::span<const history_record> records) {
    const auto converter = detail::database::in_memory();
    auto row = converter.prepare(
        "SELECT json_object('key', json_array(printf('%016x', ?1), printf('%016x', ?2)), 'kind', "
        "?3, 'resource', ?4, 'count', ?5, 'mean', json(?6), 'log_mean', json(?7), 'log_squares', "
        "json(?8), 'is_exact', json(?9), 'updated', ?10)");
    std::string text = R"({"format": "pointsman history", "version": 1, "records": [)";
    std::string_view separator = "\n  ";
    for (const history_record& each : records) {
        row.bind(1, static_cast<std::int64_t>(each.kind.callable));
        row.bind(2, static_cast<std::int64_t>(each.kind.sizes));
        row.bind(3, each.name);
        row.bind(4, each.resource);
        row.bind(5, std::int64_t{each.timings.count});
        row.bind(6, detail::json_number(each.timings.mean / detail::json_second));
        row.bind(7, detail::json_number(each.timings.centre));
        row.bind(8, detail::json_number(each.timings.squares));
        row.bind(9, std::string{each.is_exact ? "true" : "false"});
        row.bind(10, std::int64_t{each.updated.time_since_epoch().count()});
        while (row.step()) {
            text.append(separator).append(row.text_view(0));
        }
        separator = ",\n  ";
    }
    return text + "\n]}\n";
}

/// The records that `to_json` or the command `pointsman history export` has written.
/// **Throws**: `invalid_option` for another text, and for numbers that no timings have.
[[nodiscard]] inline std::vector<history_record> records_from_json(const std::string& text) {
    const invalid_option other{
        "the text is no exported history of this version: write one with to_json, or with "
        "pointsman history export"};
    try {
        const auto reader = detail::database::in_memory();
        auto header = reader.prepare(
            "SELECT json_extract(?1, '$.format'), json_extract(?1, '$.version'), json_type(?1, "
            "'$.records')");
        header.bind(1, text);
        while (header.step()) {
            if (header.text_view(0) != "pointsman history" || header.integer(1) != 1 ||
                header.text_view(2) != "array") {
                throw other;
            }
        }
        auto row = reader.prepare(
            "SELECT json_extract(value, '$.key[0]'), json_extract(value, '$.key[1]'), "
            "json_extract(value, '$.resource'), json_extract(value, '$.count'), "
            "json_extract(value, '$.mean'), json_extract(value, '$.log_mean'), "
            "json_extract(value, '$.log_squares'), json_extract(value, '$.is_exact'), "
            "json_extract(value, '$.updated'), json_extract(value, '$.kind') "
            "FROM json_each(?1, '$.records')");
        row.bind(1, text);
        std::vector<history_record> records;
        while (row.step()) {
            history_record& next = records.emplace_back();
            next.kind = {detail::from_hexadecimal(row.text_view(0)),
                         detail::from_hexadecimal(row.text_view(1))};
            next.resource = row.text(2);
            const std::int64_t count = row.integer(3);
            if (count < 1 || count > std::numeric_limits<std::uint32_t>::max()) {
                throw invalid_option{"a record has " + std::to_string(count) +
                                     " timings: pass a number from 1 to 2^32 - 1"};
            }
            next.timings = {static_cast<std::uint32_t>(count), row.real(4) * detail::json_second,
                            row.real(5), row.real(6), 0};
            if (!next.timings.is_possible()) {
                throw invalid_option{"a record has the mean " + row.text(4) +
                                     " s, the mean logarithm " + row.text(5) +
                                     " and the squared deviations " + row.text(6) +
                                     ": leave it out, as these do not come from timings"};
            }
            next.is_exact = row.integer(7) != 0;
            next.updated = std::chrono::sys_seconds{std::chrono::seconds{row.integer(8)}};
            next.name = row.text(9);
        }
        return records;
    } catch (const history_error&) {  // malformed
        throw other;
    }
}

/// The means of one kind of task on one resource in two histories, in nanoseconds; empty where one has none.
struct history_difference {
    task_key kind;
    std::string resource;
    std::string name{};  ///< of the kind, if one of the histories knows it
    std::optional<double> first{};
    std::optional<double> second{};

    /// How many times as long the task takes in the second history; empty if one has no mean.
    [[nodiscard]] std::optional<double> ratio() const noexcept {
        return first && second ? std::optional{*second / *first} : std::nullopt;
    }
    friend bool operator==(const history_difference&, const history_difference&) = default;
};

/// What the records of two histories say of each kind and resource in either, ordered by these.
[[nodiscard]] inline std::vector<history_difference> differences(
    std::span<const history_record> first, std::span<const history_record> second) {
    using place = std::pair<std::pair<std::uint64_t, std::uint64_t>, std::string>;
    std::map<place, history_difference> found;
    const auto note = [&](const history_record& of, auto mean) {
        auto& at = found[{{of.kind.callable, of.kind.sizes}, of.resource}];
        at.kind = of.kind;
        at.resource = of.resource;
        at.name = of.name.empty() ? at.name : of.name;
        at.*mean = of.timings.mean;
    };
    for (const history_record& each : first) {
        note(each, &history_difference::first);
    }
    for (const history_record& each : second) {
        note(each, &history_difference::second);
    }
    std::vector<history_difference> all;
    for (auto& [key, each] : found) {
        all.push_back(std::move(each));
    }
    return all;
}

}  // namespace pointsman
