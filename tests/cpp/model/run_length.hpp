// SPDX-License-Identifier: Apache-2.0
// How many random operations a run makes, and from which seed; the environment sets both.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>

namespace pointsman::test {

/// The number in the environment variable `name`, or `otherwise`.
inline std::uint64_t number_from_environment(const char* name, std::uint64_t otherwise) {
    const char* const text = std::getenv(name);
    return text != nullptr ? std::stoull(text) : otherwise;
}

/// Random operations of one run: seconds in CI; long runs by hand set
/// `POINTSMAN_MODEL_OPERATIONS`.
inline std::uint64_t run_length() {
    return number_from_environment("POINTSMAN_MODEL_OPERATIONS", 20'000);
}

/// A new seed, or the one of a run that failed: `POINTSMAN_MODEL_SEED`.
inline std::uint64_t run_seed() {
    return number_from_environment("POINTSMAN_MODEL_SEED", std::random_device{}());
}

inline std::string seed_message(std::uint64_t seed) {
    return "to run this again: POINTSMAN_MODEL_SEED=" + std::to_string(seed);
}

}  // namespace pointsman::test
