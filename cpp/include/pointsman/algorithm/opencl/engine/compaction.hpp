// SPDX-License-Identifier: Apache-2.0
// Copies selected values of an array on a device, for types known only at run time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "pointsman/algorithm/opencl/engine/expression.hpp"
#include "pointsman/algorithm/opencl/kernels.hpp"
#include "pointsman/algorithm/opencl/launch.hpp"
#include "pointsman/algorithm/opencl/parts.hpp"
#include "pointsman/algorithm/opencl/scan.hpp"
#include "pointsman/resource/opencl/buffer.hpp"

namespace pointsman::detail::engine {

/// Which values are kept: all for which a predicate holds, or the first of each run of consecutive values
/// that a predicate of two values treats as equal.
enum class kept_values : bool { where_true, first_of_runs };

inline constexpr std::size_t compacted_of_item = 16;  // in a work group

/// The program that copies the selected values of the predicate's first input to an array of type `out`, on the
/// device of `where`.
[[nodiscard]] inline std::string compaction_text(const opencl::queue& where, expression predicate,
                                                 kept_values which, const element& out) {
    const element in = predicate.inputs[0];
    std::string parameters = input_text{in, "0"}.parameters;
    std::string is_kept;
    if (which == kept_values::first_of_runs) {
        is_kept = "((i) == 0 || !pointsman_value(" + in.loaded("x0[at_x0 + (i) - 1]") + ", " +
                  in.loaded("x0[at_x0 + (i)]") + ", i, n))";
    } else {
        parameters = parameters_text(predicate);
        is_kept = "pointsman_value(" + values_text(predicate) + "i, n)";
    }
    predicate.value = "(" + predicate.value + ") ? 1 : 0";
    return program_text(
        {predicate.functions},
        function_text(predicate, "int") +
            definitions(
                {{"in_t", in.stored},
                 {"out_t", out.stored},
                 {"PARAMETERS", parameters},
                 {"IS_KEPT(i)", is_kept},
                 {"MOVED(value)",
                  in == out ? "value" : out.to_store(converted(in, out, in.loaded("value")))},
                 {"EACH", std::to_string(compacted_of_item)},
                 {"ITEMS", std::to_string(group_size(where))}}) +
            (where.items_work_alone() ? kernels::compaction : kernels::compaction_groups));
}

/// Selects from the `n` values at `source`, at least one. The constructor counts: each work item or group counts
/// the kept values of its part, and the counts are scanned. `write` then copies the kept values of each part to
/// the output after those of the parts before it. `others` are the arguments for the predicate's other inputs
/// and its constant, and must outlive this object.
/// **Throws**: `build_error`, `cl::Error`, `opencl::error`.
class compaction {
  public:
    compaction(const opencl::queue& where, std::string text, const array& source, std::size_t n,
               std::vector<opencl::kernel_argument> others = {})
        : where_{where},
          text_{std::move(text)},
          memory_{source.memory},
          offset_{source.offset},
          others_{std::move(others)},
          n_{n},
          parts_{parts_of(where, n, group_size(where) * compacted_of_item)},
          scratch_{where.take_buffer(parts_.count * sizeof(std::uint64_t))},
          ends_{scratch_.handle(), parts_.count} {
        start("count_kept", {ends_.handle()});
        enqueue_sums(where_, ends_, scan_kind::inclusive);
        where_.handle().enqueueReadBuffer(ends_.handle(), CL_TRUE,
                                          (parts_.count - 1) * sizeof kept_, sizeof kept_, &kept_);
    }

    [[nodiscard]] std::size_t kept() const noexcept { return kept_; }

    /// Enqueues the copy of the kept values to `out`, which must not overlap the source.
    void write(const array& out) const {
        start("write_kept", {ends_.handle(), out.memory, out.offset});
    }

  private:
    void start(const std::string& kernel,
               std::initializer_list<opencl::kernel_argument> last) const {
        std::vector<opencl::kernel_argument> all{memory_, offset_};
        all.insert(all.end(), others_.begin(), others_.end());
        all.insert(all.end(), {n_, parts_.size});
        all.insert(all.end(), last);
        launch_parts(where_, text_, kernel, parts_.count, group_size(where_), all);
    }

    opencl::queue where_;
    std::string text_;
    opencl::detail::owned<cl::Buffer> memory_;
    cl_ulong offset_;
    std::vector<opencl::kernel_argument> others_;
    cl_ulong n_;
    item_parts parts_;
    opencl::pooled_buffer scratch_;
    opencl::buffer<std::uint64_t> ends_;
    std::uint64_t kept_ = 0;
};

}  // namespace pointsman::detail::engine
