// SPDX-License-Identifier: Apache-2.0
// Caches built programs by source, options and device.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <future>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "pointsman/resource/opencl/api.hpp"
#include "pointsman/resource/opencl/program.hpp"

namespace pointsman::opencl::detail {

/// The most recently used programs of the process. Threads that request the same program at the same
/// time build it once. A failed build is not cached, so the next request builds again. The object
/// is never destroyed: the order of destruction relative to drivers is not known.
class program_cache {
  public:
    static constexpr std::size_t capacity = 64;

    static program_cache& instance() {
        static program_cache* const only = new program_cache;
        return *only;
    }

    /// **Throws**: what `program::build` throws, to every thread that waited for the build.
    program get(const cl::Context& context, const cl::Device& device, const std::string& source,
                const std::string& options) {
        const cl_context in = context();
        const cl_device_id by = device();
        if (const auto known = find(std::tie(in, by, source, options))) {
            return known->get();
        }
        const key wanted{in, by, source, options};
        std::promise<program> promise;
        const auto [future, is_new] = find_or_add(wanted, promise);
        if (is_new) {
            try {
                promise.set_value(program::build(context, device, source, options));
            } catch (...) {
                promise.set_exception(std::current_exception());
                forget(wanted);
            }
        }
        return future.get();
    }

    /// Evicts the programs of a context that is no longer used, or is lost. Returns their number.
    std::size_t forget(const cl::Context& context) noexcept {
        std::list<entry> gone;
        std::lock_guard lock{mutex_};
        ++contexts_forgotten_;
        for (auto it = recent_.begin(); it != recent_.end();) {
            const auto found = it++;
            if (std::get<cl_context>(found->first) == context()) {
                gone.splice(gone.end(), recent_, found);
            }
        }
        return gone.size();
    }
    /// How often `forget` was called: what was made of a program before may be of a context that is lost.
    [[nodiscard]] std::uint64_t contexts_forgotten() const noexcept { return contexts_forgotten_; }

  private:
    using key = std::tuple<cl_context, cl_device_id, std::string, std::string>;
    using entry = std::pair<key, std::shared_future<program>>;

    /// The lookup that succeeds in almost all calls, without copies of the texts.
    template <class Key>
    std::optional<std::shared_future<program>> find(const Key& wanted) {
        const std::lock_guard lock{mutex_};
        return find_locked(wanted);
    }

    template <class Key>
    std::optional<std::shared_future<program>> find_locked(const Key& wanted) {
        for (auto it = recent_.begin(); it != recent_.end(); ++it) {
            if (it->first == wanted) {
                recent_.splice(recent_.begin(), recent_, it);
                return it->second;
            }
        }
        return std::nullopt;
    }

    std::pair<std::shared_future<program>, bool> find_or_add(const key& wanted,
                                                             std::promise<program>& promise) {
        const std::lock_guard lock{mutex_};
        if (auto known = find_locked(wanted)) {
            return {*std::move(known), false};
        }
        recent_.emplace_front(wanted, promise.get_future().share());
        if (recent_.size() > capacity) {
            recent_.pop_back();
        }
        return {recent_.front().second, true};
    }

    void forget(const key& failed) {
        std::lock_guard lock{mutex_};
        recent_.remove_if([&](const entry& e) { return e.first == failed; });
    }

    std::atomic<std::uint64_t> contexts_forgotten_{0};
    std::mutex mutex_;
    std::list<entry> recent_;  // the most recently used first
};

}  // namespace pointsman::opencl::detail
