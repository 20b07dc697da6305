// SPDX-License-Identifier: Apache-2.0
// The OpenCL C text of the value that a kernel computes at each index, and its input arrays.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pointsman/algorithm/opencl/engine/element.hpp"
#include "pointsman/algorithm/opencl/launch.hpp"

namespace pointsman::detail::engine {

/// An expression in OpenCL C. It may use `v0`, `v1` and so on, the values of the inputs at index `i`; `i`
/// itself; `n`, the number of indices; and `constant_value` if there is a `constant`. If it `takes_arrays`,
/// `v0`, `v1` and so on are instead pointers to the whole arrays, whose values have their stored type.
struct expression {
    std::string functions;  ///< definitions that `statements` and `value` use
    std::vector<element> inputs = {};
    std::string statements = "";  ///< run before `value` is evaluated
    std::string value;
    std::optional<element> constant = {};
    bool takes_arrays = false;
    std::string_view names = "v";  ///< what the names of the inputs' values begin with
    std::vector<std::string> more_functions = {};  ///< other definitions that it uses
};

/// `text` and the definitions of `computed`, each once.
[[nodiscard]] inline std::string with_functions(std::string text, const expression& computed) {
    const auto add = [&](const std::string& source) {
        text += has_definition(text, source) ? "" : source;
    };
    add(computed.functions);
    std::ranges::for_each(computed.more_functions, add);
    return text;
}

/// Returns true if `text` has the identifier `name`.
[[nodiscard]] inline bool has_identifier(std::string_view text, std::string_view name) {
    const auto is_within = [](char c) {
        return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
               (c >= '0' && c <= '9');
    };
    for (auto at = text.find(name); at != text.npos; at = text.find(name, at + 1)) {
        const std::size_t end = at + name.size();
        if ((at == 0 || !is_within(text[at - 1])) &&
            (end == text.size() || !is_within(text[end]))) {
            return true;
        }
    }
    return false;
}

/// The definition of a function, and of the function that it wraps, if it wraps one.
struct function_definition {
    std::string name;
    std::string source;  ///< contains `called_once`
    std::string called_name = {};
    std::string called_source = {};
    std::string called_once = {};  ///< `called_source` behind an include guard
};

/// `source` with `ending` after each of `names`.
[[nodiscard]] inline std::string renamed(const std::string& source,
                                         const std::vector<std::string>& names,
                                         const std::string& ending) {
    std::string text;
    for (const std::string& name : names) {
        text.append("#define ").append(name).append(" ").append(name).append(ending).append("\n");
    }
    text += source;
    for (const std::string& name : names) {
        text.append("#undef ").append(name).append("\n");
    }
    return text;
}

/// Adds a function to `user`. Returns the suffix of its name in calls, which is not empty if another function has this
/// name, or that of the wrapped function.
[[nodiscard]] inline std::string add_function(expression& user, const function_definition& added) {
    const std::string present = with_functions("", user);
    std::vector<std::string> names{added.name};
    std::string source = added.source;
    if (!added.called_name.empty() && !has_definition(present, added.called_once)) {
        names.push_back(added.called_name);
    }
    std::string ending;
    if (!has_definition(present, source) &&
        std::ranges::any_of(
            names, [&](const std::string& name) { return has_identifier(present, name); })) {
        ending = "_" + std::to_string(std::hash<std::string>{}(source));
        if (names.size() > 1) {  // the guard would hide it from wrappers that use the old name
            source.replace(source.find(added.called_once), added.called_once.size(),
                           added.called_source);
        }
        source = renamed(source, names, ending);
    }
    user.more_functions.push_back(std::move(source));
    return ending;
}

/// Values on a device, in `memory` beginning at index `offset`. Without memory, the numbers from `offset` on.
struct array {
    const cl::Buffer& memory;
    cl_ulong offset;
};

/// The number of consecutive values in a pack, which a GPU reads at once: 16 bytes of the widest of `types`, or one
/// value if there are tuples.
[[nodiscard]] inline std::size_t pack_width(const std::vector<element>& types) {
    constexpr std::size_t most_bytes = 16;
    std::size_t widest = 1;
    for (const element& each : types) {
        widest = each.is_tuple() ? most_bytes : std::max(widest, each.size_bytes);
    }
    return most_bytes / widest;
}

/// `pack_width` of the inputs of `computed` and of `others`; 1 if it reads whole arrays.
[[nodiscard]] inline std::size_t pack_width_of(const expression& computed,
                                               const std::vector<element>& others = {}) {
    std::vector<element> types = computed.inputs;
    types.insert(types.end(), others.begin(), others.end());
    return computed.takes_arrays || std::ranges::any_of(computed.inputs, &element::is_array)
               ? 1
               : pack_width(types);
}

/// Returns true if the array begins at the boundary of a pack of `width` values. Memory provided by the host
/// may begin at any address; memory that the device allocates is aligned.
[[nodiscard]] inline bool begins_with_pack(const array& values, std::size_t width) {
    constexpr std::uintptr_t most_bytes = 16;  // of a pack
    return width == 1 || values.memory() == nullptr ||
           (values.offset % width == 0 &&
            reinterpret_cast<std::uintptr_t>(values.memory.getInfo<CL_MEM_HOST_PTR>()) %
                    most_bytes ==
                0);
}

/// `width`, or 1 if one of the arrays does not begin at the boundary of a pack.
[[nodiscard]] inline std::size_t pack_width(std::size_t width, std::span<const array> arrays) {
    const auto begins = [&](const array& each) { return begins_with_pack(each, width); };
    return std::ranges::all_of(arrays, begins) ? width : 1;
}

/// Text that defines the type `name`_pack of `width` consecutive values, with access to all as `wide` and to
/// one as `each[w]`.
[[nodiscard]] inline std::string pack_type(const std::string& name, const element& type,
                                           std::size_t width) {
    const std::string wide = type.stored + (width == 1 ? "" : std::to_string(width));
    return "typedef " + wide + " " + name + "_wide;\ntypedef union {\n    " + name +
           "_wide wide;\n    " + type.stored + " each[" + std::to_string(width) + "];\n} " + name +
           "_pack;\n";
}

/// Text that defines `pointsman_value`, a function of the inputs' values, the constant if any, `i` and `n`.
[[nodiscard]] inline std::string function_text(const expression& computed,
                                               const std::string& result) {
    std::string text =
        "static inline __attribute__((always_inline)) " + result + " pointsman_value(";
    for (std::size_t k = 0; k < computed.inputs.size(); ++k) {
        const element& in = computed.inputs[k];
        text += (computed.takes_arrays || in.is_array() ? "global const " + in.stored + "* "
                                                        : "const " + in.computed + " ") +
                std::string{computed.names} + std::to_string(k) + ", ";
    }
    if (computed.constant) {
        text += "const " + computed.constant->computed + " constant_value, ";
    }
    return text + "const ulong i, const ulong n) {\n" + computed.statements + "    return " +
           computed.value + ";\n}\n";
}

/// The parts of a kernel's text that belong to one input.
struct input_text {
    input_text(const element& type, const std::string& number)
        : name{"x" + number},
          parameters{"global const " + type.stored + "* " + name + ", ulong at_" + name + ", "},
          pack{name + "_pack pack" + number + "[EACH]; "},
          fetch{"pack" + number + "[k].wide = ((global const " + name + "_wide*)(" + name +
                " + at_" + name + "))[j]; "},
          at_index{type.loaded(name + "[at_" + name + " + (i)]") + ", "},
          in_pack{type.loaded("pack" + number + "[k].each[w]") + ", "} {}

    /// Makes it the text of an input of consecutive numbers of the given type.
    void count(const element& type) {
        parameters = "ulong at_" + name + ", ";
        pack.clear();
        fetch.clear();
        at_index = in_pack = "(" + type.computed + ")(at_" + name + " + (i)), ";
    }

    /// Makes it the text of an input that is taken as a whole array.
    void take_array() {
        pack.clear();
        fetch.clear();
        at_index = in_pack = name + " + at_" + name + ", ";
    }

    std::string name;
    std::string parameters;
    std::string pack;
    std::string fetch;
    std::string at_index;
    std::string in_pack;
};

/// The text that belongs to input `k` of `computed`.
[[nodiscard]] inline input_text input_text_of(const expression& computed, std::size_t k) {
    const element& type = computed.inputs[k];
    input_text input{type, std::to_string(k)};
    if (type.access == element_access::counted) {
        input.count(type);
    } else if (computed.takes_arrays || type.is_array()) {
        input.take_array();
    }
    return input;
}

/// The parameters of a kernel for the inputs and the constant.
[[nodiscard]] inline std::string parameters_text(const expression& computed) {
    std::string text;
    for (std::size_t k = 0; k < computed.inputs.size(); ++k) {
        text += input_text_of(computed, k).parameters;
    }
    return computed.constant ? text + "const " + computed.constant->stored + " constant_value, "
                             : text;
}

/// The arguments of `pointsman_value` for the inputs at index `i` and the constant.
[[nodiscard]] inline std::string values_text(const expression& computed) {
    std::string text;
    for (std::size_t k = 0; k < computed.inputs.size(); ++k) {
        text += input_text_of(computed, k).at_index;
    }
    return computed.constant ? text + computed.constant->loaded("constant_value") + ", " : text;
}

/// The macros by which the files in kernels/ evaluate an expression as a value of type `result`. `PARAMETERS`
/// are parameters of the kernel and `VALUE_AT(i)` is the value at an index. To read by packs, `PACKS`
/// declares the packs of a work item, `FETCH(k, j)` reads pack `j` of the array into its k-th pack, and
/// `VALUE_IN(k, w, i)` is the value for element `w` of the k-th pack, which is at index `i`.
[[nodiscard]] inline std::string expression_text(const expression& computed,
                                                 const std::string& result, std::size_t width) {
    std::string types;
    std::string packs;
    std::string fetch;
    std::string in_pack;
    for (std::size_t k = 0; k < computed.inputs.size(); ++k) {
        const input_text input = input_text_of(computed, k);
        types += pack_type(input.name, computed.inputs[k], width);
        packs += input.pack;
        fetch += input.fetch;
        in_pack += input.in_pack;
    }
    if (computed.constant) {
        in_pack += computed.constant->loaded("constant_value") + ", ";
    }
    return types + function_text(computed, result) +
           definitions({{"WIDTH", std::to_string(width)},
                        {"PARAMETERS", parameters_text(computed)},
                        {"VALUE_AT(i)", "pointsman_value(" + values_text(computed) + "i, n)"},
                        {"PACKS", packs},
                        {"FETCH(k, j)", fetch},
                        {"VALUE_IN(k, w, i)", "pointsman_value(" + in_pack + "i, n)"}});
}

/// The kernel arguments for `PARAMETERS`; they refer to `inputs`, which must outlive them.
[[nodiscard]] inline std::vector<opencl::kernel_argument> arguments_for(
    std::span<const array> inputs) {
    std::vector<opencl::kernel_argument> arguments;
    arguments.reserve(2 * inputs.size() + 6);
    for (const array& each : inputs) {
        if (each.memory() != nullptr) {
            arguments.emplace_back(each.memory);
        }
        arguments.emplace_back(each.offset);
    }
    return arguments;
}

}  // namespace pointsman::detail::engine
