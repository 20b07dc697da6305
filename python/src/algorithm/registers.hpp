// SPDX-License-Identifier: Apache-2.0
// Declares the functions that register each host algorithm with pointsman._algorithm.
#pragma once

#include <pybind11/pybind11.h>

namespace pointsman::python {

void register_sort(pybind11::module_& m);
void register_stable_sort(pybind11::module_& m);
void register_sort_by_key(pybind11::module_& m);
void register_merge(pybind11::module_& m);
void register_fused_program(pybind11::module_& m);
void register_folds_of_program(pybind11::class_<class fused_program>& program);
void register_scan(pybind11::module_& m);
void register_line_folds(pybind11::module_& m);
void register_segment_folds(pybind11::module_& m);
void register_selection_of_values(pybind11::module_& m);
void register_extreme_indices(pybind11::module_& m);
void register_extremes(pybind11::module_& m);
void register_histogram(pybind11::module_& m);
void register_bincount(pybind11::module_& m);

}  // namespace pointsman::python
