// SPDX-License-Identifier: Apache-2.0
// Numbers for the names of kinds of task, policies and resources, so that an event holds no text.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <vector>

#include "pointsman/base/type_name.hpp"

namespace pointsman::trace {

/// The names of the process. A number stays valid until the process ends.
/// **Thread safety**: any thread.
class [[gnu::visibility("default")]] name_table {
  public:
    [[nodiscard]] static name_table& instance() {
        static auto* const names = new name_table;  // used by threads that end after static objects
        return *names;
    }

    /// Returns the number of `name`, from 1. After `most` names, all others share one number.
    [[nodiscard]] std::uint32_t number_of(std::string_view name) {
        const std::lock_guard lock{mutex_};
        return number_of_locked(name);
    }

    /// As above, for one of several objects with the same name: the second one becomes "name #2".
    [[nodiscard]] std::uint32_t number_of(std::string_view name, const void* object) {
        const std::lock_guard lock{mutex_};
        auto& alike = objects_[std::string{name}];
        const auto [known, is_new] = alike.try_emplace(object, alike.size() + 1);
        if (alike.size() > most) {
            alike.erase(object);
            return number_of_locked(name);
        }
        return known->second == 1
                   ? number_of_locked(name)
                   : number_of_locked(std::string{name} + " #" + std::to_string(known->second));
    }

    /// Returns all names; the first one, of number 0, is empty.
    [[nodiscard]] std::vector<std::string> all() const {
        const std::lock_guard lock{mutex_};
        return names_;
    }

  private:
    static constexpr std::size_t most = 1U << 16U;

    struct text_hash {
        using is_transparent = void;
        [[nodiscard]] std::size_t operator()(std::string_view text) const noexcept {
            return std::hash<std::string_view>{}(text);
        }
    };

    std::uint32_t number_of_locked(std::string_view name) {
        if (const auto known = numbers_.find(name); known != numbers_.end()) {
            return known->second;
        }
        if (names_.size() > most) {
            return 1;
        }
        const auto number = static_cast<std::uint32_t>(names_.size());
        names_.emplace_back(name);
        numbers_.emplace(name, number);
        return number;
    }

    mutable std::mutex mutex_;
    std::vector<std::string> names_{"", "(other)"};
    std::unordered_map<std::string, std::uint32_t, text_hash, std::equal_to<>> numbers_;
    std::unordered_map<std::string, std::unordered_map<const void*, std::size_t>> objects_;
};

/// Returns the number of a name that depends only on the type.
template <class T>
[[nodiscard]] std::uint32_t number_of_type() {
    static const std::uint32_t number =
        name_table::instance().number_of(pointsman::detail::type_name<T>());
    return number;
}

/// Returns the number of the name of a task's callable: its `trace_name()`, a number, or `task_name()`, a
/// text, if it has one of them, and else that of its type.
template <class F>
[[nodiscard]] std::uint32_t number_of_callable(const F& f) {
    if constexpr (requires { std::uint32_t{f.trace_name()}; }) {
        return f.trace_name();
    } else if constexpr (requires { std::string_view{f.task_name()}; }) {
        return name_table::instance().number_of(f.task_name());
    } else {
        return number_of_type<F>();
    }
}

/// Returns the number of the name of a resource at `index` in its policy's set: its `trace_name()`, a
/// number, if it has one; the value of a text or a number; and else its type and index: "arena 0".
template <class Resource>
[[nodiscard]] std::uint32_t number_of_resource(const Resource& resource, std::size_t index) {
    auto& names = name_table::instance();
    if constexpr (requires { std::uint32_t{resource.trace_name()}; }) {
        return resource.trace_name();
    } else if constexpr (std::is_convertible_v<const Resource&, std::string_view>) {
        return names.number_of(std::string_view{resource});
    } else if constexpr (std::is_arithmetic_v<Resource>) {
        return names.number_of(std::to_string(resource));
    } else {
        return names.number_of(pointsman::detail::type_name<Resource>() + " " +
                               std::to_string(index));
    }
}

/// The numbers of the names of a set of resources, each found when it is first needed.
class resource_numbers {
  public:
    explicit resource_numbers(std::size_t size)
        : numbers_{std::make_unique<std::atomic<std::uint32_t>[]>(size)} {}

    template <class Resource>
    [[nodiscard]] std::uint32_t of(const Resource& resource, std::size_t index) {
        std::uint32_t number = numbers_[index].load(std::memory_order_relaxed);
        if (number == 0) {
            number = number_of_resource(resource, index);
            numbers_[index].store(number, std::memory_order_relaxed);
        }
        return number;
    }

  private:
    std::unique_ptr<std::atomic<std::uint32_t>[]> numbers_;
};

}  // namespace pointsman::trace
