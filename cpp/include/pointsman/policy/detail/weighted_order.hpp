// SPDX-License-Identifier: Apache-2.0
// One round of a weighted round robin, computed in advance.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "pointsman/error.hpp"

namespace pointsman {

/// The largest number of turns in a round of `weighted_order`.
inline constexpr std::uint64_t longest_round = 1U << 16U;

/// Returns one round in which resource `i` has `weights[i]` turns (divided by the greatest common divisor of
/// all weights), spread evenly as in nginx's smooth weighted round robin. Without weights each of the `size`
/// resources has one turn.
/// **Throws**: `invalid_option` if the number of weights is neither zero nor `size`, if all weights are zero,
/// or if the round is longer than `longest_round`.
[[nodiscard]] inline std::vector<std::uint32_t> weighted_order(std::size_t size,
                                                               std::vector<std::uint32_t> weights) {
    if (weights.empty()) {
        weights.assign(size, 1);
    }
    if (weights.size() != size) {
        throw invalid_option{std::to_string(weights.size()) + " weights for " +
                             std::to_string(size) +
                             " resources: pass one for each resource, or none"};
    }
    const auto common = std::accumulate(weights.begin(), weights.end(), std::uint32_t{0},
                                        [](auto a, auto b) { return std::gcd(a, b); });
    if (common == 0) {
        throw invalid_option{"all weights are 0: pass a positive one for each resource in use"};
    }
    const auto round = std::accumulate(weights.begin(), weights.end(), std::uint64_t{0}) / common;
    if (round > longest_round) {
        throw invalid_option{"the weights add up to " + std::to_string(round) +
                             " turns a round: pass smaller ones, " + std::to_string(longest_round) +
                             " turns at most"};
    }
    std::vector<std::uint32_t> order;
    std::vector<std::int64_t> credit(size);
    while (order.size() < round) {
        for (std::size_t i = 0; i < size; ++i) {
            credit[i] += weights[i] / common;
        }
        const auto next = std::ranges::max_element(credit);
        *next -= static_cast<std::int64_t>(round);
        order.push_back(static_cast<std::uint32_t>(next - credit.begin()));
    }
    return order;
}

}  // namespace pointsman
