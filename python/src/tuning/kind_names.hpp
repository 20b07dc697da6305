// SPDX-License-Identifier: Apache-2.0
// Names for the kinds of task that policies have measured, for tables: a key is only a number.
#pragma once

#include <cstddef>
#include <deque>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>

#include "pointsman/tuning/task_key.hpp"

namespace pointsman::python {

/// The names of kinds of task, such as "total(2^12)", shared by all policies. Remembers as many as a policy
/// has kinds; then forgets the oldest.
/// **Thread safety**: any thread.
class kind_names {
  public:
    static kind_names& instance() {
        static auto* const names = new kind_names;  // used by threads that end after static objects
        return *names;
    }

    /// Remembers `describe()` for `key`, unless it has a name.
    template <class Describe>
    void remember(const task_key& key, Describe describe) {
        if (!name_of(key).empty()) {
            return;
        }
        std::string name = describe();
        const std::lock_guard lock{mutex_};
        if (names_.insert_or_assign(key, std::move(name)).second) {
            in_order_.push_back(key);
        }
        if (in_order_.size() > most) {
            names_.erase(in_order_.front());
            in_order_.pop_front();
        }
    }
    /// Returns an empty text for a kind without a name.
    [[nodiscard]] std::string name_of(const task_key& key) const {
        const std::lock_guard lock{mutex_};
        const auto found = names_.find(key);
        return found == names_.end() ? std::string{} : found->second;
    }

  private:
    static constexpr std::size_t most = 1024;

    mutable std::mutex mutex_;
    std::unordered_map<task_key, std::string, task_key_hash> names_;
    std::deque<task_key> in_order_;  // of their names
};

}  // namespace pointsman::python
