# SPDX-License-Identifier: Apache-2.0
# Folds of arrays and of expressions over arrays; the docstrings state error bounds for floats.
"""``pm.reduce`` and ``pm.transform_reduce``, of whole arrays or along axes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias, overload

import numpy as np
from numpy.typing import DTypeLike, NDArray

from pointsman.algorithm import _axis, _device, _device_axis, _device_plain, _host
from pointsman.algorithm._arrays import Output, Values, values_of
from pointsman.algorithm._device_plain import queue_for
from pointsman.algorithm._expression import IDENTITY, DType, Expression, where_selected
from pointsman.algorithm._folded_function import FunctionOperation, reduction_of
from pointsman.algorithm._function import Function, expression_of
from pointsman.algorithm._operands import of_shape, operands_of
from pointsman.algorithm._operation import Operation
from pointsman.algorithm._plain import operands_for, readable
from pointsman.algorithm._plain_fold import fold_at_once, fold_plain, may_select, with_kept
from pointsman.algorithm._plan import Plan, run_under
from pointsman.algorithm._scalars import held
from pointsman.algorithm._types import Array, F
from pointsman.execution import ExecutionPolicy, HostPolicy
from pointsman.opencl import Queue

Axis: TypeAlias = "int | tuple[int, ...] | None"


@overload
def reduce(
    policy: ExecutionPolicy,
    a: NDArray[F],
    op: Any = "+",
    initial: Any = None,
    *,
    dtype: None = None,
    axis: None = None,
    keepdims: Literal[False] = False,
    where: Array | None = None,
) -> F: ...
@overload
def reduce(
    policy: ExecutionPolicy,
    a: Array,
    op: Any = "+",
    initial: Any = None,
    *,
    dtype: DTypeLike | None = None,
    axis: Axis = None,
    keepdims: bool = False,
    where: Array | None = None,
) -> Any: ...
def reduce(
    policy: ExecutionPolicy,
    a: Any,
    op: Any = "+",
    initial: Any = None,
    *,
    dtype: DTypeLike | None = None,
    axis: Axis = None,
    keepdims: bool = False,
    where: Array | None = None,
) -> Any:
    """Return the values of ``a`` folded by ``op``: "+", "*", "min" or "max", NumPy's ufunc for one
    of these, or an associative and commutative function of two values.

    op: a function is written as for ``pm.transform``, and the values are converted to the type that
        it returns for two of them. TypeError if it returns another type for two values of that
        type; ValueError if folds of 1, 2 and 3, or of True and False, depend on the order.
    initial: folded in as one more value; "min", "max" and functions of no values need it.
        ValueError if the result type cannot hold it, such as 0.5 for integers.
    dtype: the type to which the values are converted before they are folded, an integer or float
        type; by default that of NumPy's ``ufunc.reduce``, which adds small integers in 64 bits.
        The result has it.
    axis: the axis, or a tuple of axes, along which the values are folded; by default all. The
        result is then an array of the shape of ``a`` without these axes, or, if an axis is left, a
        new buffer under a device policy for a ``pm.opencl.Buffer``. Devices fold along axes that
        follow each other; TypeError for others under a device policy.
    keepdims: True if the folded axes stay, with the length 1.
    where: bools, or a buffer of uint8, that fit the shape of ``a``: only values at True are folded.
        "min" and "max" need ``initial``, as in NumPy, and a ``dtype`` must be the type of their
        values. TypeError for a function.

    Integer results equal NumPy's bit for bit. The error of a sum of n floats of one sign is at most
    (2 log2(n) + 64) units in the last place on the host, (n / 65,536 + 1,300) on a device; along
    axes that are not the last ones, it is at most n on the host, as NumPy's. A device folds float16
    in float32 and rounds once at the end.
    """
    is_named = axis is None or type(axis) is int or type(axis) is tuple
    if is_named and initial is None and dtype is None and where is None:
        if (folds := fold_at_once(policy, a, op, axis, bool(keepdims))) is not None:
            return folds
    if given := readable(policy, a, where):
        host, array, selection = given
        axes = _axis.valid_axes(axis, array.ndim)
        if axis is None or axes is not None:
            operation = reduction_of(op)
            if selection is None or may_select(operation, selection):
                folded = fold_plain(host, operation, array, selection, initial, dtype, axes)
                return with_kept(folded, array.shape, axes) if keepdims else folded
    elif initial is None and dtype is None and not keepdims and where is None:
        if queue := queue_for(policy, a):
            operation = reduction_of(op)
            if axis is None:
                folded = _device_plain.reduce(queue, operation, IDENTITY, [a])
            else:
                folded = _device_plain.reduce_along(queue, operation, a, axis)
            if folded is not None:
                return folded
    fold = _Fold("reduce", op, initial, dtype, axis, bool(keepdims), where)
    return fold.under(policy, IDENTITY, [values_of(a)])


def transform_reduce(
    policy: ExecutionPolicy,
    f: Function,
    a: Array,
    b: Array | None = None,
    op: Any = "+",
    initial: Any = None,
    *,
    dtype: DTypeLike | None = None,
    axis: Axis = None,
    keepdims: bool = False,
    where: Array | None = None,
) -> Any:
    """Apply ``f`` as ``pm.transform`` does and return the results folded as ``pm.reduce`` does.

    ``f`` is applied to all values, also where ``where`` is False.

    An inner product, and the sum of the squares of each row:

    >>> a, b = np.array([1, 2, 3]), np.array([4, 5, 6])
    >>> int(pm.transform_reduce(pm.par, "x * y", a, b))
    32
    >>> pm.transform_reduce(pm.par, "x * x", np.array([[1, 2], [3, 4]]), axis=1).tolist()
    [5, 25]
    """
    is_simple = initial is None and dtype is None and where is None and not keepdims
    if is_simple and (given := operands_for(policy, f, a, b)):
        host, typed, arrays = given
        if axis is None:
            return _host.reduce(host, reduction_of(op), typed.expression, arrays, {})
        if (axes := _axis.valid_axes(axis, arrays[0].ndim)) is not None:
            return _axis.reduce(host, reduction_of(op), typed.expression, arrays, axes, {})
    if is_simple and axis is None and (queue := queue_for(policy, a, b)):
        inputs: list[Any] = [a] if b is None else [a, b]
        expression_of_f = expression_of(f, len(inputs))
        folded = _device_plain.reduce(queue, reduction_of(op), expression_of_f, inputs)
        if folded is not None:
            return folded
    fold = _Fold("transform_reduce", op, initial, dtype, axis, bool(keepdims), where)
    return fold.under(policy, *operands_of(f, a, b))


@dataclass(frozen=True)
class _Fold:
    """What a call asks for, apart from the values."""

    name: str
    op: Any
    initial: Any
    dtype: DTypeLike | None
    axis: Axis
    keepdims: bool
    where: Any

    def under(self, policy: ExecutionPolicy, expression: Expression, inputs: list[Values]) -> Any:
        """Fold the expression's values."""
        operation = reduction_of(self.op)
        folded = expression.result_type(*(each.dtype for each in inputs))
        dtype = operation.reduced_type(folded, self.dtype)
        initial = self.initial
        options = {} if initial is None else {"initial": held(initial, dtype, "initial")}
        lengths = inputs[0].shape
        if self.where is not None:
            identity = self._identity(operation, folded, dtype)
            inputs = [*inputs, _selection(self.where, lengths)]
            expression = where_selected(expression, identity)
            options.setdefault("initial", dtype.type(identity))
        axes = _axis.axes_of(self.axis, len(lengths))
        shape = _axis.kept_shape(lengths, axes, self.keepdims)
        is_whole = len(axes) == len(lengths)
        is_function = isinstance(operation, FunctionOperation)

        def finished(value: Any) -> Any:
            return value if shape == () else np.reshape(value, shape)

        def on_host(chosen: HostPolicy) -> Any:
            asked = options | {"dtype": None if self.dtype is None else dtype}
            arrays = [each.on_host() for each in inputs]
            if is_whole:
                return finished(_host.reduce(chosen, operation, expression, arrays, asked))
            arrays = [each.reshape(lengths) for each in arrays]
            return finished(_axis.reduce(chosen, operation, expression, arrays, axes, asked))

        def on_device(queue: Queue) -> Any:
            if is_whole and not is_function:
                return finished(
                    _device.reduce(queue, operation, expression, inputs, dtype, **options)
                )
            if is_whole:
                flat = [replace(each, shape=(each.size,)) for each in inputs]
                folds = _device_axis.reduce(
                    queue, operation, expression, flat, (0,), dtype, (1,), **options
                )
                return finished(queue.read(folds).view(dtype)[0])
            results = _device_axis.reduce(
                queue, operation, expression, inputs, axes, dtype, shape, **options
            )
            stays = any(each.buffer is not None for each in inputs)
            return Output(None, shape, dtype).finish_device(queue, results, stays)

        kind = self.name, expression.kind, operation.name, dtype.char
        refused = "" if is_whole else _device_axis.obstacle(axes)
        if is_function:
            refused = refused or _device_axis.obstacle_to_fold(operation, dtype)
        plan = Plan(
            kind if is_whole else (*kind, axes, len(lengths)),
            expression,
            inputs,
            on_host,
            on_device,
            refused=refused,
        )
        return run_under(policy, plan)

    def _identity(self, operation: Operation, folded: DType, dtype: DType) -> Any:
        """What is folded instead of a value that is not selected; raises if there is nothing."""
        if isinstance(operation, FunctionOperation):
            raise TypeError(
                "a function has no identity for the values that `where` leaves out: fold the array "
                "that pm.copy_if returns"
            )
        if folded.kind not in ("biuf" if operation.ordered else "biufc"):
            raise TypeError(
                f"{operation.name!r} of selected values takes none of type {folded}: fold the "
                "array a[where]"
            )
        if operation.ordered and self.initial is None:
            raise ValueError(
                f"{operation.name!r} has no identity for an array without selected values: pass "
                "`initial` beside `where`"
            )
        if operation.ordered and folded.newbyteorder("=") != dtype:
            raise TypeError(
                f"`dtype` is {dtype}, and {operation.name!r} of selected values has the type of "
                f"the array, {folded}: convert the array with .astype()"
            )
        return operation.identity(folded)


def _selection(where: Any, shape: tuple[int, ...]) -> Values:
    """The truth values that select from an array of the shape."""
    given = values_of(where, "where")
    if given.dtype != (bool if given.buffer is None else np.uint8):
        raise TypeError(
            f"`where` has the type {given.dtype}: pass bools, such as a > 0, or a buffer of uint8"
        )
    if given.shape == shape:
        return given
    try:
        fits = np.broadcast_shapes(given.shape, shape) == shape
    except ValueError:
        fits = False
    if not fits:
        raise ValueError(
            f"`where` has the shape {given.shape}, which does not fit {shape}: pass one whose "
            "lengths, from the last dimension on, are equal or 1"
        )
    return of_shape(given, shape)
