// SPDX-License-Identifier: Apache-2.0
// Registers count_bins, a histogram with arbitrary edges that follows numpy.histogram.

#include <cstdint>
#include <string>

#include "pointsman/binding/algorithm.hpp"
#include "resource/opencl/numbers.hpp"
#include "resource/opencl/registers.hpp"

namespace pointsman::python {
namespace {

using opencl::queue;

/// Counts values in bins between rising edges as `numpy.histogram` does: the last bin includes the last
/// edge. Values are converted to the type of the edges and compared. Returns false if `edges` does not
/// hold `Edge`s.
template <class Edge>
bool counted_as(const queue& where, const device_buffer& array, const device_buffer& edges,
                const opencl::buffer<std::int64_t>& counts) {
    if (!holds<Edge>(edges)) {
        return false;
    }
    with_values(device_numbers{}, array, [&](const auto& values) {
        binding::histogram_on_device<Edge>(where, begin(values), values.size(), counts.size(),
                                           begin(counts), "count_in_closed_bins",
                                           {static_cast<const cl::Memory&>(edges.memory)});
    });
    return true;
}

void count_bins(const queue& where, const device_buffer& array, const device_buffer& edges,
                const device_buffer& counts) {
    for (const device_buffer* each : {&array, &edges, &counts}) {
        check_same_device(where, *each);
    }
    if (!holds<std::int64_t>(counts)) {
        throw py::type_error{"counts of dtype " + py::str(counts.layout.dtype).cast<std::string>() +
                             ": pass int64"};
    }
    const auto out = values_in<std::int64_t>(counts);
    if (!counted_as<float>(where, array, edges, out) &&
        !counted_as<double>(where, array, edges, out) &&
        !counted_as<std::int64_t>(where, array, edges, out) &&
        !counted_as<std::uint64_t>(where, array, edges, out)) {
        throw py::type_error{"edges of dtype " + py::str(edges.layout.dtype).cast<std::string>() +
                             ": pass float32, float64 or 64-bit integers"};
    }
}

}  // namespace

void register_opencl_histogram(py::module_& m) {
    m.def("count_bins", &count_bins, py::arg("queue"), py::arg("array"), py::arg("edges"),
          py::arg("counts"), R"(count_bins(queue, array, edges, counts)
--

Count the values of a buffer in bins as numpy.histogram does, and block until the counts are written.

edges: rising float32, float64, int64 or uint64, one more than there are counts; the values are
converted to this type and compared. counts: a buffer of int64.)");
}

}  // namespace pointsman::python
