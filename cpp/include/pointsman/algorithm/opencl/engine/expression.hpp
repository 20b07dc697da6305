// SPDX-License-Identifier: Apache-2.0
// What a kernel computes at each index, as text, and the arrays that it computes it from.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "pointsman/algorithm/opencl/engine/element.hpp"
#include "pointsman/algorithm/opencl/launch.hpp"

namespace pointsman::detail::engine {

/// An expression in OpenCL C of the values `v0`, `v1` and so on that the inputs have at index `i`, of `i`, of the
/// number of indices `n`, and of the number `constant_value` if there is a `constant`.
struct expression {
    std::string functions;  ///< declarations of what the others call
    std::vector<element> inputs = {};
    std::string statements = "";  ///< which go before
    std::string value;
    std::optional<element> constant = {};
};

/// Values on a device: those of `memory` from index `offset` on.
struct array {
    const cl::Buffer& memory;
    cl_ulong offset;
};

/// A pack is as many neighbours as a GPU reads at once, 16 bytes of the widest of these types.
[[nodiscard]] inline std::size_t pack_width(const std::vector<element>& types) {
    std::size_t widest = 1;
    for (const element& each : types) {
        widest = std::max(widest, each.size_bytes);
    }
    return 16 / widest;
}

/// Returns true if the array begins with a whole pack of `width` values. Memory that the host provides may begin
/// anywhere; a device's own is aligned.
[[nodiscard]] inline bool begins_with_pack(const array& values, std::size_t width) {
    constexpr std::uintptr_t most_bytes = 16;  // of a pack
    return width == 1 ||
           (values.offset % width == 0 &&
            reinterpret_cast<std::uintptr_t>(values.memory.getInfo<CL_MEM_HOST_PTR>()) %
                    most_bytes ==
                0);
}

/// `width`, or 1 where an array does not begin with a whole pack.
[[nodiscard]] inline std::size_t pack_width(std::size_t width, std::span<const array> arrays) {
    const auto begins = [&](const array& each) { return begins_with_pack(each, width); };
    return std::ranges::all_of(arrays, begins) ? width : 1;
}

/// The type `name`_pack of `width` neighbours, `wide` as memory holds them and each for itself.
[[nodiscard]] inline std::string pack_type(const std::string& name, const element& type,
                                           std::size_t width) {
    const std::string wide = type.stored + (width == 1 ? "" : std::to_string(width));
    return "typedef " + wide + " " + name + "_wide;\ntypedef union {\n    " + name +
           "_wide wide;\n    " + type.stored + " each[" + std::to_string(width) + "];\n} " + name +
           "_pack;\n";
}

/// The function `pointsman_value` of the inputs' values, the constant if there is one, `i` and `n`.
[[nodiscard]] inline std::string function_text(const expression& computed,
                                               const std::string& result) {
    std::string text =
        "static inline __attribute__((always_inline)) " + result + " pointsman_value(";
    for (std::size_t k = 0; k < computed.inputs.size(); ++k) {
        text += "const " + computed.inputs[k].computed + " v" + std::to_string(k) + ", ";
    }
    if (computed.constant) {
        text += "const " + computed.constant->computed + " constant_value, ";
    }
    return text + "const ulong i, const ulong n) {\n" + computed.statements + "    return " +
           computed.value + ";\n}\n";
}

/// What one input adds to the text of a kernel.
struct input_text {
    input_text(const element& type, const std::string& number)
        : name{"x" + number},
          parameters{"global const " + type.stored + "* " + name + ", ulong at_" + name + ", "},
          pack{name + "_pack pack" + number + "[EACH]; "},
          fetch{"pack" + number + "[k].wide = ((global const " + name + "_wide*)(" + name +
                " + at_" + name + "))[j]; "},
          at_index{type.loaded(name + "[at_" + name + " + (i)]") + ", "},
          in_pack{type.loaded("pack" + number + "[k].each[w]") + ", "} {}

    std::string name;
    std::string parameters;
    std::string pack;
    std::string fetch;
    std::string at_index;
    std::string in_pack;
};

/// What the files in kernels/ take for an expression, whose value becomes one of type `result`: `PARAMETERS` of the
/// kernel; `VALUE_AT(i)`; and the same by packs, of which a work item has some: `PACKS` declares them,
/// `FETCH(k, j)` reads the pack j as the k-th, `VALUE_IN(k, w, i)` is the value of index `i`, its w-th.
[[nodiscard]] inline std::string expression_text(const expression& computed,
                                                 const std::string& result, std::size_t width) {
    std::string types;
    std::string parameters;
    std::string packs;
    std::string fetch;
    std::string at_index;
    std::string in_pack;
    for (std::size_t k = 0; k < computed.inputs.size(); ++k) {
        const input_text input{computed.inputs[k], std::to_string(k)};
        types += pack_type(input.name, computed.inputs[k], width);
        parameters += input.parameters;
        packs += input.pack;
        fetch += input.fetch;
        at_index += input.at_index;
        in_pack += input.in_pack;
    }
    if (computed.constant) {
        const std::string value = computed.constant->loaded("constant_value") + ", ";
        parameters += "const " + computed.constant->stored + " constant_value, ";
        at_index += value;
        in_pack += value;
    }
    return types + function_text(computed, result) +
           definitions({{"WIDTH", std::to_string(width)},
                        {"PARAMETERS", parameters},
                        {"VALUE_AT(i)", "pointsman_value(" + at_index + "i, n)"},
                        {"PACKS", packs},
                        {"FETCH(k, j)", fetch},
                        {"VALUE_IN(k, w, i)", "pointsman_value(" + in_pack + "i, n)"}});
}

/// The arguments for `PARAMETERS`, which refer to what is passed.
[[nodiscard]] inline std::vector<opencl::kernel_argument> arguments_for(
    std::span<const array> inputs) {
    std::vector<opencl::kernel_argument> arguments;
    arguments.reserve(2 * inputs.size() + 6);
    for (const array& each : inputs) {
        arguments.emplace_back(each.memory);
        arguments.emplace_back(each.offset);
    }
    return arguments;
}

}  // namespace pointsman::detail::engine
