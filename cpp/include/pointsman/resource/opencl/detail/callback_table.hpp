// SPDX-License-Identifier: Apache-2.0
// Notifies of commands through event callbacks, with a slow poll for callbacks that never come.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <map>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "pointsman/base/watcher.hpp"
#include "pointsman/resource/opencl/api.hpp"
#include "pointsman/resource/opencl/detail/command.hpp"
#include "pointsman/resource/opencl/detail/driver_mark.hpp"

namespace pointsman::opencl::detail {

/// Sends each notification once: when the driver calls back, or when a slow poll of the outstanding
/// commands finds the command complete. The poll is for failed commands, which PoCL 3.1 never reports.
/// The driver is given a number instead of a pointer, so a callback that comes late, twice or never can
/// neither corrupt nor leak anything.
///
/// No driver is called under the lock, since a driver may hold its own locks while it calls back. The
/// object is never destroyed: commands may complete while the process exits.
///
/// PoCL compiles a kernel at its first launch, in a thread of its own, and crashes if process exit
/// tears down its compiler meanwhile. Thread-local objects are destroyed before the compiler is torn
/// down, so a thread-local object of the main thread waits until such launches have started.
class callback_table final : public pointsman::detail::pollable_work {
  public:
    static callback_table& instance() {
        static callback_table* const only = new callback_table;
        return *only;
    }

    /// Returns false if the driver accepts no callback; nothing is sent then.
    /// **Throws**: `std::bad_alloc`, `std::system_error`; nothing is sent then.
    bool send_when_complete(const command& watched, completion_callback callback,
                            bool may_compile = false) {
        const std::uintptr_t ticket = add({notification{watched, callback}, may_compile});
        return clSetEventCallback(watched.event(), CL_COMPLETE, &on_callback,
                                  reinterpret_cast<void*>(ticket)) == CL_SUCCESS ||
               take(ticket).empty();  // the slow poll was faster
    }

    /// Makes process exit wait, for ten seconds at most, until `launched` has started. Only effective
    /// for launches from the main thread.
    void await_start_at_exit(const command& launched) noexcept {
        static thread_local const exit_guard guard{*this};
        try {
            static_cast<void>(send_when_complete(
                launched, {[](void*, const completion&) noexcept {}, nullptr}, true));
        } catch (const std::exception&) {  // the command itself has not failed
        }
    }

    /// The slow poll, by the watcher and at exit.
    pointsman::detail::poll_result poll() noexcept override {
        std::lock_guard one_at_a_time{poll_mutex_};
        choose();
        for (auto& chosen : checks_) {
            chosen.status = chosen.at->second.wanted.watched().status();
        }
        const bool nothing_left = collect();
        for (auto& entry : found_) {
            entry.mapped().wanted.send();
        }
        found_.clear();
        return nothing_left ? pointsman::detail::poll_result::over
                            : pointsman::detail::poll_result::nothing_new;
    }

  private:
    struct waiting {
        notification wanted;
        bool may_compile = false;  ///< process exit waits until it has started
        bool is_checked = false;   ///< only the slow poll may remove it
        bool was_called = false;   ///< the driver called back during the poll
    };
    using table = std::map<std::uintptr_t, waiting>;
    struct check {
        table::iterator at;
        cl_int status = CL_QUEUED;
    };
    static constexpr std::size_t most_checked = 64;
    static constexpr std::chrono::seconds longest_exit{10};

    callback_table() {
        checks_.reserve(most_checked);
        found_.reserve(most_checked);
    }

    struct exit_guard {
        callback_table& table;
        ~exit_guard() {
            if (std::this_thread::get_id() == main_thread && !driver_mark().is_stale()) {
                table.await_starts();
            }
        }
    };
    static inline const std::thread::id main_thread = std::this_thread::get_id();

    void await_starts() noexcept {
        const auto deadline = clock::now() + longest_exit;
        while (is_any_compiling() && clock::now() < deadline) {
            poll();
            std::this_thread::sleep_for(std::chrono::milliseconds{1});
        }
    }

    bool is_any_compiling() noexcept {
        std::lock_guard lock{mutex_};
        return std::any_of(table_.begin(), table_.end(),
                           [](const auto& entry) { return entry.second.may_compile; });
    }

    std::uintptr_t add(waiting entry) {
        std::lock_guard lock{mutex_};
        if (!is_watched_) {
            pointsman::detail::watcher::instance().watch(
                pointsman::detail::ref<callback_table>::share(this));
            is_watched_ = true;
        }
        table_.emplace_hint(table_.end(), ++last_ticket_, std::move(entry));
        return last_ticket_;
    }

    /// Empty if the notification was sent or will be sent by the slow poll.
    table::node_type take(std::uintptr_t ticket) noexcept {
        std::lock_guard lock{mutex_};
        const auto found = table_.find(ticket);
        if (found == table_.end()) {
            return {};
        }
        if (found->second.is_checked) {
            found->second.was_called = true;
            return {};
        }
        return table_.extract(found);
    }

    static void CL_CALLBACK on_callback(cl_event, cl_int, void* context) noexcept {
        if (auto entry = instance().take(reinterpret_cast<std::uintptr_t>(context))) {
            entry.mapped().wanted.send();
        }
    }

    /// Chooses up to `most_checked` entries, from where the previous poll stopped.
    void choose() noexcept {
        std::lock_guard lock{mutex_};
        auto it = table_.upper_bound(last_checked_);
        for (std::size_t n = std::min(most_checked, table_.size()); n > 0; --n, ++it) {
            it = it != table_.end() ? it : table_.begin();
            it->second.is_checked = true;
            last_checked_ = it->first;
            checks_.push_back({it});
        }
    }

    bool collect() noexcept {
        std::lock_guard lock{mutex_};
        for (const auto& [at, status] : checks_) {
            at->second.is_checked = false;
            at->second.may_compile = at->second.may_compile && status > CL_RUNNING;
            if (status <= CL_COMPLETE || at->second.was_called) {
                found_.push_back(table_.extract(at));
            }
        }
        checks_.clear();
        is_watched_ = !table_.empty();
        return !is_watched_;
    }

    std::mutex mutex_;
    table table_;
    std::uintptr_t last_ticket_ = 0;
    std::uintptr_t last_checked_ = 0;
    bool is_watched_ = false;

    std::mutex poll_mutex_;  // guards the following; taken before the other
    std::vector<check> checks_;
    std::vector<table::node_type> found_;
};

}  // namespace pointsman::opencl::detail
