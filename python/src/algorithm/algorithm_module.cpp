// SPDX-License-Identifier: Apache-2.0
// The extension module pointsman._algorithm: what NumPy has not, or not in several threads.
#include "algorithm/registers.hpp"
#include "module_definition.hpp"

POINTSMAN_PYTHON_MODULE(_algorithm, m) {
    namespace py = pybind11;
    py::options options;
    options.disable_function_signatures();
    m.doc() =
        "Algorithms on flat, contiguous arrays of the host; pointsman.algorithm is the way in.";
    py::module_::import("pointsman._core");  // registers exceptions
    pointsman::python::register_sort(m);
    pointsman::python::register_stable_sort(m);
    pointsman::python::register_sort_by_key(m);
    pointsman::python::register_merge(m);
}
