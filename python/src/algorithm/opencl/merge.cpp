// SPDX-License-Identifier: Apache-2.0
// Registers merge for sorted buffers, in NumPy's order with NaN last.

#include "pointsman/binding/algorithm.hpp"
#include "resource/opencl/numbers.hpp"
#include "resource/opencl/registers.hpp"

namespace pointsman::python {
namespace {

using opencl::queue;

template <class Order, class T>
void merge_by(const queue& where, const opencl::buffer<T>& a, const opencl::buffer<T>& b,
              const opencl::buffer<T>& out) {
    using order = decltype(binding::with_nan_last<T>(Order{}));
    binding::merge_on_device<order>(where, begin(a), a.size(), begin(b), b.size(), begin(out));
}

bool hold_the_same(const device_buffer& a, const device_buffer& b) {
    return a.layout.dtype.equal(b.layout.dtype) ||
           (holds<std::uint8_t>(a) && holds<std::uint8_t>(b));
}

void merge(const queue& where, const device_buffer& a, const device_buffer& b,
           const device_buffer& out, bool is_descending) {
    for (const device_buffer* each : {&a, &b, &out}) {
        check_same_device(where, *each);
        if (!hold_the_same(*each, out)) {
            throw py::type_error{
                "values of dtype " + py::str(each->layout.dtype).cast<std::string>() +
                " cannot be merged into " + py::str(out.layout.dtype).cast<std::string>() +
                ": convert them first"};
        }
    }
    with_values(device_numbers{}, out, [&]<class T>(const opencl::buffer<T>& results) {
        const auto first = values_in<T>(a), second = values_in<T>(b);
        if (is_descending) {
            merge_by<greater>(where, first, second, results);
        } else {
            merge_by<less>(where, first, second, results);
        }
    });
}

}  // namespace

void register_opencl_merge(py::module_& m) {
    m.def("merge", &merge, py::arg("queue"), py::arg("a"), py::arg("b"), py::arg("out"),
          py::arg("is_descending"), R"(merge(queue, a, b, out, is_descending)
--

Merge two sorted buffers into ``out``, of the same type and in other memory, NaN last, and block
until the result is written.)");
}

}  // namespace pointsman::python
