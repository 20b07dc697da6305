# SPDX-License-Identifier: Apache-2.0
# Each span of the values is folded alone; the fold of its open segment is carried into the next.
"""Algorithms by segment under ``pm.seq``, ``pm.unseq``, ``pm.par`` and ``pm.par_unseq``."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pointsman.algorithm import _host
from pointsman.algorithm._engine import host_engine
from pointsman.algorithm._expression import DType
from pointsman.algorithm._fused import SUMMED, reported_errors
from pointsman.algorithm._host_folds import loop_to_fold
from pointsman.algorithm._operation import Operation
from pointsman.execution import HostPolicy

FEW = 768  # values, below which NumPy is faster than C++
SPAN = 32_768  # values that a thread folds at a time
SHORT = 64  # values; a call of NumPy for each longer segment costs little beside its values


def reduce(
    policy: HostPolicy,
    operation: Operation,
    keys: NDArray[Any],
    values: NDArray[Any],
    dtype: DType,
) -> tuple[NDArray[Any], NDArray[Any]]:
    """The first key of each segment and the fold of its values, of type ``dtype``."""
    ufunc, converted = operation.ufunc, _converted(dtype)
    if values.size == 0:
        return keys[:0].copy(), np.empty(0, dtype)
    if values.size >= FEW and (segments := _fold_segments(policy, operation, keys, values)):
        return segments
    if _host.is_for_one_thread(policy, values.size):
        starts = _starts(keys, 0, keys.size)
        firsts = keys[starts]
        if not keys.dtype.isnative:
            firsts = firsts.astype(keys.dtype.newbyteorder("="))
        return firsts, ufunc.reduceat(values, starts, dtype=converted)

    def work(begin: int, end: int) -> tuple[NDArray[Any], NDArray[Any], bool]:
        starts = _starts(keys, begin, end)
        pieces = _pieces(starts, begin)
        folds = ufunc.reduceat(values[begin:end], pieces - begin, dtype=converted)
        return keys[starts], folds, pieces.size == starts.size

    spans = _host.on_spans(policy, values.size, work, _host.LIGHT)
    folded: list[NDArray[Any]] = []
    for _, folds, begins_segment in spans:
        if not begins_segment:
            folded[-1][-1] = ufunc(folded[-1][-1], folds[0])
            folds = folds[1:]
        if folds.size:
            folded.append(folds)
    return np.concatenate([each for each, _, _ in spans]), np.concatenate(folded)


def _fold_segments(
    policy: HostPolicy, operation: Operation, keys: NDArray[Any], values: NDArray[Any]
) -> tuple[NDArray[Any], NDArray[Any]] | None:
    """``reduce`` in C++. None for types for which NumPy must do it, and if a floating-point error
    has to be reported."""
    loop = loop_to_fold(operation, values.dtype)
    if loop is None or not _has_comparable_keys(keys.dtype):
        return None
    if not (keys.flags.aligned and values.flags.aligned):
        return None
    is_shared = policy.is_parallel and values.size >= 2 * SPAN
    return host_engine.fold_segments(
        operation.ufunc,
        loop[0],
        keys,
        values,
        0 if operation.ordered else reported_errors(),
        SPAN if is_shared else values.size,
    )


@cache
def _has_comparable_keys(dtype: DType) -> bool:
    is_float = dtype.kind == "f" and dtype.itemsize in (4, 8)
    return dtype.isnative and (is_float or dtype.kind in "biu")


def scan(
    policy: HostPolicy,
    operation: Operation,
    keys: NDArray[Any],
    values: NDArray[Any],
    out: NDArray[Any],
    initial: Any,
) -> None:
    """Write the fold of the values up to each index in its segment; exclusively, and after
    ``initial``, unless that is None. ``out`` may be ``keys`` or ``values``."""
    ufunc, dtype = operation.ufunc, out.dtype

    def state(begin: int, end: int) -> tuple[int, NDArray[Any], Any]:
        starts = _starts(keys, begin, end)
        opened = int(starts[-1]) if starts.size else begin
        if end == values.size:
            return begin, starts, None  # nothing follows
        return begin, starts, ufunc.reduce(values[opened:end], dtype=_converted(dtype))

    if values.size == 0:
        return
    states = _host.on_spans(policy, values.size, state, 2 * _host.CHUNK)
    before: dict[int, tuple[NDArray[Any], Any]] = {}
    carry = None
    for begin, starts, fold in states:
        before[begin] = starts, carry
        if fold is not None:
            carry = fold if starts.size else ufunc(carry, fold)

    def work(begin: int, end: int) -> None:
        starts, carry = before[begin]
        pieces = _pieces(starts, begin)
        is_open = pieces.size > starts.size
        if begin:
            starts, pieces = starts - begin, pieces - begin

        def unfolded() -> NDArray[Any]:
            x = np.empty(end - begin, dtype)
            if initial is None:
                x[:] = values[begin:end]
                if is_open:
                    x[0] = ufunc(carry, x[0])
            else:
                x[1:] = values[begin : end - 1]
                x[starts] = initial
                if is_open:
                    x[0] = ufunc(initial, carry)
            return x

        scanned = unfolded()
        is_sum = operation.name == "+" and dtype in SUMMED
        if not (is_sum and host_engine.add_up_pieces(scanned, pieces)):
            scanned = unfolded() if is_sum else scanned  # NumPy reports the errors
            _accumulate(ufunc, scanned, pieces)
        out[begin:end] = scanned

    _host.on_spans(policy, values.size, work, 2 * _host.CHUNK)


def _converted(dtype: DType) -> DType | None:
    """The ``dtype`` of a ufunc's call, which takes no units of time."""
    return dtype if dtype.kind in "iuf" else None


def _starts(keys: NDArray[Any], begin: int, end: int) -> NDArray[np.intp]:
    """The indices of a span at which a segment begins."""
    first = max(begin, 1)
    is_start = np.empty(end - begin, bool)
    is_start[: first - begin] = True
    is_start[first - begin :] = keys[first:end] != keys[first - 1 : end - 1]
    starts = is_start.nonzero()[0]
    return starts + begin if begin else starts


def _pieces(starts: NDArray[np.intp], begin: int) -> NDArray[np.intp]:
    """The starts, after ``begin`` if a segment is open there."""
    is_open = starts.size == 0 or starts[0] != begin
    return np.append(begin, starts) if is_open else starts


def _accumulate(ufunc: np.ufunc, x: NDArray[Any], pieces: NDArray[np.intp]) -> None:
    """Replace the values of each piece of ``x`` by their folds; ``pieces`` are the indices at which
    they begin."""
    lengths = np.diff(np.append(pieces, x.size))
    is_long = lengths > SHORT
    for begin, length in zip(pieces[is_long].tolist(), lengths[is_long].tolist(), strict=True):
        piece = x[begin : begin + length]
        ufunc.accumulate(piece, out=piece)
    # All short pieces at once: their second values, their third values and so on.
    at, left = pieces[~is_long], lengths[~is_long] - 1
    while at.size:
        goes_on = left > 0
        at, left = at[goes_on] + 1, left[goes_on] - 1
        x[at] = ufunc(x[at - 1], x[at])
