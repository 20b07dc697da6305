# SPDX-License-Identifier: Apache-2.0
# Algorithms that write a value to each place.
"""``pm.transform``, ``pm.fill`` and ``pm.copy``."""

from __future__ import annotations

from typing import Any

from pointsman.algorithm import _device, _host
from pointsman.algorithm._arrays import Output, Values, all_values_of, values_of
from pointsman.algorithm._expression import IDENTITY, Expression
from pointsman.algorithm._function import Function, expression_of
from pointsman.algorithm._plan import Plan, run_under
from pointsman.algorithm._scalars import held
from pointsman.execution import ExecutionPolicy, HostPolicy
from pointsman.opencl import Queue


def transform(policy: ExecutionPolicy, f: Function, a: Any, b: Any = None, out: Any = None) -> Any:
    """Return ``f(x)`` for each ``x`` of ``a``, or ``f(x, y)`` with the ``y`` of ``b`` beside it.

    f: a string, such as ``"2*x + y"``, or a lambda, which is called once to be traced. It means
        what NumPy means by it: ``/`` gives floats, ``//`` floors, types are promoted. TypeError
        names what cannot be traced. Integers of a string have at most 1024 bits on the way, those
        that meet an array 64: OverflowError names others.
    a, b: arrays, or what NumPy makes arrays of. TypeError for masked arrays, and for those of
        classes with operations of their own.
    out: where to write the results, which may be ``a`` or ``b`` itself; by default a new array, or
        under a device policy a new buffer where ``a`` is an ``pm.opencl.Buffer``.

    Integers come out bit for bit as NumPy has them, under every policy; so do floats on the host.
    A device adds, multiplies and compares as the host, and is off by a few units in the last place
    in functions such as ``exp``. Steps in float16 are computed in float32 and rounded, as in NumPy.
    What NumPy refuses for the types of the values is refused before anything runs, and so are
    powers of integers to a negative number. The errors of ``numpy.errstate``, such as a division by
    zero, are reported on the host alone.
    """
    inputs = all_values_of(a, b)
    return _write("transform", policy, expression_of(f, len(inputs)), inputs, out)


def copy(policy: ExecutionPolicy, a: Any, out: Any = None) -> Any:
    """Return the values of ``a`` in a new array, or write them to ``out``."""
    return _write("copy", policy, IDENTITY, all_values_of(a), out)


def fill(policy: ExecutionPolicy, out: Any, value: complex) -> Any:
    """Write ``value`` to every place of ``out``, and return it.

    Raises ValueError for a value that the type of ``out`` cannot hold, such as 0.5 among integers.
    """
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

    return run_under(policy, Plan("fill", IDENTITY, [values], on_host, on_device))


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
        policy, Plan((name, expression.text), expression, inputs, on_host, on_device, out)
    )
