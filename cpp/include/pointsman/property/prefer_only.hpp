// SPDX-License-Identifier: Apache-2.0
// Wraps a property so that it can be preferred but not required.
#pragma once

#include <utility>

#include "pointsman/property/property.hpp"

namespace pointsman {

/// `Property` in the list of an `any_executor` that also accepts executors without the property.
/// **Example**: `any_executor<prefer_only<blocking_t::never_t>>` holds an `inline_executor` too.
/// Source: *Executor Properties* in the executor document, by its reference to P0443R13.
template <property Property>
struct prefer_only {
    static_assert(Property::is_preferable,
                  "prefer_only: this property cannot be preferred: leave out prefer_only, or name "
                  "one of its values");
    static constexpr bool is_requirable = false;
    static constexpr bool is_preferable = true;
    using preferred_type = Property;
};

}  // namespace pointsman
