// SPDX-License-Identifier: Apache-2.0
// A map from integers, most of them small, to positions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace pointsman::detail {

/// Integers up to the expected count index an array, larger ones a hash table.
/// **Cost**: four bytes for each expected number; a load for each that is small, a look-up for the others.
class position_map {
  public:
    explicit position_map(std::size_t expected) : near_(expected + 1, none) {}

    /// Adds `position` unless the number has one. Returns the one that it has then, and whether it is new.
    std::pair<std::uint32_t, bool> try_emplace(std::uint64_t number, std::uint32_t position) {
        if (number >= near_.size()) {
            const auto [known, is_new] = far_.try_emplace(number, position);
            return {known->second, is_new};
        }
        const bool is_new = near_[number] == none;
        near_[number] = is_new ? position : near_[number];
        return {near_[number], is_new};
    }
    [[nodiscard]] std::optional<std::uint32_t> find(std::uint64_t number) const {
        if (number < near_.size()) {
            return near_[number] == none ? std::nullopt : std::optional{near_[number]};
        }
        const auto found = far_.find(number);
        return found == far_.end() ? std::nullopt : std::optional{found->second};
    }

  private:
    static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

    std::vector<std::uint32_t> near_;
    std::unordered_map<std::uint64_t, std::uint32_t> far_;
};

}  // namespace pointsman::detail
