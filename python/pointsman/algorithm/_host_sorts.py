# SPDX-License-Identifier: Apache-2.0
# Prepares arrays for the C++ sorts, which order integers, float16, float32 and float64.
"""The sorting algorithms under ``pm.seq``, ``pm.unseq``, ``pm.par`` and ``pm.par_unseq``.

The extension module links further libraries, so it is loaded only by the first call.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pointsman.algorithm._engine import host_engine
from pointsman.algorithm._expression import DType
from pointsman.algorithm._host import CHUNK, on_spans
from pointsman.execution import HostPolicy

Sort = Callable[[NDArray[Any]], None]

FEW = 4_096  # values: NumPy finds the order of as many as fast as C++ does
WIDEST = {"b": np.uint64, "u": np.uint64, "i": np.int64, "f": np.float64}


def obstacle(dtype: DType) -> str:
    """The reason why values of the type cannot be sorted here; empty if they can."""
    if dtype.kind in WIDEST and dtype.itemsize <= 8 and dtype.isnative:
        return ""
    return (
        f"values of dtype {dtype} cannot be sorted: convert them with .astype() to bool, an "
        "integer, float16, float32 or float64, or use numpy.sort"
    )


@cache
def sort_of(type_char: str, is_parallel: bool, is_descending: bool, is_stable: bool) -> Sort:
    """The sort of contiguous values of this type in place along the last axis, NaN last."""
    tells_equals_apart = type_char in "efd"  # zeros of both signs
    sort = host_engine.stable_sort if is_stable and tells_equals_apart else host_engine.sort

    def ascending(values: NDArray[Any]) -> None:
        sort(values, is_parallel)

    def ascending_bool(values: NDArray[Any]) -> None:
        sort(values.view(np.uint8), is_parallel)

    in_order = ascending_bool if type_char == "?" else ascending
    return descending(in_order, is_parallel, is_stable) if is_descending else in_order


def descending(ascending: Sort, is_parallel: bool, is_stable: bool) -> Sort:
    """A sort in the order opposite to that of ``ascending``, with NaN last as there. A signal
    handler that raises may leave another order, but no other values."""

    def sort(values: NDArray[Any]) -> None:
        ascending(values)
        host_engine.turn_lines_around(_bytes_if_bool(values), is_parallel, is_stable)

    return sort


def sort_by_key(
    policy: HostPolicy, keys: NDArray[Any], values: NDArray[Any], is_descending: bool
) -> None:
    """Sort the keys in place, stably and with NaN last, and reorder the values alike."""
    indices = argsort(policy, keys, is_descending)
    copies = keys.copy(), values.copy()  # before either is changed, for want of memory
    try:
        for each, copied in zip((keys, values), copies, strict=True):
            copied.take(indices, out=each, mode="clip")  # no index is clipped: the fastest mode
    except BaseException:  # a signal
        keys[:], values[:] = copies
        raise


def argsort(policy: HostPolicy, values: NDArray[Any], is_descending: bool) -> NDArray[np.int64]:
    """The indices that sort the values of one dimension stably, NaN last."""
    is_narrow = values.itemsize <= 2 and values.dtype.kind != "f"  # NumPy counts their digits
    if is_narrow or values.size <= FEW:
        return argsort_by_numpy(values, 0, is_descending)
    if values.dtype.kind == "f":
        with np.errstate(invalid="ignore"):  # signalling NaN
            widened = values.astype(np.float64)
    else:
        widened = values.astype(WIDEST[values.dtype.kind])
    indices = np.arange(values.size, dtype=np.int64)
    if is_descending:
        mirror(policy, widened)
    host_engine.sort_by_key(widened, indices, policy.is_parallel)
    return indices


def argsort_by_numpy(values: NDArray[Any], axis: int, is_descending: bool) -> NDArray[np.int64]:
    """The indices that sort each line along ``axis`` stably, NaN last."""
    if is_descending:
        values = _mirror_of(values)(values)
    return values.argsort(axis, "stable")


def merge(
    policy: HostPolicy,
    a: NDArray[Any],
    b: NDArray[Any],
    out: NDArray[Any],
    is_descending: bool,
) -> None:
    """Merge sorted arrays of one type; ``out`` shares no memory with them."""
    if is_descending:
        a, b = a.copy(), b.copy()
        mirror(policy, a)
        mirror(policy, b)
    arrays = _bytes_if_bool(a), _bytes_if_bool(b), _bytes_if_bool(out)
    host_engine.merge(*arrays, policy.is_parallel)
    if is_descending:
        mirror(policy, out)


def mirror(policy: HostPolicy, values: NDArray[Any]) -> None:
    """Map each value of a contiguous array so that the order is reversed; a second call restores
    the values."""
    map_value = _mirror_of(values)
    if values.size <= CHUNK:
        map_value(values, values)
        return
    values = values.reshape(-1)

    def work(begin: int, end: int) -> None:
        map_value(values[begin:end], out=values[begin:end])

    on_spans(policy, values.size, work)


def _mirror_of(values: NDArray[Any]) -> np.ufunc:
    return np.negative if values.dtype.kind == "f" else np.invert


def _bytes_if_bool(values: NDArray[Any]) -> NDArray[Any]:
    return values.view(np.uint8) if values.dtype.kind == "b" else values
