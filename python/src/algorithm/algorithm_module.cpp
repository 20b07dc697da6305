// SPDX-License-Identifier: Apache-2.0
// The extension module fairlead._algorithm: what NumPy has not, or not in several threads.
#include "algorithm/registers.hpp"
#include "module_definition.hpp"

FAIRLEAD_PYTHON_MODULE(_algorithm, m) {
    namespace py = pybind11;
    py::options options;
    options.disable_function_signatures();
    m.doc() =
        "Algorithms on flat, contiguous arrays of the host; fairlead.algorithm is the way in.";
    py::module_::import("fairlead._core");  // registers exceptions
    fairlead::python::register_sort(m);
    fairlead::python::register_stable_sort(m);
    fairlead::python::register_sort_by_key(m);
    fairlead::python::register_merge(m);
}
