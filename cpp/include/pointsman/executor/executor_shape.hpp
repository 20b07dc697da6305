// SPDX-License-Identifier: Apache-2.0
// Type traits: the types in which an executor counts and numbers the agents of a bulk.
#pragma once

#include <cstddef>

namespace pointsman {

/// The type of the number of agents of a `bulk_execute`: the executor's `shape_type`, or `std::size_t`.
/// Source: *Shape and Index* in the executor document.
template <class Executor>
struct executor_shape {
    using type = std::size_t;
};
template <class Executor>
    requires requires { typename Executor::shape_type; }
struct executor_shape<Executor> {
    using type = typename Executor::shape_type;
};
template <class Executor>
using executor_shape_t = typename executor_shape<Executor>::type;

/// The type of an agent's index: the executor's `index_type`, or `std::size_t`.
template <class Executor>
struct executor_index {
    using type = std::size_t;
};
template <class Executor>
    requires requires { typename Executor::index_type; }
struct executor_index<Executor> {
    using type = typename Executor::index_type;
};
template <class Executor>
using executor_index_t = typename executor_index<Executor>::type;

}  // namespace pointsman
