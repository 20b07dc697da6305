# SPDX-License-Identifier: Apache-2.0
# Programs call these loops themselves; constants in their types need no conversion at each call.
"""The loop of a NumPy function that NumPy would use for a step of an expression."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from pointsman.algorithm._expression import DType, Operand, Place


class NotFusableError(Exception):
    """NumPy has no loop for a step, or converts its operands."""


def loop_of(
    function: Any, operands: Sequence[Operand], types: Sequence[DType], dtype: DType
) -> tuple[int, list[DType]]:
    """The number of the loop that NumPy uses, and the types that it reads.

    types: those of the expression's inputs and results. dtype: that of the result.
    Raises NotFusableError.
    """
    given = [types[each.index] for each in operands if isinstance(each, Place)]
    constants = [each for each in operands if not isinstance(each, Place)]
    try:
        common = np.result_type(*given, *constants) if constants else None
    except TypeError:  # a constant that is a duration
        raise NotFusableError from None
    for index, signature in enumerate(function.types):
        read, returned = signature.split("->")
        loop_types = [np.dtype(each) for each in read]
        if np.dtype(returned) == dtype and all(
            of == (types[each.index] if isinstance(each, Place) else common)
            for each, of in zip(operands, loop_types, strict=True)
        ):
            return index, loop_types
    raise NotFusableError


def converted(constant: Operand, dtype: DType) -> np.generic:
    """The constant in the type that a loop reads; NotFusableError if that cannot hold it."""
    try:
        with np.errstate(all="raise"):
            number: np.generic = np.array([constant], dtype)[0]
            return number
    except (OverflowError, FloatingPointError):
        raise NotFusableError from None
