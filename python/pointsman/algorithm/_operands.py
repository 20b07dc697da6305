# SPDX-License-Identifier: Apache-2.0
# NumPy's rules for operands: numbers take the type of the arrays, and shapes are broadcast.
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
    given = [a] if b is None else [a, b]
    numbers = [_number_or_none(each) for each in given]
    if len(given) == 2 and numbers.count(None) == 1:
        at = numbers.index(None)
        return expression_with(f, numbers), [values_of(given[at], "ab"[at])]
    inputs = [values_of(each, name) for each, name in zip(given, "ab", strict=False)]
    return expression_of(f, len(inputs)), broadcast(inputs)


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
    return [each if each.shape == shape else _of_shape(each, shape) for each in inputs]


def _of_shape(values: Values, shape: tuple[int, ...]) -> Values:
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
