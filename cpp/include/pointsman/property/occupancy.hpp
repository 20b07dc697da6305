// SPDX-License-Identifier: Apache-2.0
// The property occupancy: how many execution agents keep all of an executor's hardware busy.
#pragma once

#include <cstddef>

#include "pointsman/property/property.hpp"

namespace pointsman {

/// The number of execution agents that must run at a time to use all threads, vector lanes or compute
/// units of an executor's context. It can be queried but not set; 1 if unknown.
/// **Example**: `const std::size_t parts = 4 * query(executor, occupancy);`
/// Source: *Executor Properties* in the executor document, by its reference to P0443R13.
struct occupancy_t {
    static constexpr bool is_requirable = false;
    static constexpr bool is_preferable = false;
    using polymorphic_query_result_type = std::size_t;

    [[nodiscard]] static constexpr std::size_t default_value() noexcept { return 1; }
    friend bool operator==(const occupancy_t&, const occupancy_t&) = default;
};

inline constexpr occupancy_t occupancy{};

static_assert(property<occupancy_t>);

}  // namespace pointsman
