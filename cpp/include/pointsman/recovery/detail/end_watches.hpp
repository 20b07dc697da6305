// SPDX-License-Identifier: Apache-2.0
// Who waits for work to end on a resource that had no memory for more.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

namespace pointsman::detail {

/// Set when work on the watched resource ends. Dropping the last copy ends the watch.
using end_flag = std::shared_ptr<const std::atomic<bool>>;

/// Resources are told apart by `==`. **Thread safety**: any thread. **Cost**: a search under a lock.
template <class Resource>
class end_watches {
  public:
    [[nodiscard]] end_flag add(const Resource& resource) {
        const auto flag = std::make_shared<std::atomic<bool>>(false);
        const std::lock_guard lock{mutex_};
        watches_.push_back({resource, flag});
        return flag;
    }

    /// Work on the resource has ended. Ends the watches for it, and those whose flags were dropped.
    void note(const Resource& resource) noexcept {
        const std::lock_guard lock{mutex_};
        std::erase_if(watches_, [&](const watch& each) {
            const auto flag = each.flag.lock();
            const bool has_ended = flag && each.resource == resource;
            if (has_ended) {
                flag->store(true);
            }
            return has_ended || !flag;
        });
    }

    [[nodiscard]] std::size_t size() const noexcept {
        const std::lock_guard lock{mutex_};
        return watches_.size();
    }

  private:
    struct watch {
        Resource resource;
        std::weak_ptr<std::atomic<bool>> flag;
    };

    mutable std::mutex mutex_;
    std::vector<watch> watches_;
};

}  // namespace pointsman::detail
