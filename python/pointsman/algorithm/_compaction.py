# SPDX-License-Identifier: Apache-2.0
# Stream compaction: the kept values are written without gaps, in their original order.
"""``pm.copy_if`` and ``pm.unique``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from pointsman.algorithm import _device, _host
from pointsman.algorithm._arrays import (
    Output,
    Values,
    beginning_of,
    check_beginning,
    share_memory,
    values_of,
)
from pointsman.algorithm._device_selections import kept as kept_on_device
from pointsman.algorithm._expression import IDENTITY, Expression
from pointsman.algorithm._function import Function, expression_of
from pointsman.algorithm._plain import flat, operands_for, readable
from pointsman.algorithm._plan import Plan, run_under
from pointsman.algorithm._types import Array, D, HostMemory, OnHost
from pointsman.execution import ExecutionPolicy, HostPolicy
from pointsman.opencl import Buffer, Queue


@overload
def copy_if(
    policy: ExecutionPolicy, f: Function, a: Buffer, out: None = None
) -> Buffer | NDArray[Any]: ...
@overload
def copy_if(
    policy: ExecutionPolicy, f: Function, a: NDArray[D], out: None = None
) -> NDArray[D]: ...
@overload
def copy_if(policy: ExecutionPolicy, f: Function, a: OnHost, out: None = None) -> NDArray[Any]: ...
@overload
def copy_if(
    policy: ExecutionPolicy, f: Function, a: Array, out: Buffer
) -> Buffer | NDArray[Any]: ...
@overload
def copy_if(policy: ExecutionPolicy, f: Function, a: Array, out: NDArray[D]) -> NDArray[D]: ...
@overload
def copy_if(policy: ExecutionPolicy, f: Function, a: Array, out: HostMemory) -> NDArray[Any]: ...
def copy_if(policy: ExecutionPolicy, f: Function, a: Any, out: Any = None) -> Any:
    """Return the values of ``a``, in their order, for which the predicate ``f`` holds.

    f: see ``pm.transform``. a: of any shape, read as if flat.
    out: a one-dimensional array, or under a device policy a buffer, that is large enough for the
        kept values. The function then returns a view of its first elements. By default, the result
        is a new array, or a new buffer if ``a`` is a buffer.

    Equals NumPy's ``a[f(a)]``. If no value of a buffer is kept, returns an empty array, because
    OpenCL has no empty buffers. Raises ValueError if ``out`` is too small.
    """
    if out is None and (given := operands_for(policy, f, a, None)):
        host, typed, (array,) = given
        array = flat(array)
        return _host.keep(host, array, _host.holds(host, typed.expression, array, typed.dtype.kind))
    predicate = expression_of(f, 1)

    def holds(chosen: HostPolicy, array: NDArray[Any]) -> NDArray[Any]:
        kind = predicate.result_type(array.dtype).kind
        return _host.holds(chosen, predicate, array, kind)

    return _keep("copy_if", policy, values_of(a), predicate, holds, out)


@overload
def unique(policy: ExecutionPolicy, a: Buffer, out: None = None) -> Buffer | NDArray[Any]: ...
@overload
def unique(policy: ExecutionPolicy, a: NDArray[D], out: None = None) -> NDArray[D]: ...
@overload
def unique(policy: ExecutionPolicy, a: OnHost, out: None = None) -> NDArray[Any]: ...
@overload
def unique(policy: ExecutionPolicy, a: Array, out: Buffer) -> Buffer | NDArray[Any]: ...
@overload
def unique(policy: ExecutionPolicy, a: Array, out: NDArray[D]) -> NDArray[D]: ...
@overload
def unique(policy: ExecutionPolicy, a: Array, out: HostMemory) -> NDArray[Any]: ...
def unique(policy: ExecutionPolicy, a: Any, out: Any = None) -> Any:
    """Return the first value of each run of equal values of ``a``.

    out: as for ``pm.copy_if``.

    For sorted input the result equals that of ``numpy.unique``, except that every NaN is kept,
    because NaN does not equal itself.
    """
    if out is None and (given := readable(policy, a)):
        array = flat(given[1])
        return _host.keep(given[0], array, _begins_run(given[0], array))
    return _keep("unique", policy, values_of(a), None, _begins_run, out)


def _begins_run(policy: HostPolicy, array: NDArray[Any]) -> NDArray[Any]:
    """Whether each value differs from the one before it."""
    differs = np.empty(array.size, bool)
    differs[:1] = True

    def work(begin: int, end: int) -> None:
        first = max(begin, 1)
        values, before = array[first:end], array[first - 1 : end - 1]
        if array.dtype.kind == "V":  # no ufunc compares structures
            differs[first:end] = values != before
        else:
            np.not_equal(values, before, out=differs[first:end])

    _host.on_spans(policy, array.size, work, _host.LIGHT)
    return differs


def _keep(
    name: str,
    policy: ExecutionPolicy,
    values: Values,
    predicate: Expression | None,
    is_kept: Callable[[HostPolicy, NDArray[Any]], NDArray[Any]],
    out: Any,
) -> Any:
    stays = values.buffer is not None
    check_beginning(out, values.dtype)

    def on_host(chosen: HostPolicy) -> Any:
        array = values.on_host()
        kept = _host.keep(chosen, array, is_kept(chosen, array))
        return Output(beginning_of(out, kept.size), kept.shape, kept.dtype).finish_host(kept)

    def on_device(queue: Queue) -> Any:
        kept = kept_on_device(queue, values, predicate)
        output = Output(beginning_of(out, kept.size), (kept.size,), values.dtype)
        if kept.size == 0:
            return output.finish_host(np.empty(0, values.dtype))
        buffer = output.device(queue, stays)
        if share_memory(buffer, values.buffer):
            elsewhere = queue.empty(kept.size, values.dtype)
            kept.write(elsewhere)
            _device.transform(queue, IDENTITY, [values_of(elsewhere)], buffer)
        else:
            kept.write(buffer)
        return output.finish_device(queue, buffer, stays)

    expression = predicate or IDENTITY
    kind = name, expression.text
    return run_under(policy, Plan(kind, expression, [values], on_host, on_device, out))
