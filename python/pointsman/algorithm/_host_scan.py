# SPDX-License-Identifier: Apache-2.0
# NumPy's ``accumulate`` on spans of an array, or on blocks of its lines along an axis.
"""Scans under ``pm.seq``, ``pm.unseq``, ``pm.par`` and ``pm.par_unseq``."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pointsman.algorithm import _host
from pointsman.algorithm._expression import DType
from pointsman.algorithm._fused import SUMMED, add_up, add_up_lines, can_add_up, can_add_up_lines
from pointsman.algorithm._host_lines import Block, lines_of_block, on_lines, policies
from pointsman.algorithm._operation import Operation
from pointsman.execution import HostPolicy, seq

# With at least as many lines side by side, one call of NumPy for each index of the axis is fastest.
WIDE = 512
WIDEST = 8_192  # lines of a block of wide ones: two indices along the axis fit into the L1 cache
FREE = 512  # values of a line, or lines at once, from which NumPy releases the GIL
FEW = 4_096  # values that NumPy folds along any axis in the time that it takes to choose how


def takes_one_call(
    operation: Operation, shape: tuple[int, ...], size: int, axis: int, dtype: DType
) -> bool:
    """Return True if no other way to results of type ``dtype`` is faster than a call of NumPy for
    all values."""
    if size <= FEW or size > _host.CHUNK or len(shape) == 1:
        return size <= FEW
    return math.prod(shape[axis + 1 :]) < WIDE and not (operation.name == "+" and dtype in SUMMED)


def scan_at_once(
    operation: Operation,
    values: NDArray[Any],
    out: NDArray[Any],
    axis: int,
    initial: Any,
    is_exclusive: bool,
) -> None:
    """Write the fold of all values up to each index along ``axis`` by a call of NumPy."""
    if initial is None:
        operation.accumulate(values, axis, _converted(out.dtype), out)
    elif values.size:
        if axis != 0:
            values, out = values.swapaxes(0, axis), out.swapaxes(0, axis)
        _accumulate(operation, values, out, initial, is_exclusive)


def scan(
    policy: HostPolicy,
    operation: Operation,
    values: NDArray[Any],
    out: NDArray[Any],
    initial: Any,
    is_exclusive: bool,
) -> None:
    """Write the fold of all values up to each index. C++ adds up many floats; other folds are
    NumPy's ``accumulate`` in one thread, and in parallel that of each span, into which the total of
    the spans before it is carried."""
    ufunc = operation.ufunc

    def scan_after(carry: Any, begin: int, end: int) -> None:
        _accumulate(operation, values[begin:end], out[begin:end], carry, is_exclusive)

    def fold(begin: int, end: int) -> Any:
        if end == values.size:  # part of no result; it could raise an error
            return None
        return ufunc.reduce(values[begin:end], dtype=_converted(out.dtype))

    if values.size == 0:
        return
    is_shared = policy.is_parallel and values.size > _host.CHUNK
    is_fast = is_shared or (values.size > FEW and out.dtype.kind == "f")
    if operation.name == "+" and is_fast and can_add_up(values, out):
        if not add_up(values, out, initial, is_exclusive, is_parallel=is_shared):
            scan_after(initial, 0, values.size)  # reports the errors
        return
    if _host.is_for_one_thread(policy, values.size):
        scan_after(initial, 0, values.size)
        return
    folds = _host.on_spans(policy, values.size, lambda begin, end: (begin, end, fold(begin, end)))
    carries = [initial]
    for _, _, total in folds[:-1]:
        carries.append(total if carries[-1] is None else ufunc(carries[-1], total))
    starts = {begin: carry for (begin, _, _), carry in zip(folds, carries, strict=True)}
    _host.on_spans(policy, values.size, lambda begin, end: scan_after(starts[begin], begin, end))


def scan_lines(
    policy: HostPolicy,
    operation: Operation,
    values: NDArray[Any],
    out: NDArray[Any],
    initial: Any,
    is_exclusive: bool,
) -> None:
    """Write the fold of all values up to each index in its line to ``out``.

    values, out: of the shape (outer, n, inner), whose lines are along the second axis.
    """
    if values.size == 0:
        return
    _, n, inner = values.shape
    of_line, among_lines = policies(policy, values.shape)
    # Processors differ in which of two zeros is the least, by whether NumPy uses vectors.
    has_zeros = operation.ordered and out.dtype.kind in "fc"

    def by_line(block: Block) -> None:
        lines, results = (each[block].swapaxes(1, 2) for each in (values, out))
        for at in np.ndindex(*lines.shape[:2]):
            scan(of_line, operation, lines[at], results[at], initial, is_exclusive)

    def at_once(block: Block) -> None:
        lines, results = (each[block].swapaxes(0, 1) for each in (values, out))
        accumulate = _step if is_wide else _accumulate
        accumulate(operation, lines, results, initial, is_exclusive)

    is_wide = inner >= WIDE and not has_zeros
    is_long = inner == 1 and policy.is_parallel and n >= _host.CHUNK
    if operation.name == "+" and not is_long and can_add_up_lines(values, out):
        if not add_up_lines(values, out, initial, is_exclusive, is_parallel=policy.is_parallel):
            at_once((slice(None), slice(None), slice(None)))  # reports the errors
    elif is_wide:
        on_lines(seq, values.shape, at_once, WIDEST)  # threads would wait for the GIL
    elif policy.is_parallel and n >= FREE:
        on_lines(among_lines, values.shape, by_line, lines_of_block(n, inner))
    else:
        least = 2 * FREE if policy.is_parallel else 1  # whole rows of lines may be fewer
        most = max(lines_of_block(n, inner), least)
        on_lines(among_lines, values.shape, at_once, most)


def _accumulate(
    operation: Operation,
    values: NDArray[Any],
    out: NDArray[Any],
    carry: Any,
    is_exclusive: bool,
) -> None:
    """Write the fold of ``carry``, unless that is None, and all values up to each index of the
    first axis, as NumPy's ``accumulate`` does."""
    ufunc, dtype = operation.ufunc, out.dtype
    if is_exclusive:
        scanned = np.empty_like(values, dtype)
        scanned[0] = carry
        scanned[1:] = values[:-1]
        ufunc.accumulate(scanned, out=out)
    elif carry is None:
        ufunc.accumulate(values, dtype=_converted(dtype), out=out)
    else:
        scanned = values.astype(dtype)
        scanned[:1] = ufunc(carry, scanned[:1])  # not of a scalar, which warns of overflow
        ufunc.accumulate(scanned, out=out)


def _converted(dtype: DType) -> DType | None:
    """The type to name to a ufunc, which takes no units of time."""
    return dtype if dtype.kind in "iuf" else None


def _step(
    operation: Operation,
    values: NDArray[Any],
    out: NDArray[Any],
    carry: Any,
    is_exclusive: bool,
) -> None:
    """``_accumulate``, for all lines from one index of the first axis to the next."""
    ufunc, dtype = operation.ufunc, out.dtype
    if is_exclusive:
        value = values[0].astype(dtype)  # a copy: `out` may be where the values are
        out[0] = carry
        for at in range(1, len(values)):
            following = values[at].astype(dtype)
            ufunc(out[at - 1], value, out=out[at])
            value = following
        return
    out[0] = values[0] if carry is None else ufunc(carry, values[0].astype(dtype, copy=False))
    for at in range(1, len(values)):
        ufunc(out[at - 1], values[at].astype(dtype, copy=False), out=out[at])
