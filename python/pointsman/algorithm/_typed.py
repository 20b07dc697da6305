# SPDX-License-Identifier: Apache-2.0
# NumPy takes longer to find the type of a constant than to compute with a hundred values.
"""Expressions for inputs of given types, in which constants have the types that NumPy computes in.

They are made once for an expression and the types of its inputs, and kept as long as that is.
"""

from __future__ import annotations

import numpy as np

from pointsman.algorithm._expression import FUNCTIONS, DType, Expression, Operand, Place, Step
from pointsman.algorithm._loops import NotFusableError, converted, loop_of

MOST_KEPT = 64  # combinations of types of an expression


class TypedExpression(Expression):
    """An expression for inputs of given types. dtype: the type of the results."""

    dtype: DType


def typed(expression: Expression, *types: DType) -> TypedExpression:
    """The expression for inputs of these types, with the same results and errors.

    Raises as ``Expression.types``.
    """
    known = expression.for_types.get(types)
    return _made(expression, types) if known is None else known


def _made(expression: Expression, types: tuple[DType, ...]) -> TypedExpression:
    all_types = expression.types(*types)
    steps = [
        _with_types(step, all_types, all_types[expression.arity + number])
        for number, step in enumerate(expression.steps)
    ]
    made = TypedExpression(expression.arity, steps, expression.result)
    if made.types(*types) != all_types:
        made = TypedExpression(expression.arity, expression.steps, expression.result)
    made.kind = expression.kind
    made.dtype = expression.result_type(*types)
    if len(expression.for_types) >= MOST_KEPT:
        expression.for_types.clear()
    expression.for_types[types] = made
    return made


def _with_types(step: Step, types: tuple[DType, ...], dtype: DType) -> Step:
    """The step with its constants in the types that NumPy's loop reads, if it has one for them."""
    function = FUNCTIONS[step.name]
    if not isinstance(function, np.ufunc):
        return step
    try:
        read = loop_of(function, step.operands, types, dtype)[1]
        operands: list[Operand] = [
            each if isinstance(each, Place) else converted(each, of)
            for each, of in zip(step.operands, read, strict=True)
        ]
    except NotFusableError:
        return step
    return Step(step.name, tuple(operands))
