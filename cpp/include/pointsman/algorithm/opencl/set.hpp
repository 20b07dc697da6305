// SPDX-License-Identifier: Apache-2.0
// Pairs the values of two sorted arrays on a device, for the operations on sets of values.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "pointsman/algorithm/opencl/compaction.hpp"
#include "pointsman/algorithm/opencl/search.hpp"
#include "pointsman/algorithm/opencl/sorted_search.hpp"
#include "pointsman/resource/opencl/buffer.hpp"

namespace pointsman::detail {

/// Which values of a sorted array: those with a partner in the other, or those without. The n-th of
/// equivalent values has the n-th of the equivalent values of the other array as its partner, if there is
/// one.
enum class partnered : bool { no, yes };

/// The expression of the sorted arrays `v0`, of `A`, and `v1`, of `B` and of a length that is the constant,
/// that is true of the values of `v0` with or without a partner.
template <partnered Which, device_function Compare, device_value A, device_value B>
[[nodiscard]] engine::expression partner_expression() {
    static_assert(alike<A, B>, "set operations on tuples need tuples of the same types");
    using function = called_t<Compare, A, B>;
    const std::string value = value_at<A>("v0", "i");
    const std::string unpaired = call_of<function>(value, value_at<B>("v1", "partner"));
    return {function::opencl_source(),
            {engine::element_of<A>(), engine::element_of<B>()},
            bound_text<Compare, A>(sorted_search::lower_bound, "first_of_equal", "v0", "i", value) +
                bound_text<Compare, B>(sorted_search::lower_bound, "partner", "v1",
                                       "constant_value", value) +
                "    partner += i - first_of_equal;\n"
                "    int has_partner = partner < constant_value ? 1 : 0;\n"
                "    if (has_partner) {\n        has_partner = " +
                unpaired + " ? 0 : 1;\n    }\n",
            Which == partnered::yes ? "has_partner" : "!has_partner",
            engine::element_of<cl_ulong>(),
            true};
}

/// Copies the values of the `count` sorted ones beginning at `first` that have a partner among the
/// `other_count` beginning at `other`, or have none, to the range beginning at `out`, and returns its end.
/// Neither is empty.
template <partnered Which, device_function Compare, device_iterator It, device_iterator It2,
          device_iterator Out>
Out copy_partnered(const opencl::queue& where, It first, std::size_t count, It2 other,
                   std::size_t other_count, Out out) {
    return opencl::detail::translated([&] {
        const auto others = input_values(where, other, other_count);
        const cl_ulong length = other_count;
        return copy_selected(
            where, first, count, out,
            [] { return partner_expression<Which, Compare, iterated_t<It>, iterated_t<It2>>(); },
            {others.memory(), others.offset(), length});
    });
}

/// The values of a sorted range without a partner in another one, in memory from the queue's pool.
template <device_value T>
class unpartnered {
  public:
    template <device_function Compare, device_iterator It, device_iterator It2>
    unpartnered(Compare, const opencl::queue& where, It first, std::size_t count, It2 other,
                std::size_t other_count)
        : memory_{where.take_buffer(count * sizeof(T))},
          values_{memory_.handle(), count},
          end_{copy_partnered<partnered::no, Compare>(where, first, count, other, other_count,
                                                      pointsman::begin(values_))} {}

    [[nodiscard]] opencl::buffer_iterator<T> begin() const { return pointsman::begin(values_); }
    [[nodiscard]] const opencl::buffer_iterator<T>& end() const noexcept { return end_; }

  private:
    opencl::pooled_buffer memory_;
    opencl::buffer<T> values_;
    opencl::buffer_iterator<T> end_;
};

/// Returns true if each of the `count` sorted values beginning at `first` has a partner among the
/// `other_count` beginning at `other`. Neither is empty.
template <device_function Compare, device_iterator It, device_iterator It2>
bool all_partnered(const opencl::queue& where, It first, std::size_t count, It2 other,
                   std::size_t other_count) {
    return opencl::detail::translated([&] {
        const auto values = input_values(where, first, count);
        const auto others = input_values(where, other, other_count);
        const engine::array arrays[] = {array_from(values), array_from(others)};
        const cl_ulong length = other_count;
        const opencl::kernel_argument constant{length};
        return find_index(where, count, arrays,
                          [] {
                              return partner_expression<partnered::no, Compare, iterated_t<It>,
                                                        iterated_t<It2>>();
                          },
                          {&constant, 1}) == count;
    });
}

}  // namespace pointsman::detail
