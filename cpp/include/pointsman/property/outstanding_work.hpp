// SPDX-License-Identifier: Apache-2.0
// The property outstanding_work: whether an executor announces work that is still to come.
#pragma once

#include "pointsman/property/detail/property_value.hpp"
#include "pointsman/property/property.hpp"

namespace pointsman {

/// Whether an existing executor keeps its context from completing. With `outstanding_work.tracked` it
/// does; with `outstanding_work.untracked`, the default, only submitted work counts. Track the executor
/// that a producer keeps while it has more to submit: the context's `wait()` then returns once the last
/// copy is destroyed and its work is complete. If the waiting thread itself keeps a copy, that wait
/// never ends.
/// **Example**: `std::jthread producer{produce, require(executor, outstanding_work.tracked)};`
/// Source: *Executor Properties* in the executor document, by its reference to P0443R13.
struct outstanding_work_t : property_with_values<outstanding_work_t> {
    struct untracked_t : property_value<outstanding_work_t, 0> {};
    struct tracked_t : property_value<outstanding_work_t, 1> {};
    using values = property_values<untracked_t, tracked_t>;
    static constexpr untracked_t untracked{};
    static constexpr tracked_t tracked{};

    constexpr outstanding_work_t() = default;
    explicit constexpr outstanding_work_t(int number) noexcept : property_with_values{number} {}
    [[nodiscard]] static constexpr untracked_t default_value() noexcept { return {}; }
};

inline constexpr outstanding_work_t outstanding_work{};

static_assert(property<outstanding_work_t> && property<outstanding_work_t::tracked_t>);

}  // namespace pointsman
