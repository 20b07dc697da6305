// SPDX-License-Identifier: Apache-2.0
// How many random operations a run makes, and from which seed; the environment sets both.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>

namespace fairlead::test {

/// The number in the environment variable `name`, or `otherwise`.
inline std::uint64_t number_from_environment(const char* name, std::uint64_t otherwise) {
    const char* const text = std::getenv(name);
    return text != nullptr ? std::stoull(text) : otherwise;
}

/// Random operations of one run: seconds in CI; long runs by hand set
/// `FAIRLEAD_MODEL_OPERATIONS`.
inline std::uint64_t run_length() {
    return number_from_environment("FAIRLEAD_MODEL_OPERATIONS", 20'000);
}

/// A new seed, or the one of a run that failed: `FAIRLEAD_MODEL_SEED`.
inline std::uint64_t run_seed() {
    return number_from_environment("FAIRLEAD_MODEL_SEED", std::random_device{}());
}

inline std::string seed_message(std::uint64_t seed) {
    return "to run this again: FAIRLEAD_MODEL_SEED=" + std::to_string(seed);
}

}  // namespace fairlead::test
