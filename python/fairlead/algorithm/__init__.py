# SPDX-License-Identifier: Apache-2.0
# The algorithms, one idea to a module.
"""Algorithms over arrays, each with an execution policy as its first argument."""

from fairlead.algorithm.elementwise import copy, fill, transform
from fairlead.algorithm.extrema import max_element, min_element, minmax_element
from fairlead.algorithm.histograms import histogram
from fairlead.algorithm.reductions import reduce, transform_reduce
from fairlead.algorithm.scans import exclusive_scan, inclusive_scan
from fairlead.algorithm.searches import all_of, any_of, count_if, find_if, none_of
from fairlead.algorithm.selections import copy_if, unique
from fairlead.algorithm.sorts import merge, sort, sort_by_key, stable_sort

__all__ = [
    "all_of",
    "any_of",
    "copy",
    "copy_if",
    "count_if",
    "exclusive_scan",
    "fill",
    "find_if",
    "histogram",
    "inclusive_scan",
    "max_element",
    "merge",
    "min_element",
    "minmax_element",
    "none_of",
    "reduce",
    "sort",
    "sort_by_key",
    "stable_sort",
    "transform",
    "transform_reduce",
    "unique",
]
