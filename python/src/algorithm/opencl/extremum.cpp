// SPDX-License-Identifier: Apache-2.0
// Registers argmin and argmax, which return the first NaN if there is one, as NumPy does.

#include "pointsman/binding/algorithm.hpp"
#include "resource/opencl/numbers.hpp"
#include "resource/opencl/registers.hpp"

namespace pointsman::python {
namespace {

using opencl::queue;

/// Returns the index of the first NaN; if there is none, that of the first greatest value for `less`, or of
/// the first least value for `greater`.
template <class Order, class T>
std::size_t first_greatest_index(const queue& where, const opencl::buffer<T>& values) {
    using order = decltype(binding::with_nan_last<T>(Order{}));
    return binding::extrema_on_device<order, binding::extremum::first_greatest>(
               where, begin(values), values.size())[0]
        .index();
}

template <class Order>
std::size_t index_of_last(const queue& where, const device_buffer& array) {
    check_same_device(where, array);
    std::size_t index = 0;
    with_values(device_numbers{}, array,
                [&](const auto& values) { index = first_greatest_index<Order>(where, values); });
    return index;
}

}  // namespace

void register_opencl_extremum(py::module_& m) {
    m.def("argmin", &index_of_last<greater>, py::arg("queue"), py::arg("array"),
          R"(argmin(queue, array)
--

Return the flat index of the first NaN in a buffer or, without NaN, of the first least value.)");
    m.def("argmax", &index_of_last<less>, py::arg("queue"), py::arg("array"),
          R"(argmax(queue, array)
--

Return the flat index of the first NaN in a buffer or, without NaN, of the first greatest value.)");
}

}  // namespace pointsman::python
