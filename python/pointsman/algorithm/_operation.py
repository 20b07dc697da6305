# SPDX-License-Identifier: Apache-2.0
# The operations that reductions and scans support, with their result types and identities.
"""The associative operations ``+``, ``*``, ``min`` and ``max``."""

from __future__ import annotations

import builtins
import operator
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from pointsman.algorithm._expression import DType, Expression, Place, Step
from pointsman.algorithm._opencl_operations import C_TYPES

_FOLDED = dict.fromkeys(dtype for dtype in C_TYPES if dtype.kind != "b")


def _asked_type(given: DTypeLike) -> DType:
    asked = np.dtype(given)
    if asked not in _FOLDED:
        raise TypeError(f"`dtype` is {asked}: pass one of {', '.join(map(str, _FOLDED))}")
    return asked


@lru_cache(maxsize=1024)
def _type_returned(method: Callable[..., Any], dtype: DType) -> DType:
    if dtype.kind == "O":
        return dtype
    returned: DType = method(np.ones(1, dtype)).dtype
    return returned


@dataclass(frozen=True, eq=False)
class Operation:
    """An operation; ``ordered`` if it needs values that can be compared.

    There is one object for each: what is kept for an operation is found by its identity.
    """

    name: str
    ufunc: Any
    ordered: bool = False

    @cached_property
    def reduce(self) -> Callable[..., Any]:
        """The method of the ufunc, for whose search NumPy takes as long as for 300 values."""
        method: Callable[..., Any] = self.ufunc.reduce
        return method

    @cached_property
    def accumulate(self) -> Callable[..., Any]:
        """The method of the ufunc."""
        method: Callable[..., Any] = self.ufunc.accumulate
        return method

    @cached_property
    def expression(self) -> Expression:
        """The operation as an expression of two values."""
        return Expression(2, (Step(self.ufunc.__name__, (Place(0), Place(1))),), Place(2))

    def makes_arrays(self, expression: Expression) -> bool:
        """Return True if a fold of the expression's values makes arrays, which should stay in the
        cache, besides the results."""
        return bool(expression.steps)

    def reduced_type(self, dtype: DType, given: DTypeLike | None = None) -> DType:
        """The result type of a reduction of ``dtype``: NumPy adds small integers in 64 bits.

        given: the type that the caller asks for. Raises TypeError unless hosts and devices have it.
        """
        if given is None:
            return _type_returned(self.reduce, dtype)
        return _asked_type(given)

    def scanned_type(self, dtype: DType, given: DTypeLike | None = None) -> DType:
        """The result type of a scan of ``dtype``. given: as in ``reduced_type``."""
        if given is None:
            return _type_returned(self.accumulate, dtype)
        return _asked_type(given)

    def identity(self, dtype: DType) -> Any:
        """The identity element, such as 0 for ``+``; TypeError if the type has none."""
        if dtype.kind not in ("bfiu" if self.ordered else "bcfiu"):
            raise TypeError(
                f"{self.name!r} of values of type {dtype} begins with no value: pass `initial`"
            )
        if self.name in ("+", "*"):
            return dtype.type(0 if self.name == "+" else 1)
        is_min = self.name == "min"
        if dtype.kind == "f":
            return dtype.type(np.inf if is_min else -np.inf)
        if dtype.kind == "b":
            return dtype.type(is_min)
        limits = np.iinfo(dtype)
        return dtype.type(limits.max if is_min else limits.min)


_ALL = (
    Operation("+", np.add),
    Operation("*", np.multiply),
    Operation("min", np.minimum, ordered=True),
    Operation("max", np.maximum, ordered=True),
)
_BY_NAME: dict[Any, Operation] = {
    **{each.name: each for each in _ALL},
    **{each.ufunc: each for each in _ALL},
    operator.add: _ALL[0],
    operator.mul: _ALL[1],
    builtins.min: _ALL[2],
    builtins.max: _ALL[3],
}


def operation_named(op: Any) -> Operation | None:
    """The operation that ``op`` names, as in ``operation_of``; None if it names none."""
    try:
        return _BY_NAME.get(op)
    except TypeError:  # it has no hash
        return None


def operation_of(op: Any, others: str = "or NumPy's") -> Operation:
    """The operation that ``op`` names: "+", ``numpy.add`` or ``operator.add``, and so on.

    others: what else the caller may pass, for the TypeError.
    """
    if (known := operation_named(op)) is not None:
        return known
    names = ", ".join(repr(each.name) for each in _ALL)
    raise TypeError(f"the operation is {op!r}: pass one of {names}, {others}")
