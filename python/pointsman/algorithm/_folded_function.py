# SPDX-License-Identifier: Apache-2.0
# Folds by a user's function: NumPy's reduce has them for ufuncs only.
"""Reductions by a traced function of two values."""

from __future__ import annotations

import itertools
import math
import re
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from pointsman.algorithm._expression import DType, Expression
from pointsman.algorithm._function import expression_of
from pointsman.algorithm._fused import fused_exactly
from pointsman.algorithm._operation import Operation, operation_named, operation_of

_TRIED = (1, 2, 3)  # most functions that depend on the order show it with these values


def reduction_of(op: Any) -> Operation:
    """The operation that ``op`` names, or the fold by a function of two values.

    Raises TypeError for anything else, and as ``pm.transform`` does for the function.
    """
    if (known := operation_named(op)) is not None:
        return known
    if type(op) is np.ufunc:
        return _operation_by_ufunc(op)
    if callable(op) or (isinstance(op, str) and _reads_two(op)):
        return _operation_by(expression_of(op, 2))
    return operation_of(op, "NumPy's, or a function such as 'x + y - x*y'")


@lru_cache(maxsize=1024)
def _reads_two(text: str) -> bool:
    """Return True if the text contains the names of both values."""
    return all(re.search(rf"\b{name}\b", text) for name in "xy")


@lru_cache(maxsize=1024)
def _operation_by(expression: Expression) -> Operation:
    return FunctionOperation(expression.text, FoldedFunction(expression))


@lru_cache(maxsize=1024)
def _operation_by_ufunc(ufunc: np.ufunc) -> Operation:
    return _operation_by(expression_of(ufunc, 2))


class FoldedFunction:
    """A function of two values with the members of NumPy's ufuncs that folds use."""

    def __init__(self, expression: Expression) -> None:
        self.expression = expression
        self._types: dict[DType, DType] = {}
        self._checked: set[DType] = set()

    def __call__(
        self, a: NDArray[Any], b: NDArray[Any], out: NDArray[Any] | None = None
    ) -> NDArray[Any]:
        """Apply the function; ``out`` has the type of the result."""
        values: NDArray[Any] = self.expression.values([a, b], out)
        return values

    def folded_type(self, dtype: DType) -> DType:
        """The type to which values of type ``dtype`` are converted: that of the results.

        Raises TypeError if there is none, and ValueError if folds depend on the order of values.
        """
        known = self._types.get(dtype)
        if known is None:
            known = self.checked_type(self.expression.result_type(dtype, dtype))
            self._types[dtype] = known
        return known

    def checked_type(self, dtype: DType) -> DType:
        """``dtype``, if it is the type of the function of two such values; raises as
        ``folded_type``."""
        if dtype in self._checked:
            return dtype
        returned = self.expression.result_type(dtype, dtype)
        if returned != dtype:
            raise TypeError(
                f"the fold has the type {dtype}, of which the function makes {returned}: pass "
                f"dtype={str(returned)!r}, or a function that returns the type of its two values"
            )
        if dtype.kind in "biufc":
            self._check_order(dtype)
        self._checked.add(dtype)
        return dtype

    def reduce(
        self,
        values: NDArray[Any],
        axis: int | tuple[int, ...] = 0,
        dtype: DType | None = None,
        initial: Any = None,
    ) -> Any:
        """Fold the values as ``numpy.ufunc.reduce`` does, the first half with the second one and so
        on. ``axis`` is not negative."""
        folded = self.folded_type(values.dtype) if dtype is None else self.checked_type(dtype)
        if values.ndim == 1 and initial is None:
            program = fused_exactly(self.expression, folded, folded)
            if program is not None:
                is_converted = values.dtype is not folded
                result = program.fold(values.astype(folded) if is_converted else values)
                if result is not None:
                    return result
        axes = axis if isinstance(axis, tuple) else (axis,)
        others = [at for at in range(values.ndim) if at not in axes]
        shape = tuple(values.shape[at] for at in others)
        n = math.prod(values.shape[at] for at in axes)
        rows = values.transpose(*axes, *others).reshape(n, *shape).astype(folded, copy=False)
        if n == 0 and initial is None:
            raise ValueError("a fold of no values by a function has no identity: pass `initial`")
        if initial is not None:
            first = np.full((1, *shape), initial, folded)
            rows = first if n == 0 else self._with_first(first, rows)
        while len(rows) > 1:
            half = len(rows) // 2
            left = rows[half : len(rows) - half]  # a row if their number is odd
            rows = self(rows[:half], rows[len(rows) - half :])
            if len(left):
                rows = self._with_first(left, rows)
        return np.array(rows[0])[()]

    def _with_first(self, row: NDArray[Any], rows: NDArray[Any]) -> NDArray[Any]:
        return np.concatenate([self(row, rows[:1]), rows[1:]])

    def _check_order(self, dtype: DType) -> None:
        values = (False, True) if dtype.kind == "b" else _TRIED
        tried = np.array(list(itertools.product(values, repeat=3))).astype(dtype)
        a, b, c = tried.T
        with np.errstate(all="ignore"):
            pairs = [
                (
                    self(self(a, b), c),
                    self(a, self(b, c)),
                    "f({0}, {1}) and {2}",
                    "{0} and f({1}, {2})",
                ),
                (self(a, b), self(b, a), "{0} and {1}", "{1} and {0}"),
            ]
        for first, second, of_first, of_second in pairs:
            unlike = np.flatnonzero(~_are_alike(first, second))
            if unlike.size:
                at = unlike[0]
                orders = of_first.format(*tried[at]), of_second.format(*tried[at])
                raise ValueError(
                    f"folds by the function f depend on the order: of {orders[0]} it makes "
                    f"{first[at]}, of {orders[1]} {second[at]}; pass one that is associative and "
                    "commutative, or with pm.transform_reduce one that is applied to each value "
                    "first"
                )


class FunctionOperation(Operation):
    """The fold by a function, which has no identity."""

    ufunc: FoldedFunction

    def makes_arrays(self, expression: Expression) -> bool:
        """Return True: half of the values are folded with the other half."""
        return True

    @cached_property
    def expression(self) -> Expression:
        """The function."""
        return self.ufunc.expression

    def reduced_type(self, dtype: DType, given: DTypeLike | None = None) -> DType:
        """The type of folds, as in ``Operation``; raises as ``FoldedFunction.folded_type``."""
        if given is None:
            return self.ufunc.folded_type(dtype)
        return self.ufunc.checked_type(super().reduced_type(dtype, given))


def _are_alike(a: NDArray[Any], b: NDArray[Any]) -> Any:
    """True where the values are equal apart from rounding."""
    if a.dtype.kind in "biu":
        return a == b
    tolerance = 1e-2 if a.dtype == np.float16 else 1e-5
    return np.isclose(a, b, rtol=tolerance, atol=0, equal_nan=True)
