// SPDX-License-Identifier: Apache-2.0
// The number of random operations in a run and its seed; environment variables set both.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>

namespace pointsman::test {

/// Returns the number in the environment variable `name`, or `otherwise`.
inline std::uint64_t number_from_environment(const char* name, std::uint64_t otherwise) {
    const char* const text = std::getenv(name);
    return text != nullptr ? std::stoull(text) : otherwise;
}

/// The number of random operations in a run: a few seconds in CI; `POINTSMAN_MODEL_OPERATIONS`
/// makes runs long.
inline std::uint64_t run_length() {
    return number_from_environment("POINTSMAN_MODEL_OPERATIONS", 20'000);
}

/// A new seed, or `POINTSMAN_MODEL_SEED` to repeat a run that failed.
inline std::uint64_t run_seed() {
    return number_from_environment("POINTSMAN_MODEL_SEED", std::random_device{}());
}

inline std::string seed_message(std::uint64_t seed) {
    return "to run this again: POINTSMAN_MODEL_SEED=" + std::to_string(seed);
}

}  // namespace pointsman::test
