# SPDX-License-Identifier: Apache-2.0
# Threads that call NumPy wait for each other at the GIL, so C++ shares the lines among its own.
"""Folds of lines, and indices of their extremes, in threads."""

from __future__ import annotations

import math
from functools import cache, lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pointsman.algorithm._arena import arena
from pointsman.algorithm._engine import host_engine
from pointsman.algorithm._expression import Arrays, DType, Place
from pointsman.algorithm._fused import Fused, reported_errors
from pointsman.algorithm._loops import NotFusableError, loop_of
from pointsman.algorithm._operation import Operation, operation_of
from pointsman.execution import HostPolicy

SHORTEST_FOLDED = 4  # values of a line; NumPy takes less time for all lines of fewer
SHORTEST_SEARCHED = 16
LONG_SEARCHED = 512  # of 8-byte values that are cached: NumPy is as fast as two threads for fewer
CACHED_BYTES = 8_388_608
LEAST_BYTES = 1_048_576  # for less, threads take longer to begin than NumPy to end
WIDEST_FOLDED = 4_096  # columns; a thread computes 16 rows before it folds them


def are_worth_threads(policy: HostPolicy, values: NDArray[Any]) -> bool:
    """Return True if threads fold or search so many values sooner than one call of NumPy."""
    return policy.is_parallel and values.nbytes >= LEAST_BYTES


def fold(
    operation: Operation, values: NDArray[Any], axes: tuple[int, ...], options: dict[str, Any]
) -> NDArray[Any] | None:
    """Fold contiguous values along neighbouring ``axes``. None for axes, types and options for
    which NumPy must do so, and if a floating-point error has to be reported."""
    if "initial" in options or not values.flags.aligned:
        return None
    lines = _Lines.along(axes, values.shape, operation, values.dtype, options.get("dtype"))
    if lines is None:
        return None
    folds = np.empty(lines.shape, values.dtype)
    reported = 0 if operation.ordered else reported_errors()
    fits = host_engine.fold_lines(
        operation.ufunc,
        lines.loop[0],
        values.reshape(-1, lines.n, lines.inner),
        lines.loop[1],
        folds.reshape(-1, lines.inner),
        reported,
        lines.most_at_once,
    )
    return folds if fits else None


def fold_computed(
    policy: HostPolicy,
    operation: Operation,
    program: Fused,
    inputs: Arrays,
    axes: tuple[int, ...],
    options: dict[str, Any],
) -> NDArray[Any] | None:
    """Fold what a program computes for contiguous inputs of one shape along neighbouring ``axes``.
    None as for ``fold``, for lines whose results take too much memory, and for a sum of float16,
    which NumPy rounds once."""
    dtype, shape = program.dtype, inputs[0].shape
    lines = _Lines.along(axes, shape, operation, dtype, options.get("dtype"))
    if lines is None or lines.inner > WIDEST_FOLDED:
        return None
    if operation.name == "+" and lines.inner == 1:
        is_one = math.prod(lines.shape) == 1
        if lines.n > program.longest_line or (is_one and dtype.char == "e"):
            return None
    index, initial = lines.loop
    if "initial" in options:
        initial = np.asarray(options["initial"], dtype).tobytes()
    folds = np.empty(lines.shape, dtype)
    are_folded = program.fold_lines(
        policy,
        operation,
        inputs,
        (index, initial),
        folds.reshape(-1, lines.inner),
        lines.most_at_once,
    )
    return folds if are_folded else None


class _Lines(NamedTuple):
    """Lines of values that a loop of NumPy's folds."""

    n: int  # values of a line
    inner: int  # lines side by side
    shape: tuple[int, ...]  # of the folds
    loop: tuple[int, bytes]  # as from ``loop_to_fold``
    most_at_once: int  # values of a line that a call of the loop folds

    @staticmethod
    def along(
        axes: tuple[int, ...],
        shape: tuple[int, ...],
        operation: Operation,
        dtype: DType,
        asked: DType | None,
    ) -> _Lines | None:
        """The lines along ``axes`` of an array; None if NumPy must fold them, or does so sooner.

        asked: the type of the folds, if it is given.
        """
        first, end = axes[0], axes[-1] + 1
        loop = loop_to_fold(operation, dtype)
        if loop is None or len(axes) != end - first or 0 in shape:
            return None
        if asked is not None and asked != dtype:
            return None
        n, inner = math.prod(shape[first:end]), math.prod(shape[end:])
        most = n
        if inner == 1 and n < SHORTEST_FOLDED:
            return None
        if inner == 1 and (parts := _are_parts_folded()) is not False and n > np.getbufsize():
            if parts is None:
                return None
            most = np.getbufsize()
        return _Lines(n, inner, shape[:first] + shape[end:], loop, most)


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
