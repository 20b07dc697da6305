# SPDX-License-Identifier: Apache-2.0
# Prefix sums, and prefix folds by other operations such as "*" and "max".
"""``pm.inclusive_scan`` and ``pm.exclusive_scan``."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, overload

import numpy as np
from numpy.typing import DTypeLike, NDArray

from pointsman.algorithm import _device_lines, _device_native, _host, _host_scan
from pointsman.algorithm._arrays import Output, values_of
from pointsman.algorithm._axis import axis_of, lengths_of
from pointsman.algorithm._device_plain import empty_like, queue_for, supports
from pointsman.algorithm._engine import opencl
from pointsman.algorithm._expression import IDENTITY, DType
from pointsman.algorithm._operation import Operation, operation_named, operation_of
from pointsman.algorithm._plain import are_apart, is_target, may_go_along, plain, readable
from pointsman.algorithm._plan import Plan, run_under
from pointsman.algorithm._scalars import held
from pointsman.algorithm._types import Array, F, OnHost, Out
from pointsman.execution import ExecutionPolicy, HostPolicy
from pointsman.opencl import Buffer, Queue


@overload
def inclusive_scan(
    policy: ExecutionPolicy,
    a: Buffer,
    op: Any = "+",
    initial: Any = None,
    out: None = None,
    *,
    dtype: DTypeLike | None = None,
    axis: int | None = None,
) -> Buffer: ...
@overload
def inclusive_scan(
    policy: ExecutionPolicy,
    a: NDArray[F],
    op: Any = "+",
    initial: Any = None,
    out: None = None,
    *,
    dtype: None = None,
    axis: int | None = None,
) -> NDArray[F]: ...
@overload
def inclusive_scan(
    policy: ExecutionPolicy,
    a: OnHost,
    op: Any = "+",
    initial: Any = None,
    out: None = None,
    *,
    dtype: DTypeLike | None = None,
    axis: int | None = None,
) -> NDArray[Any]: ...
@overload
def inclusive_scan(
    policy: ExecutionPolicy,
    a: Array,
    op: Any = "+",
    initial: Any = None,
    out: Out = ...,
    *,
    dtype: DTypeLike | None = None,
    axis: int | None = None,
) -> Out: ...
def inclusive_scan(
    policy: ExecutionPolicy,
    a: Any,
    op: Any = "+",
    initial: Any = None,
    out: Any = None,
    *,
    dtype: DTypeLike | None = None,
    axis: int | None = None,
) -> Any:
    """Return, for each value of ``a``, the fold by ``op`` of all values up to and including it.

    op, initial: as in ``pm.reduce``. out: as in ``pm.transform``.
    dtype: the type of the results, an integer or float type, to which the values are converted
        first; by default that of NumPy's ``ufunc.accumulate``, as for ``numpy.cumsum``.
    axis: the axis along which the values are folded, as in NumPy; needed unless ``a`` has one
        dimension. The results have the shape of ``a``.

    Integers equal NumPy's bit for bit, and so do floats under ``pm.seq`` and ``pm.unseq``, but for
    the signs of NaN. A device folds float16 in float32 and rounds each result once, whereas NumPy
    also rounds the running value. Raises ValueError for an array of several dimensions without
    ``axis``.

    The sums along each row:

    >>> pm.inclusive_scan(pm.par, np.array([[1, 2, 3], [4, 5, 6]]), axis=1).tolist()
    [[1, 3, 6], [4, 9, 15]]
    """
    if initial is None and out is None and dtype is None:
        if (scanned := _scanned_at_once(policy, a, op, axis)) is not None:
            return scanned
    return _scan(False, policy, a, op, initial, out, dtype, axis)


@overload
def exclusive_scan(
    policy: ExecutionPolicy,
    a: Buffer,
    initial: Any = 0,
    op: Any = "+",
    out: None = None,
    *,
    dtype: DTypeLike | None = None,
    axis: int | None = None,
) -> Buffer: ...
@overload
def exclusive_scan(
    policy: ExecutionPolicy,
    a: NDArray[F],
    initial: Any = 0,
    op: Any = "+",
    out: None = None,
    *,
    dtype: None = None,
    axis: int | None = None,
) -> NDArray[F]: ...
@overload
def exclusive_scan(
    policy: ExecutionPolicy,
    a: OnHost,
    initial: Any = 0,
    op: Any = "+",
    out: None = None,
    *,
    dtype: DTypeLike | None = None,
    axis: int | None = None,
) -> NDArray[Any]: ...
@overload
def exclusive_scan(
    policy: ExecutionPolicy,
    a: Array,
    initial: Any = 0,
    op: Any = "+",
    out: Out = ...,
    *,
    dtype: DTypeLike | None = None,
    axis: int | None = None,
) -> Out: ...
def exclusive_scan(
    policy: ExecutionPolicy,
    a: Any,
    initial: Any = 0,
    op: Any = "+",
    out: Any = None,
    *,
    dtype: DTypeLike | None = None,
    axis: int | None = None,
) -> Any:
    """Return, for each value of ``a``, the fold by ``op`` of ``initial`` and all values before it.

    initial: as in ``pm.reduce``; None for the identity of ``op``, such as 1 for "*" and infinity
        for "min" of floats.
    dtype, axis: as in ``pm.inclusive_scan``.
    """
    return _scan(True, policy, a, op, initial, out, dtype, axis)


def _scanned_at_once(policy: Any, a: Any, op: Any, axis: Any) -> NDArray[Any] | None:
    """The inclusive scan of a plain array by one call of NumPy, if none is faster under a host
    policy; else None."""
    if plain(policy, a) is None or not may_go_along(axis, a.ndim):
        return None
    if (operation := operation_named(op)) is None:
        return None
    if a.size > _host_scan.FEW and (operation.name == "+" or a.ndim > 1):
        return None
    if not _host.is_for_one_thread(policy, a.size):
        return None
    scanned: NDArray[Any] = operation.accumulate(a, 0 if axis is None else axis)
    return scanned


def _scan(
    is_exclusive: bool,
    policy: ExecutionPolicy,
    a: Any,
    op: Any,
    initial: Any,
    out: Any,
    given: DTypeLike | None,
    axis: Any,
) -> Any:
    has_start = is_exclusive or initial is not None
    if (on_plain := readable(policy, a)) and may_go_along(axis, a.ndim):
        a = on_plain[1]
        if given is None and type(op) is str:
            operation, dtype = _scanning(op, a.dtype)
        else:
            operation = operation_of(op)
            dtype = operation.scanned_type(a.dtype, given)
        results = np.empty(a.shape, dtype) if out is None else out
        if out is None or (is_target(out, a, dtype) and are_apart(out, a)):
            start = _start(operation, dtype, initial) if has_start else None
            along = 0 if axis is None else axis % a.ndim
            if _host_scan.takes_one_call(operation, a.shape, a.size, along, dtype):
                _host_scan.scan_at_once(operation, a, results, along, start, is_exclusive)
            elif a.ndim == 1:
                _host_scan.scan(on_plain[0], operation, a, results, start, is_exclusive)
            else:
                lengths = lengths_of(a.shape, (along,))
                lines, scanned = a.reshape(lengths), results.reshape(lengths)
                _host_scan.scan_lines(on_plain[0], operation, lines, scanned, start, is_exclusive)
            return results
    inputs = [values := values_of(a)]
    if (queue := queue_for(policy, a, None, out)) and axis is None and len(values.shape) == 1:
        operation = operation_of(op)
        dtype = operation.scanned_type(values.dtype, given)
        is_like = out is None or (out.shape == values.shape and out.dtype == dtype)
        if is_like and supports(values.dtype):
            start = _start(operation, dtype, initial) if has_start else None
            scanned = empty_like(queue, a, dtype) if out is None else out
            _device_native.scan(queue, operation, values, scanned, start, is_exclusive)
            opencl.await_commands(queue)
            return scanned
    along = axis_of(axis, values.shape)
    operation = operation_of(op)
    dtype = operation.scanned_type(values.dtype, given)
    output = Output(out, values.shape, dtype)
    start = _start(operation, dtype, initial) if has_start else None
    stays = values.buffer is not None
    name = "exclusive_scan" if is_exclusive else "inclusive_scan"
    lengths = lengths_of(values.shape, (along,))
    is_flat = len(values.shape) == 1
    kind = name, operation.name, dtype.char, *(() if is_flat else (along, len(values.shape)))

    def on_host(chosen: HostPolicy) -> Any:
        results = output.host(inputs)
        arrays = values.on_host(), results
        if is_flat:
            _host_scan.scan(chosen, operation, *arrays, start, is_exclusive)
        else:
            lines, scanned = (each.reshape(lengths) for each in arrays)
            _host_scan.scan_lines(chosen, operation, lines, scanned, start, is_exclusive)
        return output.finish_host(results)

    def on_device(queue: Queue) -> Any:
        buffer = output.device(queue, stays)
        if is_flat:
            _device_native.scan(queue, operation, values, buffer, start, is_exclusive)
        else:
            _device_lines.scan(
                queue, operation, values, buffer, lengths, dtype, start, is_exclusive
            )
        return output.finish_device(queue, buffer, stays)

    return run_under(policy, Plan(kind, IDENTITY, inputs, on_host, on_device, out))


@lru_cache(maxsize=1024)
def _scanning(op: str, dtype: DType) -> tuple[Operation, DType]:
    """The operation, and the type of the results for values of this type."""
    operation = operation_of(op)
    return operation, operation.scanned_type(dtype)


def _start(operation: Operation, dtype: DType, initial: Any) -> Any:
    """What the fold begins with, of type ``dtype``; by default the operation's identity."""
    return operation.identity(dtype) if initial is None else held(initial, dtype, "initial")
