// SPDX-License-Identifier: Apache-2.0
// Keeps some values of an array, for types that are known at run time only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "pointsman/algorithm/opencl/engine/expression.hpp"
#include "pointsman/algorithm/opencl/kernels.hpp"
#include "pointsman/algorithm/opencl/launch.hpp"
#include "pointsman/algorithm/opencl/parts.hpp"
#include "pointsman/algorithm/opencl/scan.hpp"
#include "pointsman/resource/opencl/buffer.hpp"

namespace pointsman::detail::engine {

/// Which values are kept: those for which a predicate holds; or the first of each run of neighbours, of which
/// a predicate of two values says that they are the same.
enum class kept_values : bool { where_true, first_of_runs };

/// The kernels that keep values of the predicate's inputs, for an array of type `out`.
[[nodiscard]] inline std::string compaction_text(expression predicate, kept_values which,
                                                 const element& out) {
    const element in = predicate.inputs[0];
    const std::string value = in.loaded("x0[at_x0 + (i)]");
    const std::string before = in.loaded("x0[at_x0 + (i) - 1]");
    const std::string is_kept =
        which == kept_values::where_true
            ? "pointsman_value(" + value + ", i, n)"
            : "((i) == 0 || !pointsman_value(" + before + ", " + value + ", i, n))";
    predicate.value = "(" + predicate.value + ") ? 1 : 0";
    return program_text(
        {predicate.functions},
        function_text(predicate, "int") +
            definitions(
                {{"in_t", in.stored},
                 {"out_t", out.stored},
                 {"IS_KEPT(i)", is_kept},
                 {"MOVED(value)", in == out ? "value" : out.to_store(in.loaded("value"))}}) +
            kernels::compaction);
}

/// The values that are kept of `n` at `source`, at least one, counted and not yet written: each work item counts
/// those of its part, the counts are scanned, and each writes its own to where those of the parts before end.
/// **Throws**: `build_error`, `cl::Error`, `opencl::error`.
class compaction {
  public:
    compaction(const opencl::queue& where, std::string text, const array& source, std::size_t n)
        : where_{where},
          text_{std::move(text)},
          memory_{source.memory},
          offset_{source.offset},
          n_{n},
          parts_{parts_of(where, n, 32)},
          scratch_{where.take_buffer(parts_.count * sizeof(std::uint64_t))},
          ends_{scratch_.handle(), parts_.count} {
        launch_items(where_, text_, "count_kept", parts_.count,
                     {memory_, offset_, n_, parts_.size, ends_.handle()});
        enqueue_sums(where_, ends_, scan_kind::inclusive);
        where_.handle().enqueueReadBuffer(ends_.handle(), CL_TRUE,
                                          (parts_.count - 1) * sizeof kept_, sizeof kept_, &kept_);
    }

    [[nodiscard]] std::size_t kept() const noexcept { return kept_; }

    /// Has the device write them to `out`, which is elsewhere.
    void write(const array& out) const {
        launch_items(where_, text_, "write_kept", parts_.count,
                     {memory_, offset_, n_, parts_.size, ends_.handle(), out.memory, out.offset});
    }

  private:
    opencl::queue where_;
    std::string text_;
    opencl::detail::owned<cl::Buffer> memory_;
    cl_ulong offset_;
    cl_ulong n_;
    item_parts parts_;
    opencl::pooled_buffer scratch_;
    opencl::buffer<std::uint64_t> ends_;
    std::uint64_t kept_ = 0;
};

}  // namespace pointsman::detail::engine
