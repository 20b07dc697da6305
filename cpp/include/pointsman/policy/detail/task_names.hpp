// SPDX-License-Identifier: Apache-2.0
// Names kinds of task for tables, such as "blur(2^20)", since a key is only a number.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>

#include "pointsman/base/type_name.hpp"
#include "pointsman/tuning/size_class.hpp"
#include "pointsman/tuning/task_key.hpp"

namespace pointsman::detail {

/// "2^12" for a size class, empty for an argument whose size does not count.
[[nodiscard]] inline std::string written_class(std::uint8_t size) {
    if (size >= first_value_class) {
        return "value";
    }
    return size == 0 ? "" : "2^" + std::to_string(size - 1);
}

/// Returns the `task_name()` of a callable, or else its type, with the sizes of the arguments in brackets.
template <class F, class... Args>
[[nodiscard]] std::string written_task(const F& f, const Args&... args) {
    std::string name = type_name<std::remove_cvref_t<F>>();
    if constexpr (requires {
                      { f.task_name() } -> std::convertible_to<std::string_view>;
                  }) {
        name = std::string_view{f.task_name()};
    }
    std::string sizes;
    [[maybe_unused]] const auto append = [&sizes](const std::string& size) {
        sizes += size.empty() || sizes.empty() ? size : ", " + size;
    };
    (append(written_class(size_class<std::remove_cvref_t<Args>>::of(args))), ...);
    return sizes.empty() ? name : name + "(" + sizes + ")";
}

/// The names of the first kinds of task of a policy.
/// **Thread safety**: any thread.
class task_names {
  public:
    /// Remembers `describe()` for `key`, unless it has a name or there are too many.
    template <class Describe>
    void remember(const task_key& key, Describe describe) {
        const std::lock_guard lock{mutex_};
        if (names_.size() < most && !names_.contains(key)) {
            names_.emplace(key, describe());
        }
    }
    /// Returns a neutral text for a kind without a name.
    [[nodiscard]] std::string name_of(const task_key& key) const {
        const std::lock_guard lock{mutex_};
        const auto found = names_.find(key);
        return found == names_.end() ? "(no name)" : found->second;
    }

  private:
    static constexpr std::size_t most = 1024;

    mutable std::mutex mutex_;
    std::unordered_map<task_key, std::string, task_key_hash> names_;
};

}  // namespace pointsman::detail
