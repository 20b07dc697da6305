# SPDX-License-Identifier: Apache-2.0
# The algorithms, one idea to a module.
"""Algorithms over arrays, each with an execution policy as its first argument."""

from fairlead.algorithm.elementwise import copy, fill, transform
from fairlead.algorithm.reductions import reduce, transform_reduce
from fairlead.algorithm.scans import exclusive_scan, inclusive_scan
from fairlead.algorithm.searches import all_of, any_of, count_if, find_if, none_of

__all__ = [
    "all_of",
    "any_of",
    "copy",
    "count_if",
    "exclusive_scan",
    "fill",
    "find_if",
    "inclusive_scan",
    "none_of",
    "reduce",
    "transform",
    "transform_reduce",
]
