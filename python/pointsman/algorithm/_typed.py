# SPDX-License-Identifier: Apache-2.0
# NumPy takes longer to find the type of a constant than to compute with a hundred values.
"""Expressions for inputs of given types, in which constants have the types that NumPy computes in.

They are kept as long as the expression for any types. They are made by its second call: a function
with another constant in each call is never called again.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pointsman.algorithm._expression import (
    FUNCTIONS,
    MOST_TYPES,
    DType,
    Expression,
    Operand,
    Place,
    Step,
)
from pointsman.algorithm._loops import NotFusableError, converted, loop_of


class Typed(NamedTuple):
    """An expression for inputs of given types, and the type of its values.

    is_final: False if the constants have the types that the caller gave them.
    """

    expression: Expression
    dtype: DType
    is_final: bool


def typed(expression: Expression, *types: DType) -> Typed:
    """The expression for inputs of these types, with the same results and errors.

    Raises as ``Expression.types``.
    """
    known: Typed | None = expression.for_types.get(types)
    if known is not None and known.is_final:
        return known
    return _kept(expression, types, is_first=known is None)


def _kept(expression: Expression, types: tuple[DType, ...], *, is_first: bool) -> Typed:
    made = expression if is_first else _with_types(expression, types)
    kept = Typed(made, expression.result_type(*types), not is_first)
    if len(expression.for_types) >= MOST_TYPES:
        expression.for_types.clear()
    expression.for_types[types] = kept
    return kept


def _with_types(expression: Expression, types: tuple[DType, ...]) -> Expression:
    """The expression with constants of the types that NumPy's loops read, or itself."""
    all_types = expression.types(*types)
    steps = [
        _step_with_types(step, all_types, all_types[expression.arity + number])
        for number, step in enumerate(expression.steps)
    ]
    if all(new is old for new, old in zip(steps, expression.steps, strict=True)):
        return expression
    made = Expression(expression.arity, steps, expression.result)
    made.kind = expression.kind
    return made if made.types(*types) == all_types else expression


def _step_with_types(step: Step, types: tuple[DType, ...], dtype: DType) -> Step:
    """The step with its constants in the types that NumPy's loop reads, if it has one for them."""
    function = FUNCTIONS[step.name]
    if all(isinstance(each, Place) for each in step.operands):
        return step
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
