// SPDX-License-Identifier: Apache-2.0
// Registers what counts the values of buffers by bins.

#include <string>

#include "pointsman/binding/algorithm.hpp"
#include "resource/opencl/numbers.hpp"
#include "resource/opencl/registers.hpp"

namespace pointsman::python {
namespace {

using opencl::queue;

/// The bins of `numpy.histogram` between `bins` + 1 rising edges: the last edge belongs to the last bin.
/// Values are compared as of the type of the edges.
template <class Edge>
std::string closed_bins_text() {
    const std::string type = binding::opencl_type<Edge>();
    return "#define BIN_PARAMETERS global const " + type +
           "* edges\n"
           "#define FIND_BIN(value) ulong bin = bins; { \\\n"
           "    const " +
           type + " v = (" + type +
           ")(value); \\\n"
           "    if (v >= edges[0] && v <= edges[bins]) { \\\n"
           "        ulong past = bins; \\\n"
           "        for (bin = 0; past - bin > 1;) { \\\n"
           "            const ulong middle = bin + (past - bin) / 2; \\\n"
           "            if (v < edges[middle]) past = middle; \\\n"
           "            else bin = middle; \\\n"
           "        } \\\n"
           "    } \\\n"
           "}\n";
}

std::string text_of_bins(const device_buffer& edges) {
    if (holds<float>(edges)) {
        return closed_bins_text<float>();
    }
    if (holds<double>(edges)) {
        return closed_bins_text<double>();
    }
    if (holds<std::int64_t>(edges)) {
        return closed_bins_text<std::int64_t>();
    }
    if (holds<std::uint64_t>(edges)) {
        return closed_bins_text<std::uint64_t>();
    }
    throw py::type_error{"edges of dtype " + py::str(edges.layout.dtype).cast<std::string>() +
                         ": pass float32, float64 or 64-bit integers"};
}

void count_bins(const queue& where, const device_buffer& array, const device_buffer& edges,
                const device_buffer& counts) {
    for (const device_buffer* each : {&array, &edges, &counts}) {
        check_same_device(where, *each);
    }
    const std::string bins = text_of_bins(edges);
    if (!holds<std::int64_t>(counts)) {
        throw py::type_error{"counts of dtype " + py::str(counts.layout.dtype).cast<std::string>() +
                             ": pass int64"};
    }
    with_values(device_numbers{}, array, [&](const auto& values) {
        const auto out = values_in<std::int64_t>(counts);
        binding::histogram_on_device(where, begin(values), values.size(), out.size(), begin(out),
                                     bins, {static_cast<const cl::Memory&>(edges.memory)});
    });
}

}  // namespace

void register_opencl_histogram(py::module_& m) {
    m.def("count_bins", &count_bins, py::arg("queue"), py::arg("array"), py::arg("edges"),
          py::arg("counts"), R"(count_bins(queue, array, edges, counts)
--

Count the values of a buffer between rising edges, of which there is one more than there are counts,
as numpy.histogram does, and block until that is done.

edges: of float32, float64, int64 or uint64, as which the values are compared. counts: of int64.)");
}

}  // namespace pointsman::python
