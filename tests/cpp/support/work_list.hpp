// SPDX-License-Identifier: Apache-2.0
// The pieces of work that a function under test has begun, possibly on several threads.
#pragma once

#include <cstddef>
#include <mutex>
#include <utility>
#include <vector>

#include "support/eventually.hpp"

namespace pointsman::test {

/// Work of type `Work`, in the order in which it began, and where.
template <class Work>
class work_list {
  public:
    /// Begins a piece of work.
    Work begin(int resource) {
        const std::lock_guard lock{mutex_};
        return begun_.emplace_back(resource, Work{}).second;
    }
    /// Returns piece `index` once it has begun.
    Work at(std::size_t index) {
        static_cast<void>(eventually([&] { return size() > index; }));
        const std::lock_guard lock{mutex_};
        return begun_.at(index).second;
    }
    int resource_of(std::size_t index) {
        static_cast<void>(at(index));
        const std::lock_guard lock{mutex_};
        return begun_.at(index).first;
    }
    std::size_t size() {
        const std::lock_guard lock{mutex_};
        return begun_.size();
    }

  private:
    std::mutex mutex_;
    std::vector<std::pair<int, Work>> begun_;
};

}  // namespace pointsman::test
