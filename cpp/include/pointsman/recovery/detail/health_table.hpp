// SPDX-License-Identifier: Apache-2.0
// The health of the resources that have failed; all others are healthy.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <utility>
#include <vector>

#include "pointsman/base/ref_counted.hpp"
#include "pointsman/clock.hpp"
#include "pointsman/error.hpp"
#include "pointsman/recovery/detail/end_watches.hpp"
#include "pointsman/recovery/detail/outstanding_attempts.hpp"
#include "pointsman/recovery/is_resource_failure.hpp"
#include "pointsman/resource/after_failure.hpp"
#include "pointsman/resource/resource_health.hpp"

namespace pointsman::detail {

/// Resources are told apart by `==`, so that their health outlives a new set of the same resources.
/// **Thread safety**: any thread.
/// **Cost**: one load for each call while all resources are healthy.
template <class Resource>
class health_table final : public ref_counted {
  public:
    health_table(const health_settings& settings, failure_test is_fault)
        : settings_{settings}, is_fault_{std::move(is_fault)} {
        settings_.check();
        if (!is_fault_) {
            throw invalid_option{"is_fault is empty: pass a function, such as is_resource_failure"};
        }
    }

    /// Returns true if no resource is in quarantine, so that each gets work.
    [[nodiscard, gnu::always_inline]] bool all_open() const noexcept {
        return closed_.load(std::memory_order_relaxed) == 0;
    }

    /// Returns true if a task may use the resource now.
    [[nodiscard, gnu::always_inline]] bool admits(const Resource& resource) const {
        return all_open() || is_admitted(resource);
    }

    /// A task begins on the resource.
    [[gnu::always_inline]] void begin(const Resource& resource) {
        if (!all_open()) [[unlikely]] {
            note_begin(resource);
        }
    }

    /// A task on the resource has ended, and the resource was not at fault.
    [[gnu::always_inline]] void succeeded(const Resource& resource) noexcept {
        if (noted_.load(std::memory_order_relaxed) != 0) [[unlikely]] {
            note_success(resource);
        }
    }

    /// A task on the resource has ended with `error`. Work that had not begun says nothing about the resource.
    void failed(const Resource& resource, const std::exception_ptr& error) {
        if (!is_fault_(error)) {
            if (is_out_of_memory(error)) {
                note_success(resource, false);
            } else if (had_begun(error)) {
                succeeded(resource);
            }
            return;
        }
        if (!is_out_of_memory(error)) {
            ends_.note(resource);
        }
        bool begins = false;
        resource_health* closed = nullptr;  // entries are never removed
        {
            const std::lock_guard lock{mutex_};
            entry* found = find(resource);
            if (found == nullptr) {
                entries_.push_back(std::make_unique<entry>(resource, settings_, entries_.size()));
                found = entries_.back().get();
            }
            const health_state before = found->health.report(clock::now()).state;
            begins = found->health.failed(clock::now(), text_of(error));
            if (before != health_state::quarantined && !found->health.is_open()) {
                closed = &found->health;
            }
            count();
        }
        if (closed != nullptr) {  // without the lock: it may call a driver
            std::string lost = after_failure(resource, error);
            if (begins) {  // a probe that failed found little to lose
                closed->lost(std::move(lost));
            }
        }
    }

    /// Returns a flag that is set when a task on the resource ends that had memory.
    [[nodiscard]] end_flag watch_ends(const Resource& resource) {
        end_flag flag = ends_.add(resource);
        const std::shared_lock lock{mutex_};
        count();
        return flag;
    }
    /// Outstanding attempts by resource, for policies without `loads()`.
    [[nodiscard]] const std::shared_ptr<outstanding_attempts<Resource>>& attempts() const noexcept {
        return attempts_;
    }

    [[nodiscard]] health_report report(const Resource& resource) const {
        const std::shared_lock lock{mutex_};
        const entry* const found = find(resource);
        return found == nullptr ? health_report{} : found->health.report(clock::now());
    }

  private:
    struct entry {
        entry(Resource which, const health_settings& settings, std::uint64_t seed)
            : resource{std::move(which)}, health{settings, seed} {}

        Resource resource;
        resource_health health;
    };

    [[nodiscard, gnu::noinline]] bool is_admitted(const Resource& resource) const {
        const std::shared_lock lock{mutex_};
        const entry* const found = find(resource);
        return found == nullptr || found->health.admits(clock::now());
    }
    [[gnu::noinline]] void note_begin(const Resource& resource) {
        const std::shared_lock lock{mutex_};
        if (entry* const found = find(resource)) {
            found->health.begin(clock::now());
        }
    }
    [[gnu::noinline]] void note_success(const Resource& resource, bool had_memory = true) noexcept {
        if (had_memory) {
            ends_.note(resource);
        }
        const std::shared_lock lock{mutex_};
        if (entry* const found = find(resource); found != nullptr && !found->health.is_healthy()) {
            found->health.succeeded();
        }
        count();
    }

    [[nodiscard]] entry* find(const Resource& resource) const {
        const auto found = std::ranges::find_if(
            entries_, [&](const auto& each) { return each->resource == resource; });
        return found == entries_.end() ? nullptr : found->get();
    }

    /// Updates the numbers after a change of state, or of the watches.
    void count() noexcept {
        const std::lock_guard lock{counting_};
        closed_ = number_of([](const entry& each) { return !each.health.is_open(); });
        noted_ =
            ends_.size() + number_of([](const entry& each) { return !each.health.is_healthy(); });
    }
    template <class Test>
    [[nodiscard]] std::size_t number_of(Test test) const noexcept {
        return static_cast<std::size_t>(
            std::ranges::count_if(entries_, [&](const auto& each) { return test(*each); }));
    }

    const health_settings settings_;
    const failure_test is_fault_;
    end_watches<Resource> ends_;
    const std::shared_ptr<outstanding_attempts<Resource>> attempts_ =
        std::make_shared<outstanding_attempts<Resource>>();
    std::atomic<std::size_t> closed_{0};  // in quarantine or probed
    std::atomic<std::size_t> noted_{0};   // those, and suspects, and the watches for ends
    std::mutex counting_;
    mutable std::shared_mutex mutex_;  // shared: each health has its own lock
    std::vector<std::unique_ptr<entry>> entries_;
};

}  // namespace pointsman::detail
