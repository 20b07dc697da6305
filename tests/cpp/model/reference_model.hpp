// SPDX-License-Identifier: Apache-2.0
// The expected state of a policy: plain records of each task and each resource, without threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "support/counted.hpp"

namespace pointsman::test {

/// A resource that stores its set and its index in that set.
struct model_resource : counted<model_resource> {
    int set = -1;
    std::size_t index = 0;
    friend bool operator==(const model_resource& a, const model_resource& b) noexcept {
        return a.set == b.set && a.index == b.index;
    }
};

/// The expected loads of one set of resources, published by one `initialize`.
class reference_set {
  public:
    reference_set(int number, std::size_t size) : number_{number}, loads_(size), unseen_(size) {}

    [[nodiscard]] std::vector<model_resource> resources() const {
        std::vector<model_resource> all(loads_.size());
        for (std::size_t i = 0; i < all.size(); ++i) {
            all[i].set = number_;
            all[i].index = i;
        }
        return all;
    }
    [[nodiscard]] bool owns(const model_resource& p) const {
        return p.set == number_ && p.index < loads_.size();
    }
    [[nodiscard]] std::size_t size() const { return loads_.size(); }
    [[nodiscard]] std::size_t load(std::size_t index) const { return loads_[index]; }

    void add(std::size_t index) { ++loads_[index]; }
    void give_back(std::size_t index) { --loads_[index]; }
    /// The work has completed; its load is released when a thread polls it.
    void end_unseen(std::size_t index) {
        --loads_[index];
        ++unseen_[index];
    }
    void see(std::size_t index) { --unseen_[index]; }

    /// Returns true if `loads`, as reported by the policy, can be correct now.
    [[nodiscard]] bool agrees_with(const std::vector<std::size_t>& loads) const {
        bool agrees = loads.size() == loads_.size();
        for (std::size_t i = 0; agrees && i < loads.size(); ++i) {
            agrees = loads_[i] <= loads[i] && loads[i] <= loads_[i] + unseen_[i];
        }
        return agrees;
    }
    /// Returns whether every resource has `tokens` or more submissions outstanding, or an empty optional if
    /// that is not certain.
    [[nodiscard]] std::optional<bool> is_full(std::size_t tokens) const {
        bool certainly_full = true;
        for (std::size_t i = 0; i < loads_.size(); ++i) {
            if (loads_[i] + unseen_[i] < tokens) {
                return false;
            }
            certainly_full = certainly_full && loads_[i] >= tokens;
        }
        return certainly_full ? std::optional{true} : std::nullopt;
    }

  private:
    int number_;
    std::vector<std::size_t> loads_;
    std::vector<std::size_t> unseen_;
};

/// How a task's work signals its completion.
enum class task_kind { value, throwing, calling, polled, waited };

struct reference_policy;

/// One task: its calls, recorded by the submitted function, and its expected state.
struct task_record {
    task_kind kind = task_kind::value;
    bool fails = false;
    std::atomic<int> calls{0};
    model_resource ran_on;
    bool has_ended = false;
    bool is_accounted = false;
    std::shared_ptr<reference_set> set;
    std::shared_ptr<reference_policy> policy;

    /// The test completes the work.
    void end() {
        has_ended = true;
        if (!is_accounted && kind == task_kind::calling) {
            account();
        } else if (!is_accounted && kind == task_kind::polled) {
            set->end_unseen(ran_on.index);
        }
    }
    /// A thread has waited for the completed work, or has polled it.
    void see() {
        if (is_accounted) {
            return;
        }
        if (kind == task_kind::polled) {
            is_accounted = true;
            set->see(ran_on.index);
        } else {
            account();
        }
    }
    /// The submission is dropped. Work that has only a wait() releases its load at once.
    void drop() {
        if (kind == task_kind::waited && !is_accounted) {
            account();
        }
    }

  private:
    void account() {
        is_accounted = true;
        set->give_back(ran_on.index);
    }
};

/// The state that all copies of one policy share.
struct reference_policy {
    std::shared_ptr<reference_set> current;  ///< null before the first `initialize`
    std::size_t offset = 0;                  // for policies that take one
    std::size_t tokens = 1;                  // for policies that have some
    std::size_t turns = 0;                   ///< choices since the last `initialize`
    bool knows_turns = true;                 // false after a choice that may not have been made
};

}  // namespace pointsman::test
