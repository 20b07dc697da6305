// SPDX-License-Identifier: Apache-2.0
// Converts Python's buffers, dtypes and traced expressions to the types of the algorithm engine.
#pragma once

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cstddef>
#include <functional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "gil.hpp"
#include "pointsman/binding/algorithm.hpp"
#include "pointsman/binding/opencl.hpp"
#include "pointsman/error.hpp"
#include "resource/opencl/buffer.hpp"

namespace pointsman::python {

/// An expression traced in Python, as OpenCL C: the functions that it calls, statements, and its value.
using expression_parts = std::tuple<std::string, std::string, std::string>;

/// References to buffers, which the caller keeps alive.
using buffer_list = std::vector<std::reference_wrapper<const device_buffer>>;

/// The engine's type for a NumPy dtype; values of bool are bytes.
/// **Throws**: `TypeError` for a dtype that devices do not support.
[[nodiscard]] inline binding::engine::element element_of_dtype(const py::object& dtype) {
    const auto kind = dtype.attr("kind").cast<std::string>();
    const auto size = dtype.attr("itemsize").cast<std::size_t>();
    if (kind == "f" && size == 2) {
        return binding::engine::half_element();
    }
    if (kind == "f" && (size == 4 || size == 8)) {
        return binding::engine::plain_element(size == 4 ? "float" : "double", size);
    }
    if (kind == "i" || kind == "u" || kind == "b") {
        const std::string name = size == 1   ? "char"
                                 : size == 2 ? "short"
                                 : size == 4 ? "int"
                                             : "long";
        return binding::engine::plain_element((kind == "i" ? "" : "u") + name, size);
    }
    throw py::type_error{"values of dtype " + py::str(dtype).cast<std::string>() +
                         " are not supported on devices: convert them with .astype()"};
}

/// The engine's expression for `parts`, computed from the values of the buffers.
/// **Throws**: `TypeError`, `invalid_option` for a buffer of another device.
[[nodiscard]] inline binding::engine::expression expression_of(const opencl::queue& where,
                                                               const expression_parts& parts,
                                                               const buffer_list& buffers) {
    std::vector<binding::engine::element> inputs;
    for (const device_buffer& each : buffers) {
        check_same_device(where, each);
        inputs.push_back(element_of_dtype(each.layout.dtype));
    }
    return {std::get<0>(parts), std::move(inputs), std::get<1>(parts), std::get<2>(parts)};
}

/// An expression whose text is made for inputs of given dtypes.
class prepared_expression {
  public:
    /// **Throws**: `TypeError` for a dtype that devices do not support.
    prepared_expression(const expression_parts& parts, const std::vector<py::object>& dtypes)
        : computed_{std::get<0>(parts), {}, std::get<1>(parts), std::get<2>(parts)} {
        for (const py::object& each : dtypes) {
            computed_.inputs.push_back(element_of_dtype(each));
        }
    }

    [[nodiscard]] const binding::engine::expression& computed() const noexcept { return computed_; }
    void set_constant(binding::engine::element type) { computed_.constant = std::move(type); }

    /// **Throws**: `invalid_option` unless the buffers are on this device and have `count` values.
    void check(const opencl::queue& where, const buffer_list& buffers, std::size_t count) const {
        bool fit = buffers.size() == computed_.inputs.size();
        for (std::size_t i = 0; fit && i < buffers.size(); ++i) {
            check_same_device(where, buffers[i]);
            fit = buffers[i].get().layout.size_bytes == count * computed_.inputs[i].size_bytes;
        }
        if (!fit) {
            throw invalid_option{
                "the buffers do not fit the expression: pass one for each input, with " +
                std::to_string(count) + " values of its type"};
        }
    }

  private:
    binding::engine::expression computed_;
};

[[nodiscard]] inline std::vector<binding::engine::array> arrays_of(const buffer_list& buffers) {
    std::vector<binding::engine::array> arrays;
    for (const device_buffer& each : buffers) {
        arrays.push_back({each.memory, 0});
    }
    return arrays;
}

[[nodiscard]] inline std::size_t count_of(const device_buffer& buffer) {
    return buffer.layout.size_bytes / buffer.layout.dtype.attr("itemsize").cast<std::size_t>();
}

/// Calls `work()` without the GIL. **Throws**: `opencl::error` for a failed OpenCL call.
template <class Work>
decltype(auto) on_engine(const Work& work) {
    const gil_released others_may_run;
    binding::check_not_forked();
    return binding::translated(work);
}

}  // namespace pointsman::python
