# SPDX-License-Identifier: Apache-2.0
# Threads that call NumPy wait for each other at the GIL, so C++ shares the lines among its own.
"""Folds of lines, and indices of their extremes, in threads."""

from __future__ import annotations

import math
from functools import cache, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pointsman.algorithm._arena import arena
from pointsman.algorithm._engine import host_engine
from pointsman.algorithm._expression import DType, Place
from pointsman.algorithm._fused import reported_errors
from pointsman.algorithm._loops import NotFusableError, loop_of
from pointsman.algorithm._operation import Operation, operation_of
from pointsman.execution import HostPolicy

SHORTEST_FOLDED = 4  # values of a line; NumPy takes less time for all lines of fewer
SHORTEST_SEARCHED = 16
LONG_SEARCHED = 512  # of 8-byte values that are cached: NumPy is as fast as two threads for fewer
CACHED_BYTES = 8_388_608
LEAST_BYTES = 1_048_576  # for less, threads take longer to begin than NumPy to end


def are_worth_threads(policy: HostPolicy, values: NDArray[Any]) -> bool:
    """Return True if threads fold or search so many values sooner than one call of NumPy."""
    return policy.is_parallel and values.nbytes >= LEAST_BYTES


def fold(
    operation: Operation, values: NDArray[Any], axes: tuple[int, ...], options: dict[str, Any]
) -> NDArray[Any] | None:
    """Fold contiguous values along neighbouring ``axes``. None for axes, types and options for
    which NumPy must do so, and if a floating-point error has to be reported."""
    first, end = axes[0], axes[-1] + 1
    dtype = options.get("dtype")
    if "initial" in options or len(axes) != end - first or not values.flags.aligned:
        return None
    if dtype is not None and dtype != values.dtype:
        return None
    loop = loop_to_fold(operation, values.dtype)
    shape = values.shape
    n, inner = math.prod(shape[first:end]), math.prod(shape[end:])
    if loop is None or 0 in shape or (inner == 1 and n < SHORTEST_FOLDED):
        return None
    most = n
    if inner == 1 and n > np.getbufsize():
        parts = _are_parts_folded()
        if parts is None:
            return None
        most = np.getbufsize() if parts else n
    folds = np.empty(shape[:first] + shape[end:], values.dtype)
    lines = values.reshape(-1, n, inner)
    reported = 0 if operation.ordered else reported_errors()
    fits = host_engine.fold_lines(
        operation.ufunc, loop[0], lines, loop[1], folds.reshape(len(lines), inner), reported, most
    )
    return folds if fits else None


def indices(values: NDArray[Any], *, is_greatest: bool) -> Any:
    """The index along the last axis of the first of the greatest values, or of the least ones, of
    contiguous values; None for types and arrays for which NumPy must find it."""
    shape, dtype = values.shape, values.dtype
    if dtype.kind not in "iuf" or dtype.itemsize > 8 or dtype.char == "e" or 0 in shape:
        return None
    if not (dtype.isnative and values.flags.aligned) or shape[-1] < SHORTEST_SEARCHED:
        return None
    is_short = shape[-1] < LONG_SEARCHED and dtype.itemsize == 8
    if is_short and values.nbytes < CACHED_BYTES and arena().concurrency <= 2:
        return None
    found = np.empty(shape[:-1], np.int64)
    host_engine.extreme_indices(values, is_greatest, found.reshape(-1))
    return found if found.ndim else found[()]


@cache
def _are_parts_folded() -> bool | None:
    """Return True if NumPy folds a line in parts of the size of its buffer, as before NumPy 2, and
    False if it folds all of it at once. None if it does neither."""
    buffer = np.getbufsize()
    lines = np.sqrt(np.arange(20 * buffer, dtype=np.float32)).reshape(8, -1, 1)
    index, initial = loop_to_fold(operation_of("+"), lines.dtype) or (0, b"")
    folded, expected = np.empty((8, 1), np.float32), np.add.reduce(lines, 1)
    for most in (lines.size, buffer):
        host_engine.fold_lines(np.add, index, lines, initial, folded, 0, most)
        if np.array_equal(folded, expected):
            return most == buffer
    return None


@lru_cache(maxsize=256)
def loop_to_fold(operation: Operation, dtype: DType) -> tuple[int, bytes] | None:
    """The number of the loop with which NumPy folds values of this type to one of the same type,
    and the bytes of what it begins with, which are none for the first value."""
    ufunc = operation.ufunc
    if not isinstance(ufunc, np.ufunc) or dtype.kind not in "biuf":
        return None
    if not dtype.isnative or operation.reduced_type(dtype) != dtype:
        return None
    try:
        index, _ = loop_of(ufunc, (Place(0), Place(1)), (dtype, dtype), dtype)
    except NotFusableError:
        return None
    if ufunc.identity is None:
        return index, b""
    begin: Any = ufunc.reduce(np.array([-0.0] if operation.name == "+" else [1]).astype(dtype))
    return index, begin.tobytes()
