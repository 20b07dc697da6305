// SPDX-License-Identifier: Apache-2.0
// What a resource under a test's control does with the work that it starts.
#pragma once

#include <concepts>
#include <cstddef>
#include <exception>
#include <type_traits>
#include <utility>
#include <variant>

namespace pointsman::testing {

/// The next `count` pieces of work run as they would without a script.
struct works {
    std::size_t count = 1;
};

/// The next `count` pieces of work end with `error`.
struct fails {
    template <std::derived_from<std::exception> Error>
    explicit fails(Error error_, std::size_t count_ = 1)
        : error{std::make_exception_ptr(std::move(error_))}, count{count_} {}

    std::exception_ptr error;
    std::size_t count;
};

/// The next `count` pieces of work do not end until the test calls `finish` or `fail`.
struct hangs {
    std::size_t count = 1;
};

/// The next `count` pieces of work take `factor` times as long.
struct slows {
    double factor;
    std::size_t count = 1;
};

/// From now on no work starts, and `error` is thrown, until the test calls `revive`.
struct dies {
    template <std::derived_from<std::exception> Error>
    explicit dies(Error error_) : error{std::make_exception_ptr(std::move(error_))} {}

    std::exception_ptr error;
};

/// One step of the script of a `fake_resource`.
using fault = std::variant<works, fails, hangs, slows, dies>;

}  // namespace pointsman::testing
