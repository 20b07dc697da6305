// SPDX-License-Identifier: Apache-2.0
// Registers what finds extrema of buffers.

#include "pointsman/binding/algorithm.hpp"
#include "resource/opencl/numbers.hpp"
#include "resource/opencl/registers.hpp"

namespace pointsman::python {
namespace {

using opencl::queue;

/// The first of the values that go before none, and of these NaN goes before none at all: the greatest by
/// `less`, the least by `greater`.
template <class Order, class T>
std::size_t last_in(const queue& where, const opencl::buffer<T>& values) {
    using order = decltype(binding::with_nan_last<T>(Order{}));
    return binding::extrema_on_device<order, binding::extremum::first_greatest>(
               where, begin(values), values.size())[0]
        .index();
}

template <class Order>
std::size_t place_of_last(const queue& where, const device_buffer& array) {
    check_same_device(where, array);
    std::size_t place = 0;
    with_values(device_numbers{}, array,
                [&](const auto& values) { place = last_in<Order>(where, values); });
    return place;
}

}  // namespace

void register_opencl_extremum(py::module_& m) {
    m.def("argmin", &place_of_last<greater>, py::arg("queue"), py::arg("array"),
          R"(argmin(queue, array)
--

Return the index, in a flat array, of the first NaN of a buffer, else of the first least value.)");
    m.def("argmax", &place_of_last<less>, py::arg("queue"), py::arg("array"),
          R"(argmax(queue, array)
--

Return the index, in a flat array, of the first NaN of a buffer, else of the first greatest value.)");
}

}  // namespace pointsman::python
