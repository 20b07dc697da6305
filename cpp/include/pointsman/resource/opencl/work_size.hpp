// SPDX-License-Identifier: Apache-2.0
// The global and local extents over which a kernel runs, in one to three dimensions.
#pragma once

#include <array>
#include <cstddef>
#include <string>

#include "pointsman/resource/opencl/api.hpp"

namespace pointsman::opencl {

/// How many work items run a kernel, and how many form a work group, in one to three dimensions.
struct work_size {
    cl::NDRange global;
    cl::NDRange local = cl::NullRange;  ///< the driver's choice

    work_size(std::size_t items) : global{items} {}
    work_size(const cl::NDRange& items, const cl::NDRange& group = cl::NullRange)
        : global{items}, local{group} {}

    using extent_list = std::array<std::size_t, 6>;
    /// The global extents, then the local ones.
    [[nodiscard]] extent_list extents() const {
        const std::size_t* g = global;
        const std::size_t* l = local;
        return {g[0], g[1], g[2], l[0], l[1], l[2]};
    }

    /// For example "1024 x 768 work items in groups of 16 x 16".
    [[nodiscard]] std::string text() const {
        return text_of(global) + " work items in groups of " +
               (local.dimensions() == 0 ? "the driver's choice" : text_of(local));
    }

  private:
    static std::string text_of(const cl::NDRange& range) {
        std::string text;
        for (std::size_t i = 0; i < range.dimensions(); ++i) {
            text += (i == 0 ? "" : " x ") + std::to_string(range[i]);
        }
        return text;
    }
};

}  // namespace pointsman::opencl
