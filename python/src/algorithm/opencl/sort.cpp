// SPDX-License-Identifier: Apache-2.0
// Registers sort: radix sort of buffers, optionally with values that move along.
#include <pybind11/numpy.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "gil.hpp"
#include "half_bits.hpp"
#include "pointsman/binding/algorithm.hpp"
#include "pointsman/binding/opencl.hpp"
#include "resource/opencl/buffer.hpp"
#include "resource/opencl/registers.hpp"

namespace pointsman::python {
namespace {

using opencl::queue;

/// Sorts the keys in place and moves the values at the same indices along.
template <class Key, class... Values>
void sort_arrays(const queue& where, const device_buffer& keys, const binding::radix_order& order,
                 const std::vector<const device_buffer*>& all) {
    const std::size_t count = keys.layout.size_bytes / sizeof(Key);
    const gil_released others_may_run;
    binding::check_not_forked();
    binding::translated([&] {
        std::vector<binding::moved_array> arrays;
        std::vector<opencl::pooled_buffer> others;
        for (const device_buffer* each : all) {
            const std::size_t size_bytes = each->layout.size_bytes;
            others.push_back(where.take_buffer(size_bytes));
            arrays.push_back({size_bytes, each->memory, 0, others.back().handle(), 0});
        }
        binding::enqueue_sort<Key, Values...>(where, count, order, arrays);
        where.handle().finish();
    });
}

template <class Key>
bool sorted_as(const queue& where, const device_buffer& keys, const device_buffer* values,
               const binding::radix_order& order) {
    if (!keys.layout.dtype.equal(py::dtype::of<Key>())) {
        return false;
    }
    if (values == nullptr) {
        sort_arrays<Key>(where, keys, order, {&keys});
    } else if (values->layout.dtype.attr("itemsize").cast<int>() == 4) {
        sort_arrays<Key, std::uint32_t>(where, keys, order, {&keys, values});
    } else {
        sort_arrays<Key, std::uint64_t>(where, keys, order, {&keys, values});
    }
    return true;
}

template <class... Keys>
void sort_as_one_of(const queue& where, const device_buffer& keys, const device_buffer* values,
                    const binding::radix_order& order) {
    if (!(sorted_as<Keys>(where, keys, values, order) || ...)) {
        throw py::type_error{"a device sorts float16 and numbers of 32 and 64 bits, not of dtype " +
                             py::str(keys.layout.dtype).cast<std::string>() +
                             ": convert them, or sort on the host"};
    }
}

void sort(const queue& where, const device_buffer& keys, const device_buffer* values,
          bool is_descending, bool is_stable) {
    check_same_device(where, keys);
    if (values != nullptr) {
        check_same_device(where, *values);
        const auto item_bytes = values->layout.dtype.attr("itemsize").cast<std::size_t>();
        if ((item_bytes != 4 && item_bytes != 8) ||
            !values->layout.shape.equal(keys.layout.shape)) {
            throw py::type_error{"the values have the shape " +
                                 py::str(py::handle{values->layout.shape}).cast<std::string>() +
                                 " and take " + std::to_string(item_bytes) +
                                 " bytes each: pass one of 4 or 8 bytes for each key"};
        }
    }
    const binding::radix_order order{
        !is_descending, is_stable ? binding::order_kind::weak : binding::order_kind::total};
    sort_as_one_of<std::int32_t, std::int64_t, std::uint32_t, std::uint64_t, float, double,
                   half_bits>(where, keys, values, order);
}

}  // namespace

void register_opencl_sort(py::module_& m) {
    m.def("sort", &sort, py::arg("queue"), py::arg("keys"), py::arg("values"),
          py::arg("is_descending"), py::arg("is_stable"),
          R"(sort(queue, keys, values, is_descending, is_stable)
--

Sort a buffer of float16 or of 32- or 64-bit numbers in place, NaN last, and block until it is sorted.

is_stable: if true, zeros of both signs are equal, as are NaNs, and keep their order; otherwise -0.0
comes before 0.0.
values: a buffer of as many values of 4 or 8 bytes, which move along with the keys, or None.)");
}

}  // namespace pointsman::python
