// SPDX-License-Identifier: Apache-2.0
// Arrays of random values whose seed appears in the message of a failed test.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include "support/sanitized.hpp"

namespace pointsman::test {

/// A subset of the types, for algorithms that take long to compile.
#ifdef POINTSMAN_TEST_SANITIZED
using few_types = testing::Types<std::int32_t, float>;
#else
using few_types = testing::Types<std::int32_t, float, std::uint64_t>;
#endif

/// Uses a new seed in each process: put `seed()` into the message of each expectation.
class random_values {
  public:
    [[nodiscard]] std::string seed() const { return "seed " + std::to_string(seed_); }

    /// Returns values in [-`limit`, `limit`], or [0, `limit`] for unsigned types. Without a limit they
    /// include infinities and the limits of the type. NaN does not occur.
    template <class T>
    std::vector<T> of(std::size_t size, T limit = std::numeric_limits<T>::max()) {
        using limits = std::numeric_limits<T>;
        const T lowest = std::is_signed_v<T> ? static_cast<T>(-limit) : T{0};
        std::vector<T> values(size);
        for (T& value : values) {
            if constexpr (std::is_floating_point_v<T>) {
                value = std::uniform_real_distribution<T>{lowest / 2, limit / 2}(random_)*T{2};
            } else {
                value = std::uniform_int_distribution<T>{lowest, limit}(random_);
            }
        }
        if (limit == limits::max()) {
            const T ends[] = {limits::lowest(), limit, T{0}, limits::infinity()};
            for (std::size_t i = 0; i < size / 8; ++i) {
                values[random_() % size] = ends[i % std::size(ends)];
            }
        }
        return values;
    }

  private:
    std::uint_fast32_t seed_ = std::random_device{}();
    std::mt19937 random_{seed_};
};

}  // namespace pointsman::test
