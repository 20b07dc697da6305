// SPDX-License-Identifier: Apache-2.0
// Moves the values of an array that are kept to the front of another, on a device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>

#include "pointsman/algorithm/opencl/launch.hpp"
#include "pointsman/algorithm/opencl/parts.hpp"
#include "pointsman/algorithm/opencl/scan.hpp"
#include "pointsman/resource/opencl/buffer.hpp"

namespace pointsman::detail {

/// Keeps the values for which `Predicate` holds.
template <device_function Predicate>
struct values_that {
    static std::string source() { return Predicate::opencl_source(); }
    static std::string text() { return std::string{Predicate::opencl_name()} + "(x[at_x + i])"; }
};
/// Keeps the first of each run of neighbours for which `Predicate` holds.
template <device_function Predicate>
struct heads_of_runs {
    static std::string source() { return Predicate::opencl_source(); }
    static std::string text() {
        return "i == 0 || !(" + std::string{Predicate::opencl_name()} +
               "(x[at_x + i - 1], x[at_x + i]))";
    }
};

template <class Keeps, device_value In, device_value Out>
[[nodiscard]] std::string compaction_text() {
    return program_text({Keeps::source()}, "typedef " + opencl_type<In>() + " in_t;\ntypedef " +
                                               opencl_type<Out>() +
                                               " out_t;\n"
                                               "#define IS_KEPT (" +
                                               Keeps::text() + ")\n" + R"(
kernel void count_kept(global const in_t* x, ulong at_x, ulong n, ulong part, global ulong* counts) {
)" + places_of_item + R"(
    ulong kept = 0;
    for (ulong i = begin; i < end; ++i) kept += IS_KEPT ? 1 : 0;
    counts[get_global_id(0)] = kept;
}
kernel void write_kept(global const in_t* x, ulong at_x, ulong n, ulong part,
                       global const ulong* ends, global out_t* out, ulong at_out) {
)" + places_of_item + R"(
    ulong place = begin == 0 ? 0 : ends[get_global_id(0) - 1];
    const ulong past = ends[get_global_id(0)];
    // Without a branch, which no processor could foresee: a value stays that no other is written over.
    for (ulong i = begin; place < past; ++i) {
        out[at_out + place] = x[at_x + i];
        place += IS_KEPT ? 1 : 0;
    }
}
)");
}

/// The values that `Keeps` keeps of `count`, at least one, from `first` on: each work item counts those of its
/// part, the counts are scanned, and each writes its own to where those of the others before end.
/// **Throws**: `build_error`, `cl::Error`.
template <class Keeps, device_iterator In, device_value Out>
class compaction {
  public:
    compaction(const opencl::queue& where, In first, std::size_t count)
        : where_{where},
          from_{device_values<In>{where, first, count, device_values<In>::use::input}},
          n_{count},
          parts_{parts_of(where, count, 32)},
          memory_{where.take_buffer(parts_.count * sizeof(std::uint64_t))},
          ends_{memory_.handle(), parts_.count} {
        launch_items(where_, text(), "count_kept", parts_.count,
                     arguments_of(from_, {n_, parts_.size, ends_.handle()}));
        enqueue_sums(where_, ends_, scan_kind::inclusive);
        where_.handle().enqueueReadBuffer(ends_.handle(), CL_TRUE,
                                          (parts_.count - 1) * sizeof kept_, sizeof kept_, &kept_);
    }

    [[nodiscard]] std::size_t kept() const noexcept { return kept_; }
    /// The array that the values come from.
    [[nodiscard]] device_values<In>& source() noexcept { return std::get<0>(from_); }

    /// Writes them to `out`, from the place `at` on.
    void write(const cl::Buffer& out, cl_ulong at) const {
        launch_items(where_, text(), "write_kept", parts_.count,
                     arguments_of(from_, {n_, parts_.size, ends_.handle(), out, at}));
    }

  private:
    static const std::string& text() {
        static const std::string made = compaction_text<Keeps, iterated_t<In>, Out>();
        return made;
    }

    opencl::queue where_;
    std::tuple<device_values<In>> from_;
    cl_ulong n_;
    item_parts parts_;
    opencl::pooled_buffer memory_;
    opencl::buffer<std::uint64_t> ends_;
    std::uint64_t kept_ = 0;
};

}  // namespace pointsman::detail
