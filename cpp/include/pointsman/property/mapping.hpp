// SPDX-License-Identifier: Apache-2.0
// The property mapping: whether execution agents are threads, vector lanes or work items.
#pragma once

#include "pointsman/property/detail/property_value.hpp"
#include "pointsman/property/property.hpp"

namespace pointsman {

/// What an executor maps its execution agents onto.
///
/// - `mapping.thread`, the default: threads, each of which may run many agents. An agent may lock,
///   allocate and use thread-local storage;
/// - `mapping.new_thread`: a new thread for each agent;
/// - `mapping.other`: anything else, such as the lanes of a vector register or a device's work items;
///   agents must not wait for one another.
///
/// Source: *Executor Properties* in the executor document, by its reference to P0443R13.
struct mapping_t : property_with_values<mapping_t> {
    struct thread_t : property_value<mapping_t, 0> {};
    struct new_thread_t : property_value<mapping_t, 1> {};
    struct other_t : property_value<mapping_t, 2> {};
    using values = property_values<thread_t, new_thread_t, other_t>;
    static constexpr thread_t thread{};
    static constexpr new_thread_t new_thread{};
    static constexpr other_t other{};

    constexpr mapping_t() = default;
    explicit constexpr mapping_t(int number) noexcept : property_with_values{number} {}
    [[nodiscard]] static constexpr thread_t default_value() noexcept { return {}; }
};

inline constexpr mapping_t mapping{};

static_assert(property<mapping_t> && property<mapping_t::thread_t>);

}  // namespace pointsman
