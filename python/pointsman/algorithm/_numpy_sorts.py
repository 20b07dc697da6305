# SPDX-License-Identifier: Apache-2.0
# NumPy's sorts in vector registers replace zeros by zeros of the other sign, and NaN by other NaN.
"""The sorts of NumPy, in the order of ``pm.sort`` and with all bits kept."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pointsman.algorithm._host_sorts import Sort, descending


@cache
def sort_of(type_char: str, is_parallel: bool, is_descending: bool, is_stable: bool) -> Sort:
    """NumPy's sort of contiguous lines of this type along the last axis in place. In vector
    registers, NumPy sorts integers of 32 bits faster than float32."""
    ascending: Sort = np.ndarray.sort
    if type_char in "efd" and is_stable:
        ascending = _sort_floats_stably
    elif type_char in "ef":
        ascending = _sort_of_bits(type_char)
    elif type_char == "d":
        ascending = _sort_float64()
    return descending(ascending, False, is_stable) if is_descending else ascending


def sort_few(values: NDArray[Any], axis: int) -> bool:
    """Sort few contiguous values along ``axis`` in place by one call of NumPy. Return False, with
    nothing sorted, if NumPy might order zeros or NaN otherwise than ``pm.sort``."""
    if values.dtype.kind == "f":
        from pointsman._algorithm import has_one_order

        if values.itemsize == 2 or not has_one_order(values):
            return False
    values.sort(axis)
    return True


def _sort_floats_stably(lines: NDArray[Any]) -> None:
    lines.sort(kind="stable")


@cache
def _sort_float64() -> Sort:
    """The sort by NumPy of float64 in the order of ``pm.sort``."""
    from pointsman._algorithm import has_one_order

    by_bits = _sort_of_bits("d")

    def sort(lines: NDArray[Any]) -> None:
        if has_one_order(lines):
            lines.sort()
        else:
            by_bits(lines)

    return sort


@cache
def float64_by_bits(is_descending: bool) -> Sort:
    """NumPy's sort of the bits of float64 in contiguous lines along the last axis in place."""
    ascending = _sort_of_bits("d")
    return descending(ascending, False, False) if is_descending else ascending


@cache
def _sort_of_bits(type_char: str) -> Sort:
    """The sort by NumPy of floats, as integers, in the order of ``pm.sort``."""
    from pointsman._algorithm import order_as_floats

    integer = np.dtype(f"i{np.dtype(type_char).itemsize}")

    def sort(lines: NDArray[Any]) -> None:
        bits = lines.view(integer)
        bits.sort()
        order_as_floats(bits)

    return sort
