// SPDX-License-Identifier: Apache-2.0
// The extension module pointsman._algorithm: host algorithms that NumPy lacks or runs in one thread.
#include "algorithm/registers.hpp"
#include "module_definition.hpp"

POINTSMAN_PYTHON_MODULE(_algorithm, m) {
    namespace py = pybind11;
    py::options options;
    options.disable_function_signatures();
    m.doc() =
        "Algorithms on flat, contiguous host arrays; the public interface is pointsman.algorithm.";
    py::module_::import("pointsman._core");  // registers exceptions
    pointsman::python::register_sort(m);
    pointsman::python::register_stable_sort(m);
    pointsman::python::register_sort_by_key(m);
    pointsman::python::register_merge(m);
    pointsman::python::register_fused_program(m);
    pointsman::python::register_scan(m);
    pointsman::python::register_line_folds(m);
    pointsman::python::register_segment_folds(m);
    pointsman::python::register_selection_of_values(m);
    pointsman::python::register_extreme_indices(m);
    pointsman::python::register_extremes(m);
    pointsman::python::register_histogram(m);
    pointsman::python::register_bincount(m);
}
