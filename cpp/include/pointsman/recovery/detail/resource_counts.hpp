// SPDX-License-Identifier: Apache-2.0
// A number for each resource.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace pointsman::detail {

/// How many of something each resource has. Resources are told apart by `==`. **Thread safety**: none.
/// **Cost**: a search among the resources that were added.
template <class Resource>
class resource_counts {
  public:
    [[nodiscard]] std::size_t of(const Resource& resource) const {
        const auto found = find(counts_, resource);
        return found == counts_.end() ? 0 : found->number;
    }
    void add(const Resource& resource) {
        if (const auto found = find(counts_, resource); found != counts_.end()) {
            ++found->number;
        } else {
            counts_.push_back({resource, 1});
        }
    }
    /// The count of the resource must not be 0.
    void subtract(const Resource& resource) noexcept { --find(counts_, resource)->number; }

  private:
    struct entry {
        Resource resource;
        std::size_t number;
    };

    template <class Entries>
    [[nodiscard]] static auto find(Entries& entries, const Resource& resource) {
        return std::ranges::find_if(entries,
                                    [&](const entry& each) { return each.resource == resource; });
    }

    std::vector<entry> counts_;
};

}  // namespace pointsman::detail
