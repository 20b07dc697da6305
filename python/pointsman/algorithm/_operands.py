# SPDX-License-Identifier: Apache-2.0
# NumPy's rules for operands: which of their types count, and how shapes are broadcast.
"""The arguments of a function of one or two operands as an expression and the arrays it reads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from pointsman.algorithm._arrays import Values, values_of
from pointsman.algorithm._expression import Expression
from pointsman.algorithm._function import Function, expression_of, expression_with
from pointsman.algorithm._scalars import is_number


def operands_of(f: Function, a: Any, b: Any = None) -> tuple[Expression, list[Values]]:
    """The expression of ``f`` and the arrays it reads, all of one shape.

    A number beside an array becomes a constant of the expression; arrays on the host are broadcast.
    Raises ValueError for shapes that do not fit, and for buffers that would have to be broadcast.
    """
    if b is None:
        return expression_of(f, 1), [values_of(a)]
    numbers: tuple[Any, ...] = _number_or_none(a), _number_or_none(b)
    if None not in numbers:  # of two, one is the constant if only its type does not count
        numbers = tuple(each if type(each) in (bool, int, float) else None for each in numbers)
    if (numbers[0] is None) != (numbers[1] is None):
        at = 0 if numbers[0] is None else 1
        return expression_with(f, numbers), [values_of((a, b)[at], "ab"[at])]
    if type(a) is complex:
        a = np.asarray(a, np.result_type(values_of(b, "b").dtype, a))
    if type(b) is complex:
        b = np.asarray(b, np.result_type(values_of(a).dtype, b))
    return expression_of(f, 2), broadcast([values_of(a), values_of(b, "b")])


def broadcast(inputs: Sequence[Values]) -> list[Values]:
    """The values with their common shape; copies arrays that have another one."""
    shapes = [each.shape for each in inputs]
    if shapes[0] == shapes[-1]:
        return list(inputs)
    try:
        shape = np.broadcast_shapes(*shapes)
    except ValueError:
        raise ValueError(
            f"the arrays have the shapes {shapes[0]} and {shapes[1]}, which do not fit: pass "
            "arrays whose lengths, from the last dimension on, are equal or 1"
        ) from None
    return [each if each.shape == shape else of_shape(each, shape) for each in inputs]


def of_shape(values: Values, shape: tuple[int, ...]) -> Values:
    """The values in a larger shape, copied; ValueError for a buffer."""
    if values.host is None:
        raise ValueError(
            f"a buffer of the shape {values.shape} would have to be broadcast to {shape}: pass a "
            "buffer of that shape, or an array of the host"
        )
    return values_of(np.broadcast_to(values.host.reshape(values.shape), shape))


def _number_or_none(operand: Any) -> Any:
    """A number as Python's or NumPy's scalar, also from an array without dimensions; else None."""
    if type(operand) is np.ndarray and operand.ndim == 0:
        operand = operand[()]
    return operand if is_number(operand) else None
