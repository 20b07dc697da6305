# SPDX-License-Identifier: Apache-2.0
# Prefix sums, and prefix folds by other operations such as "*" and "max".
"""``pm.inclusive_scan`` and ``pm.exclusive_scan``."""

from __future__ import annotations

from typing import Any, overload

import numpy as np
from numpy.typing import DTypeLike, NDArray

from pointsman.algorithm import _device_native, _host
from pointsman.algorithm._arrays import Output, values_of
from pointsman.algorithm._expression import IDENTITY, DType
from pointsman.algorithm._operation import Operation, operation_of
from pointsman.algorithm._plain import is_target, plain
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
) -> Out: ...
def inclusive_scan(
    policy: ExecutionPolicy,
    a: Any,
    op: Any = "+",
    initial: Any = None,
    out: Any = None,
    *,
    dtype: DTypeLike | None = None,
) -> Any:
    """Return, for each value of ``a``, the fold by ``op`` of all values up to and including it.

    op, initial: as in ``pm.reduce``. out: as in ``pm.transform``.
    dtype: the type of the results, an integer or float type, to which the values are converted
        first; by default that of NumPy's ``ufunc.accumulate``, as for ``numpy.cumsum``.

    Integers equal NumPy's bit for bit, and so do floats under ``pm.seq`` and ``pm.unseq``. A device
    folds float16 in float32 and rounds each result once, whereas NumPy also rounds the running
    value.
    """
    return _scan("inclusive_scan", policy, a, op, initial, out, dtype)


@overload
def exclusive_scan(
    policy: ExecutionPolicy,
    a: Buffer,
    initial: Any = 0,
    op: Any = "+",
    out: None = None,
    *,
    dtype: DTypeLike | None = None,
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
) -> Out: ...
def exclusive_scan(
    policy: ExecutionPolicy,
    a: Any,
    initial: Any = 0,
    op: Any = "+",
    out: Any = None,
    *,
    dtype: DTypeLike | None = None,
) -> Any:
    """Return, for each value of ``a``, the fold by ``op`` of ``initial`` and all values before it.

    initial: as in ``pm.reduce``; None for the identity of ``op``, such as 1 for "*" and infinity
        for "min" of floats.
    dtype: as in ``pm.inclusive_scan``.
    """
    return _scan("exclusive_scan", policy, a, op, initial, out, dtype)


def _scan(
    name: str,
    policy: ExecutionPolicy,
    a: Any,
    op: Any,
    initial: Any,
    out: Any,
    given: DTypeLike | None,
) -> Any:
    if (on_plain := plain(policy, a)) and a.ndim == 1:
        operation = operation_of(op)
        dtype = operation.scanned_type(a.dtype, given)
        results = np.empty(a.shape, dtype) if out is None else out
        if out is None or (is_target(out, a, dtype) and not np.may_share_memory(out, a)):
            start = _start(operation, dtype, initial, name)
            _host.scan(on_plain[0], operation, a, results, start, name == "exclusive_scan")
            return results
    inputs = [values := values_of(a)]
    if len(values.shape) != 1:
        raise ValueError(f"the array has the shape {values.shape}: pass one of one dimension")
    operation = operation_of(op)
    dtype = operation.scanned_type(values.dtype, given)
    output = Output(out, values.shape, dtype)
    start = _start(operation, dtype, initial, name)
    stays = values.buffer is not None
    is_exclusive = name == "exclusive_scan"

    def on_host(chosen: HostPolicy) -> Any:
        results = output.host(inputs)
        _host.scan(chosen, operation, values.on_host(), results, start, is_exclusive)
        return output.finish_host(results)

    def on_device(queue: Queue) -> Any:
        buffer = output.device(queue, stays)
        _device_native.scan(queue, operation, values, buffer, start, is_exclusive)
        return output.finish_device(queue, buffer, stays)

    kind = name, operation.name, dtype.char
    return run_under(policy, Plan(kind, IDENTITY, inputs, on_host, on_device, out))


def _start(operation: Operation, dtype: DType, initial: Any, name: str) -> Any:
    """The initial value of the fold, of type ``dtype``; None if it starts with the first value."""
    if initial is not None:
        return held(initial, dtype, "initial")
    return operation.identity(dtype) if name == "exclusive_scan" else None
