// SPDX-License-Identifier: Apache-2.0
// The number of attempts that are outstanding on each resource, for policies that do not count their loads.
#pragma once

#include <mutex>

#include "pointsman/recovery/detail/place_on_resource.hpp"
#include "pointsman/recovery/detail/resource_counts.hpp"

namespace pointsman::detail {

/// **Thread safety**: any thread. **Cost**: a search under a lock.
template <class Resource>
class outstanding_attempts {
  public:
    [[nodiscard]] bool has_any(const Resource& resource) const {
        const std::lock_guard lock{mutex_};
        return counts_.of(resource) > 0;
    }
    /// Counts an attempt; there is room for any number.
    bool try_take(const Resource& resource) {
        const std::lock_guard lock{mutex_};
        counts_.add(resource);
        return true;
    }
    void give_back(const Resource& resource) noexcept {
        const std::lock_guard lock{mutex_};
        counts_.subtract(resource);
    }

  private:
    mutable std::mutex mutex_;
    resource_counts<Resource> counts_;
};

/// Counts an attempt until it is given back; none if made without arguments.
template <class Resource>
using outstanding_attempt = place_on_resource<outstanding_attempts<Resource>, Resource>;

}  // namespace pointsman::detail
