// SPDX-License-Identifier: Apache-2.0
// The property outstanding_work: whether an executor announces work that is still to come.
#pragma once

#include "pointsman/property/detail/property_value.hpp"
#include "pointsman/property/property.hpp"

namespace pointsman {

/// Whether the existence of an executor keeps its context's `wait()` from returning. With
/// `outstanding_work.tracked` it does; with `outstanding_work.untracked`, the default, only submitted
/// work does. Give a producer a tracked executor: `wait()` then returns once the last copy of the
/// executor is destroyed and its work is complete. It never returns if the waiting thread itself keeps
/// a copy.
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
