# SPDX-License-Identifier: Apache-2.0
# Each result depends only on the input elements with the same index.
"""``pm.transform``, ``pm.fill`` and ``pm.copy``."""

from __future__ import annotations

from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from pointsman.algorithm import _device, _device_plain, _host
from pointsman.algorithm._arrays import Output, Values, values_of
from pointsman.algorithm._device_plain import queue_for, supports
from pointsman.algorithm._engine import opencl
from pointsman.algorithm._expression import CHUNK, IDENTITY, Expression
from pointsman.algorithm._function import Function, expression_of
from pointsman.algorithm._operands import operands_of
from pointsman.algorithm._plain import (
    are_apart,
    broadcast_size,
    flat,
    is_target,
    operands_for,
    plain,
)
from pointsman.algorithm._plan import Plan, run_under
from pointsman.algorithm._scalars import held
from pointsman.algorithm._types import Array, D, OnHost, Out
from pointsman.execution import ExecutionPolicy, HostPolicy
from pointsman.opencl import Buffer, Queue


@overload
def transform(
    policy: ExecutionPolicy, f: Function, a: Buffer, b: Array | None = None, out: None = None
) -> Buffer: ...
@overload
def transform(
    policy: ExecutionPolicy, f: Function, a: OnHost, b: Buffer, out: None = None
) -> Buffer: ...
@overload
def transform(
    policy: ExecutionPolicy, f: Function, a: OnHost, b: OnHost | None = None, out: None = None
) -> NDArray[Any]: ...
@overload
def transform(
    policy: ExecutionPolicy, f: Function, a: Array, b: Array | None = None, out: Out = ...
) -> Out: ...
def transform(policy: ExecutionPolicy, f: Function, a: Any, b: Any = None, out: Any = None) -> Any:
    """Return ``f(x)`` for each ``x`` of ``a``, or ``f(x, y)`` for each ``x`` of ``a`` and the ``y``
    of ``b`` with the same index, after both are broadcast to one shape as in NumPy.

    f: a string, such as ``"2*x + y"``, or a lambda, which is called once to trace it. Operators
        have NumPy's meaning: ``/`` gives floats, ``//`` floors, types are promoted. TypeError names
        an operation that cannot be traced. Integer constants of a string may have up to 1024 bits
        while they are folded, and up to 64 once combined with an array; OverflowError beyond.
    a, b: arrays, or objects that NumPy converts to arrays. TypeError for masked arrays and other
        array classes that redefine NumPy's operations. A number beside an array takes part as a
        constant of ``f``, for which a device compiles a kernel. An array of the host that is
        broadcast may be copied; ValueError for a ``pm.opencl.Buffer`` that would have to be.
    out: where to write the results; may be ``a`` or ``b`` itself. By default a new array, or under
        a device policy a new buffer if ``a`` or ``b`` is a ``pm.opencl.Buffer``.

    Integer results equal NumPy's bit for bit under every policy; so do floats on the host. A device
    adds, multiplies and compares exactly as the host does; functions such as ``exp`` may differ by
    a few units in the last place. float16 operations are computed in float32 and rounded, as in
    NumPy. Operations that NumPy does not define for the types of the values raise NumPy's error
    before anything runs, and so do integers to a constant negative power. Only the host reports the
    errors of ``numpy.errstate``, such as a division by zero.
    """
    if out is None and type(policy) is HostPolicy and (size := broadcast_size(a, b)):
        expression = expression_of(f, 2)
        if not policy.is_parallel or size < 2 * CHUNK:
            if expression.evaluate_both is not None:
                return expression.evaluate_both(a, b)
        return _host.broadcast(policy, expression, a, b, size)
    if given := operands_for(policy, f, a, b):
        host, (expression, dtype, _), arrays = given
        if out is None:
            return _host.transformed(host, expression, arrays, dtype)
        if is_target(out, arrays[0], dtype):
            if out.size <= expression.few:
                expression.values(arrays, out)
                return out
            if all(each is out or are_apart(out, each) for each in arrays):
                _host.transform(host, expression, arrays, out)
                return out
    elif queue := queue_for(policy, a, b, out):
        inputs = [a] if b is None else [a, b]
        written = _device_plain.transform(queue, expression_of(f, len(inputs)), inputs, out)
        if written is not None:
            return written
    return _write("transform", policy, *operands_of(f, a, b), out)


@overload
def copy(policy: ExecutionPolicy, a: Buffer, out: None = None) -> Buffer: ...
@overload
def copy(policy: ExecutionPolicy, a: NDArray[D], out: None = None) -> NDArray[D]: ...
@overload
def copy(policy: ExecutionPolicy, a: OnHost, out: None = None) -> NDArray[Any]: ...
@overload
def copy(policy: ExecutionPolicy, a: Array, out: Out) -> Out: ...
def copy(policy: ExecutionPolicy, a: Any, out: Any = None) -> Any:
    """Return the values of ``a`` in a new array, or write them to ``out``."""
    if given := plain(policy, a):
        if out is None:
            if _host.is_for_one_thread(given[0], a.size):
                return a.copy()
            return _host.transformed(given[0], IDENTITY, [a], a.dtype)
        if is_target(out, a, a.dtype) and are_apart(out, a):
            if _host.is_for_one_thread(given[0], a.size):
                np.copyto(out, a)
            else:
                _host.transform(given[0], IDENTITY, [a], out)
            return out
    if queue := queue_for(policy, a, None, out):
        written = _device_plain.transform(queue, IDENTITY, [a], out)
        if written is not None:
            return written
    return _write("copy", policy, IDENTITY, [values_of(a)], out)


def fill(policy: ExecutionPolicy, out: Out, value: complex) -> Out:
    """Write ``value`` to every element of ``out`` and return ``out``.

    Raises ValueError if the type of ``out`` cannot hold the value, such as 0.5 for integers.
    """
    if (given := plain(policy, out)) and given[1].flags.writeable:
        _host.fill(given[0], flat(given[1]), held(value, given[1].dtype, "value"))
        return out
    buffer: Any = out
    if (queue := queue_for(policy, buffer)) and supports(buffer.dtype):
        _device.fill(queue, buffer, held(value, buffer.dtype, "value"))
        opencl.await_commands(queue)
        return out
    values = values_of(out, "out")
    output = Output(out, values.shape, values.dtype)
    number = held(value, values.dtype, "value")

    def on_host(chosen: HostPolicy) -> Any:
        results = output.host([])
        _host.fill(chosen, results, number)
        return output.finish_host(results)

    def on_device(queue: Queue) -> Any:
        buffer = output.device(queue, stays=False)
        _device.fill(queue, buffer, number)
        return output.finish_device(queue, buffer, stays=False)

    filled: Out = run_under(policy, Plan("fill", IDENTITY, [values], on_host, on_device))
    return filled


def _write(
    name: str, policy: ExecutionPolicy, expression: Expression, inputs: list[Values], out: Any
) -> Any:
    dtype = expression.result_type(*(each.dtype for each in inputs))
    output = Output(out, inputs[0].shape, dtype)
    stays = any(each.buffer is not None for each in inputs)

    def on_host(chosen: HostPolicy) -> Any:
        results = output.host(inputs)
        _host.transform(chosen, expression, [each.on_host() for each in inputs], results)
        return output.finish_host(results)

    def on_device(queue: Queue) -> Any:
        buffer = output.device(queue, stays)
        source = inputs[0].buffer
        is_copy = expression is IDENTITY and buffer.dtype == dtype
        if is_copy and source is not None and source is not buffer:
            _device.copy(queue, source, buffer)
        else:
            _device.transform(queue, expression, inputs, buffer)
        return output.finish_device(queue, buffer, stays)

    return run_under(
        policy, Plan((name, expression.kind), expression, inputs, on_host, on_device, out)
    )
