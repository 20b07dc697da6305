// SPDX-License-Identifier: Apache-2.0
// Writes the value of an expression for each index on a device, for types known only at run time.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "pointsman/algorithm/opencl/engine/expression.hpp"
#include "pointsman/algorithm/opencl/kernels.hpp"
#include "pointsman/algorithm/opencl/launch.hpp"
#include "pointsman/algorithm/opencl/parts.hpp"

namespace pointsman::detail::engine {

/// The kernel that evaluates an expression and writes the values to an array, possibly of another type.
/// **Thread safety**: any member from any thread.
class elementwise {
  public:
    elementwise(expression computed, element out)
        : computed_{std::move(computed)},
          out_{std::move(out)},
          width_{pack_width_of(computed_, {out_})},
          text_{text(width_)} {}

    /// Enqueues the kernel, which writes `n` values, at least one, to `out`; an input may be the same array
    /// unless the expression takes arrays.
    /// `constant` is the value of `constant_value` if the expression has one.
    /// **Throws**: `build_error`, `opencl::error`.
    void enqueue(const opencl::queue& where, std::span<const array> inputs, const array& out,
                 cl_ulong n, std::span<const opencl::kernel_argument> constant = {}) const {
        auto arguments = arguments_for(inputs);
        arguments.insert(arguments.end(), constant.begin(), constant.end());
        arguments.insert(arguments.end(), {out.memory, out.offset, n});
        if (where.items_work_alone()) {
            const item_parts parts = parts_of(where, n, 1);
            arguments.emplace_back(parts.size);
            launch_items(where, text_, "apply_to_part", parts.count, arguments);
            return;
        }
        const bool is_aligned =
            pack_width(width_, inputs) == width_ && begins_with_pack(out, width_);
        const std::size_t width = is_aligned ? width_ : 1;
        const std::size_t of_a_group = group_size(where) * packs_each(width) * width;
        launch(where, is_aligned ? text_ : text(1), "apply", (n + of_a_group - 1) / of_a_group,
               arguments);
    }

  private:
    /// The packs that a work item reads before it writes, which hides the latency of a GPU's memory.
    static std::size_t packs_each(std::size_t width) { return width == 1 ? 4 : 2; }

    [[nodiscard]] std::string text(std::size_t width) const {
        return program_text({with_functions("", computed_)},
                            pack_type("out", out_, width) +
                                expression_text(computed_, out_.computed, width) +
                                definitions({{"out_t", out_.stored},
                                             {"EACH", std::to_string(packs_each(width))},
                                             {"STORED(value)", out_.to_store("value")}}) +
                                kernels::elementwise);
    }

    expression computed_;
    element out_;
    std::size_t width_;
    std::string text_;
};

/// Enqueues a copy of `size_bytes` from `from` to `to`, which must not overlap. It uses the driver's copy
/// command, as no kernel is faster. Offsets are in bytes.
/// **Throws**: `cl::Error`.
inline void enqueue_copy(const opencl::queue& where, const array& from, const array& to,
                         std::size_t size_bytes) {
    end_overtaking(where);
    where.handle().enqueueCopyBuffer(from.memory, to.memory, from.offset, to.offset, size_bytes);
    end_overtaking(where);
}

}  // namespace pointsman::detail::engine
