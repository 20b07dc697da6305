// SPDX-License-Identifier: Apache-2.0
// Composes the programs of algorithms from text, and starts their kernels.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "pointsman/algorithm/function.hpp"
#include "pointsman/algorithm/opencl/kernels.hpp"
#include "pointsman/algorithm/opencl/memory.hpp"
#include "pointsman/algorithm/opencl/type.hpp"
#include "pointsman/error.hpp"
#include "pointsman/resource/opencl/queue.hpp"

namespace pointsman::detail {

inline constexpr std::size_t group_items = 256;

/// Returns `name`, which kernels call as a function.
/// **Throws**: `invalid_option` unless it is an identifier of OpenCL C.
[[nodiscard]] inline std::string checked_name(std::string_view name) {
    constexpr std::string_view digits = "0123456789";
    constexpr std::string_view letters = "_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    const auto is_known = [&](char c) {
        return letters.find(c) != letters.npos || digits.find(c) != digits.npos;
    };
    if (name.empty() || digits.find(name[0]) != digits.npos ||
        !std::all_of(name.begin(), name.end(), is_known)) {
        throw invalid_option{"opencl_name() of a function is '" + std::string{name} +
                             "': return the name that opencl_source() defines, of letters, digits "
                             "and underscores"};
    }
    return std::string{name};
}

/// The name by which kernels call `F`. **Throws**: like `checked_name`.
template <device_function F>
[[nodiscard]] std::string name_of() {
    return checked_name(F::opencl_name());
}

/// Returns true if `text` has `source` at its beginning or at the beginning of a line: within a line it may
/// be part of another definition, as `int f()` is part of `uint f()`.
[[nodiscard]] inline bool has_definition(std::string_view text, std::string_view source) {
    for (auto at = text.find(source); at != text.npos; at = text.find(source, at + 1)) {
        if (at == 0 || text[at - 1] == '\n') {
            return true;
        }
    }
    return false;
}

/// The text of a program: the prelude, the source of each of `functions` once, and then `kernel`, which
/// consists of macros and the text of a file in kernels/.
[[nodiscard]] inline std::string program_text(std::initializer_list<std::string_view> functions,
                                              const std::string& kernel) {
    std::string text;
    for (const std::string_view source : functions) {
        if (!has_definition(text, source)) {
            text += source;
        }
    }
    text += kernel;
    return std::string{opencl_prelude} + (mentions_half(text) ? kernels::half_precision : "") +
           tuple_definitions(text) + text;
}

/// The `#define` lines of `macros`, which specialise a kernel's text. Each has a name, with parameters if
/// any, and a replacement.
[[nodiscard]] inline std::string definitions(
    std::initializer_list<std::pair<std::string_view, std::string_view>> macros) {
    std::string text;
    for (const auto& [name, value] : macros) {
        text.append("#define ").append(name).append(" ").append(value).append("\n");
    }
    return text;
}

/// The texts of one program for different values of `Key`, each made once and never moved.
/// **Thread safety**: from any thread.
template <class Key>
class text_cache {
  public:
    template <std::invocable Make>
    [[nodiscard]] const std::string& get(const Key& key, Make make) {
        const std::lock_guard lock{mutex_};
        const auto known = texts_.find(key);
        return known != texts_.end() ? known->second : texts_.emplace(key, make()).first->second;
    }

  private:
    std::mutex mutex_;
    std::map<Key, std::string> texts_;
};

/// The number of work items in a work group on the device of `where`: a power of two.
[[nodiscard]] inline std::size_t group_size(const opencl::queue& where) {
    std::size_t size = group_items;
    while (size > where.device().max_work_group_size()) {
        size /= 2;
    }
    return size;
}

/// Build options that make a program compute like the host: division and square roots of `float` are rounded
/// correctly if the device supports it. Each thread caches the options of one device.
[[nodiscard]] inline const std::string& host_arithmetic(const opencl::queue& where) {
    struct answer {
        cl_device_id device = nullptr;
        std::string options;
    };
    static thread_local answer last;
    const cl::Device& device = where.device().handle();
    if (last.device != device()) {
        const bool can = (device.getInfo<CL_DEVICE_SINGLE_FP_CONFIG>() &
                          CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT) != 0;
        last = {device(), can ? "-cl-fp32-correctly-rounded-divide-sqrt" : ""};
    }
    return last.options;
}

/// Starts kernel `name` of `text` in `groups` work groups of `items` work items, after all commands enqueued
/// earlier and before all enqueued later.
/// **Throws**: `build_error`, `opencl::error`.
inline void launch_groups(const opencl::queue& where, const std::string& text,
                          const std::string& name, std::size_t groups, std::size_t items,
                          const std::vector<opencl::kernel_argument>& arguments) {
    end_overtaking(where);
    where.build(text, host_arithmetic(where)).with_kernel(name, [&](const opencl::kernel& kernel) {
        where.start_with(arguments, kernel, {cl::NDRange{groups * items}, cl::NDRange{items}});
    });
    end_overtaking(where);
}

/// Like `launch_groups`, with work groups of `group_size`.
inline void launch(const opencl::queue& where, const std::string& text, const std::string& name,
                   std::size_t groups, const std::vector<opencl::kernel_argument>& arguments) {
    launch_groups(where, text, name, groups, group_size(where), arguments);
}

/// The kernel arguments for `arrays`, each its memory and offset, followed by `others`. They refer to
/// `arrays`, which must outlive them.
template <class... Arrays>
[[nodiscard]] std::vector<opencl::kernel_argument> arguments_of(
    const std::tuple<Arrays...>& arrays, std::initializer_list<opencl::kernel_argument> others) {
    std::vector<opencl::kernel_argument> arguments;
    arguments.reserve(2 * sizeof...(Arrays) + others.size());
    std::apply(
        [&](const auto&... each) {
            ((arguments.emplace_back(each.memory()), arguments.emplace_back(each.offset())), ...);
        },
        arrays);
    std::copy(others.begin(), others.end(), std::back_inserter(arguments));
    return arguments;
}

}  // namespace pointsman::detail
