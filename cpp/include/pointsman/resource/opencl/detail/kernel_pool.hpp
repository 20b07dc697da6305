// SPDX-License-Identifier: Apache-2.0
// Kernel objects of a program that nobody uses, for calls that need one for a single launch.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <mutex>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "pointsman/resource/opencl/kernel.hpp"

namespace pointsman::opencl::detail {

/// **Thread safety**: any member from any thread.
class kernel_pool {
  public:
    /// Returns a kernel of that name, which is no longer in the pool, if there is one.
    [[nodiscard]] std::optional<kernel> take(const std::string& name) {
        const std::lock_guard lock{mutex_};
        const auto found = idle_.find(name);
        if (found == idle_.end() || found->second.empty()) {
            return std::nullopt;
        }
        std::optional<kernel> taken{std::move(found->second.back())};
        found->second.pop_back();
        return taken;
    }

    /// Drops the kernel if there are enough, or no memory: its launch has succeeded.
    void give_back(const std::string& name, kernel unused) noexcept {
        try {
            const std::lock_guard lock{mutex_};
            auto& others = idle_[name];
            if (others.size() < most_of_a_name) {
                others.push_back(std::move(unused));
            }
        } catch (const std::bad_alloc&) {
        }
    }

  private:
    static constexpr std::size_t most_of_a_name = 16;

    std::mutex mutex_;
    std::map<std::string, std::vector<kernel>, std::less<>> idle_;
};

}  // namespace pointsman::opencl::detail
