# SPDX-License-Identifier: Apache-2.0
# The public algorithms; modules with a leading underscore implement them.
"""Algorithms over arrays, each with an execution policy as its first argument."""

from pointsman.algorithm._bincount import bincount
from pointsman.algorithm._compaction import copy_if, unique
from pointsman.algorithm._elementwise import copy, fill, transform
from pointsman.algorithm._extremum import (
    argmax,
    argmin,
    max_element,
    min_element,
    minmax_element,
)
from pointsman.algorithm._histogram import histogram
from pointsman.algorithm._merge import merge
from pointsman.algorithm._reduction import reduce, transform_reduce
from pointsman.algorithm._scan import exclusive_scan, inclusive_scan
from pointsman.algorithm._search import all_of, any_of, count_if, find_if, none_of
from pointsman.algorithm._searchsorted import searchsorted
from pointsman.algorithm._segment import (
    exclusive_scan_by_segment,
    inclusive_scan_by_segment,
    reduce_by_segment,
)
from pointsman.algorithm._sort import argsort, sort, sort_by_key, stable_sort

__all__ = [
    "all_of",
    "any_of",
    "argmax",
    "argmin",
    "argsort",
    "bincount",
    "copy",
    "copy_if",
    "count_if",
    "exclusive_scan",
    "exclusive_scan_by_segment",
    "fill",
    "find_if",
    "histogram",
    "inclusive_scan",
    "inclusive_scan_by_segment",
    "max_element",
    "merge",
    "min_element",
    "minmax_element",
    "none_of",
    "reduce",
    "reduce_by_segment",
    "searchsorted",
    "sort",
    "sort_by_key",
    "stable_sort",
    "transform",
    "transform_reduce",
    "unique",
]
