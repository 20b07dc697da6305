// SPDX-License-Identifier: Apache-2.0
// Values that kernels compute where they use them, for iterators that stand for computed values.
#pragma once

#include <cstddef>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "pointsman/algorithm/opencl/engine/elementwise.hpp"
#include "pointsman/algorithm/opencl/engine/expression.hpp"
#include "pointsman/algorithm/opencl/memory.hpp"
#include "pointsman/algorithm/opencl/typed.hpp"
#include "pointsman/resource/opencl/queue.hpp"

namespace pointsman::detail {

/// Adds an input to `user`, and returns its name.
[[nodiscard]] inline std::string add_input(engine::expression& user, engine::element input) {
    user.inputs.push_back(std::move(input));
    return std::string{user.names} + std::to_string(user.inputs.size() - 1);
}

/// What kernels read to have the values of an iterator at each index: here, the values in memory.
template <device_iterator It>
class stored_values {
  public:
    static constexpr bool is_computed = false;

    stored_values(const opencl::queue& where, It first, std::size_t count)
        : values_{input_values(where, first, count)} {}

    /// Adds the inputs and functions to `user` that the text of the value needs, and returns this text.
    [[nodiscard]] static std::string value_in(engine::expression& user) {
        return add_input(user, engine::element_of<iterated_t<It>>());
    }
    /// Adds the arrays for these inputs.
    void add_to(std::vector<engine::array>& arrays) const { arrays.push_back(array_from(values_)); }

  private:
    device_values<It> values_;
};

/// Like `stored_values`, but specialised for iterators whose values kernels compute from those of others.
template <device_iterator It>
class fused_values : public stored_values<It> {
  public:
    using stored_values<It>::stored_values;
};

/// Computes the inputs of `user` from what `Values` read.
template <class... Values>
[[nodiscard]] engine::expression fused(engine::expression user) {
    if constexpr ((Values::is_computed || ...)) {
        engine::expression all{.functions = user.functions,
                               .value = user.value,
                               .constant = user.constant,
                               .names = "read",
                               .more_functions = user.more_functions};
        const std::string values[] = {Values::value_in(all)...};
        for (std::size_t k = 0; k < sizeof...(Values); ++k) {
            all.statements += "    const " + user.inputs[k].computed + " v" + std::to_string(k) +
                              " = " + values[k] + ";\n";
        }
        all.statements += user.statements;
        return all;
    }
    return user;
}

/// The kernel that writes the values of `It` to an array.
template <device_iterator It>
[[nodiscard]] const engine::elementwise& reading() {
    const engine::element type = engine::element_of<iterated_t<It>>();
    static const engine::elementwise kernel{fused<fused_values<It>>({"", {type}, "", "v0"}), type};
    return kernel;
}

/// True if the value at an index may be read from memory at another index.
template <class It>
inline constexpr bool reads_elsewhere = false;

/// References to the memory that `values` read, which they must outlive.
template <class... Values>
[[nodiscard]] std::vector<engine::array> arrays_of(const std::tuple<Values...>& values) {
    std::vector<engine::array> arrays;
    std::apply([&](const auto&... each) { (each.add_to(arrays), ...); }, values);
    return arrays;
}

}  // namespace pointsman::detail
