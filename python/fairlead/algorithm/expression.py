# SPDX-License-Identifier: Apache-2.0
# Elementwise functions as sequences of NumPy's operations.
"""An ``Expression`` is what a lambda or a string becomes before it runs anywhere."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

DType = np.dtype[Any]

# What a step can be. `**` is not numpy.power: NumPy computes some powers in another way.
FUNCTIONS: dict[str, Callable[..., Any]] = {
    name: getattr(np, name)
    for name in (
        "add subtract multiply true_divide floor_divide remainder negative positive absolute "
        "minimum maximum less less_equal greater greater_equal equal not_equal "
        "bitwise_and bitwise_or bitwise_xor invert left_shift right_shift "
        "logical_and logical_or logical_not isnan isinf isfinite sign square "
        "sqrt cbrt exp exp2 expm1 log log2 log10 log1p sin cos tan arcsin arccos arctan arctan2 "
        "sinh cosh tanh hypot floor ceil trunc rint where"
    ).split()
}
FUNCTIONS["power"] = operator.pow


@dataclass(frozen=True)
class Place:
    """An operand that is an input or the result of a step: inputs count first."""

    index: int


Operand = Place | bool | int | float | np.generic


def text_of(operand: Operand) -> str:
    """Tells operands apart, numbers that are equal and of different types too."""
    if isinstance(operand, Place):
        return f"v{operand.index}"
    return f"{type(operand).__name__}({operand!r})"


@dataclass(frozen=True, eq=False)
class Step:
    """One operation, named as in ``FUNCTIONS``."""

    name: str
    operands: tuple[Operand, ...]

    @property
    def text(self) -> str:
        """Such as "add(v0, int(2))"."""
        return f"{self.name}({', '.join(map(text_of, self.operands))})"

    def apply(self, values: list[Any], out: Any = None) -> Any:
        """What comes of the ``values`` so far; in ``out`` where the operation can."""
        operands = [values[o.index] if isinstance(o, Place) else o for o in self.operands]
        function = FUNCTIONS[self.name]
        if out is not None and isinstance(function, np.ufunc):
            return function(*operands, out=out)
        return function(*operands)


class Expression:
    """A function of ``arity`` arrays, element by element, that NumPy can compute.

    result: a place, or a number where the function is constant.
    text: the same for the same function.
    """

    def __init__(self, arity: int, steps: Sequence[Step], result: Operand) -> None:
        self.arity = arity
        self.steps = tuple(steps)
        self.result = result
        self.text = "; ".join([*(step.text for step in self.steps), text_of(result)])
        self._types: dict[tuple[DType, ...], tuple[DType, ...]] = {}

    def evaluate(self, inputs: Sequence[Any], out: Any = None) -> Any:
        """The value for arrays of one length; ``out`` has the result's type and may be used."""
        values = self._values(inputs, out)
        return values[self.result.index] if isinstance(self.result, Place) else self.result

    def types(self, *inputs: DType) -> tuple[DType, ...]:
        """The types of the inputs and of each step's result, as NumPy has them."""
        known = self._types.get(inputs)
        if known is None:
            values = self._values([np.empty(0, dtype) for dtype in inputs], None)
            known = self._types[inputs] = tuple(np.asarray(value).dtype for value in values)
        return known

    def result_type(self, *inputs: DType) -> DType:
        """The type of the result."""
        types = self.types(*inputs)
        if isinstance(self.result, Place):
            return types[self.result.index]
        return np.asarray(self.result).dtype

    def _values(self, inputs: Sequence[Any], out: Any) -> list[Any]:
        values = list(inputs)
        for step in self.steps:
            is_result = self.result == Place(len(values))
            values.append(step.apply(values, out if is_result else None))
        return values


IDENTITY = Expression(1, (), Place(0))
