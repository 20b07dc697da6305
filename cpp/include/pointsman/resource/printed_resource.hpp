// SPDX-License-Identifier: Apache-2.0
// The printed form of a resource, for messages and tables.
#pragma once

#include <ostream>
#include <sstream>
#include <string>
#include <utility>

namespace pointsman::detail {

template <class T>
concept printable = requires(std::ostream& out, const T& value) { out << value; };

/// Returns what `<<` prints; empty for a type that cannot be printed.
template <class Resource>
[[nodiscard]] std::string printed_resource([[maybe_unused]] const Resource& resource) {
    std::ostringstream out;
    if constexpr (printable<Resource>) {
        out << resource;
    }
    return std::move(out).str();
}

}  // namespace pointsman::detail
