# SPDX-License-Identifier: Apache-2.0
# Folds the constants of an expression in a string, in bounded time.
"""Constant folding: "2**64 - 1" is computed while the string is parsed."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from pointsman.algorithm._scalars import plain

MOST_BITS = 1024  # of an intermediate integer: floats end at 2.0**1024
SHOWN_CHARACTERS = 60


def literal(value: Any) -> Any:
    """Return the value of a literal; OverflowError for an integer of more than ``MOST_BITS``."""
    if isinstance(value, int) and value.bit_length() > MOST_BITS:
        raise OverflowError(
            f"an integer of the expression has {value.bit_length()} bits, and they may have "
            f"{MOST_BITS}: write a float"
        )
    return value


def folded(operation: Callable[..., Any], node: ast.expr, *operands: Any) -> Any:
    """Apply the operation at ``node`` to the operands.

    Intermediate Python integers may have more bits than NumPy's, as in ``2**64 - 1``. Raises
    OverflowError for more than ``MOST_BITS`` and for floats that are too large, TypeError for
    complex numbers, and the errors of Python's operators.
    """
    is_numpys = isinstance(operation, np.ufunc) or operation is np.where
    if is_numpys or not all(type(each) in (bool, int, float) for each in operands):
        return _by_numpy(operation, node, *operands)
    if _bits(operation, *operands) > MOST_BITS:
        raise OverflowError(
            f"the constant {_text(node)} may have more than {MOST_BITS} bits: write a float"
        )
    try:
        value = operation(*operands)
    except (ArithmeticError, ValueError) as error:
        raise _uncomputable(node, error) from None
    if isinstance(value, complex):  # a root of a negative number
        raise TypeError(
            f"the constant {_text(node)} is {value}, a complex number: use real numbers"
        )
    return value


def _by_numpy(operation: Callable[..., Any], node: ast.expr, *operands: Any) -> Any:
    """Apply the operation to operands some of which may be NumPy's numbers or traced values."""
    try:
        return operation(*(plain(each) if type(each) is int else each for each in operands))
    except ValueError as error:  # an integer to the power of a negative one
        raise _uncomputable(node, error) from None


def _uncomputable(node: ast.expr, error: Exception) -> Exception:
    """Return an error of the same type that names the constant."""
    return type(error)(
        f"the constant {_text(node)} cannot be computed ({error}): write its value, such as inf or "
        "nan"
    )


def shortened(text: str) -> str:
    """The text, cut after ``SHOWN_CHARACTERS``."""
    return text if len(text) <= SHOWN_CHARACTERS else text[:SHOWN_CHARACTERS] + "..."


def _bits(operation: Callable[..., Any], *operands: Any) -> int:
    """An upper bound of the number of bits of the result; 0 unless all operands are integers."""
    if not all(isinstance(each, int) for each in operands):
        return 0
    sizes = [each.bit_length() for each in operands]
    if operation is operator.pow:
        return int(sizes[0] * max(operands[1], 1)) if abs(operands[0]) > 1 else sizes[0]
    if operation is operator.lshift:
        return int(sizes[0] + max(operands[1], 0))
    return sum(sizes) if operation is operator.mul else max(sizes)


def _text(node: ast.expr) -> str:
    return shortened(ast.unparse(node))
