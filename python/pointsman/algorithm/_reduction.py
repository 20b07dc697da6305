# SPDX-License-Identifier: Apache-2.0
# Folds of arrays and of expressions over arrays; the docstrings state error bounds for floats.
"""``pm.reduce`` and ``pm.transform_reduce``."""

from __future__ import annotations

from typing import Any, overload

from numpy.typing import DTypeLike, NDArray

from pointsman.algorithm import _device, _host
from pointsman.algorithm._arrays import Values, all_values_of
from pointsman.algorithm._expression import IDENTITY, Expression
from pointsman.algorithm._function import Function, expression_of
from pointsman.algorithm._operation import operation_of
from pointsman.algorithm._plain import flat, on_flat, plain
from pointsman.algorithm._plan import Plan, run_under
from pointsman.algorithm._scalars import held
from pointsman.algorithm._types import Array, F
from pointsman.execution import ExecutionPolicy, HostPolicy
from pointsman.opencl import Queue


@overload
def reduce(
    policy: ExecutionPolicy,
    a: NDArray[F],
    op: Any = "+",
    initial: Any = None,
    *,
    dtype: None = None,
) -> F: ...
@overload
def reduce(
    policy: ExecutionPolicy,
    a: Array,
    op: Any = "+",
    initial: Any = None,
    *,
    dtype: DTypeLike | None = None,
) -> Any: ...
def reduce(
    policy: ExecutionPolicy,
    a: Any,
    op: Any = "+",
    initial: Any = None,
    *,
    dtype: DTypeLike | None = None,
) -> Any:
    """Return all values of ``a`` folded by ``op``: "+", "*", "min" or "max", or NumPy's ufunc.

    initial: folded in as one more value; "min" and "max" of no values need it, as in NumPy.
        ValueError if the result type cannot hold it, such as 0.5 for integers.
    dtype: the type to which the values are converted before they are folded, an integer or float
        type; by default that of NumPy's ``ufunc.reduce``, which adds small integers in 64 bits.
        The result has it.

    Integer results equal NumPy's bit for bit. The error of a sum of n floats of one sign is at most
    (2 log2(n) + 64) units in the last place on the host, (n / 65,536 + 1,300) on a device. A device
    folds float16 in float32 and rounds once at the end.
    """
    if initial is None and dtype is None and (given := plain(policy, a)):
        return _host.reduce(given[0], operation_of(op), IDENTITY, [flat(given[1])], {})
    return _fold("reduce", policy, IDENTITY, all_values_of(a), op, initial, dtype)


def transform_reduce(
    policy: ExecutionPolicy,
    f: Function,
    a: Array,
    b: Array | None = None,
    op: Any = "+",
    initial: Any = None,
    *,
    dtype: DTypeLike | None = None,
) -> Any:
    """Apply ``f`` as ``pm.transform`` does and return the results folded as ``pm.reduce`` does.

    An inner product:

    >>> a, b = np.array([1, 2, 3]), np.array([4, 5, 6])
    >>> int(pm.transform_reduce(pm.par, "x * y", a, b))
    32
    """
    if initial is None and dtype is None and (given := plain(policy, a, b)):
        expression, arrays, _ = on_flat(f, *given[1:])
        return _host.reduce(given[0], operation_of(op), expression, arrays, {})
    inputs = all_values_of(a, b)
    expression = expression_of(f, len(inputs))
    return _fold("transform_reduce", policy, expression, inputs, op, initial, dtype)


def _fold(
    name: str,
    policy: ExecutionPolicy,
    expression: Expression,
    inputs: list[Values],
    op: Any,
    initial: Any,
    given: DTypeLike | None,
) -> Any:
    operation = operation_of(op)
    folded = expression.result_type(*(each.dtype for each in inputs))
    dtype = operation.reduced_type(folded, given)
    options = {} if initial is None else {"initial": held(initial, dtype, "initial")}

    def on_host(chosen: HostPolicy) -> Any:
        arrays = [each.on_host() for each in inputs]
        asked = {"dtype": None if given is None else dtype}
        return _host.reduce(chosen, operation, expression, arrays, options | asked)

    def on_device(queue: Queue) -> Any:
        return _device.reduce(queue, operation, expression, inputs, dtype, **options)

    kind = name, expression.text, operation.name, dtype.char
    return run_under(policy, Plan(kind, expression, inputs, on_host, on_device))
