# SPDX-License-Identifier: Apache-2.0
# The associative operations of reductions and scans.
"""``+``, ``*``, ``min`` and ``max``, as NumPy and as OpenCL C have them."""

from __future__ import annotations

import builtins
import operator
from dataclasses import dataclass
from typing import Any

import numpy as np

from fairlead.algorithm.expression import DType


@dataclass(frozen=True)
class Operation:
    """One of them. ``opencl`` is an expression in ``a`` and ``b``."""

    name: str
    ufunc: np.ufunc
    opencl: str

    def reduced_type(self, dtype: DType) -> DType:
        """The type of a reduction of such values: NumPy adds small integers as 64-bit ones."""
        reduced: DType = self.ufunc.reduce(np.ones(1, dtype)).dtype
        return reduced

    def scanned_type(self, dtype: DType) -> DType:
        """The type of a scan."""
        scanned: DType = self.ufunc.accumulate(np.ones(1, dtype)).dtype
        return scanned

    def identity(self, dtype: DType) -> Any:
        """The value that changes no other."""
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
    Operation("+", np.add, "(a) + (b)"),
    Operation("*", np.multiply, "(a) * (b)"),
    # As NumPy, which passes NaN on: it differs from itself.
    Operation("min", np.minimum, "((a) <= (b) || (a) != (a)) ? (a) : (b)"),
    Operation("max", np.maximum, "((a) >= (b) || (a) != (a)) ? (a) : (b)"),
)
_BY_NAME: dict[Any, Operation] = {
    **{each.name: each for each in _ALL},
    **{each.ufunc: each for each in _ALL},
    operator.add: _ALL[0],
    operator.mul: _ALL[1],
    builtins.min: _ALL[2],
    builtins.max: _ALL[3],
}


def operation_of(op: Any) -> Operation:
    """The operation that ``op`` names: "+", ``numpy.add`` or ``operator.add``, and so on."""
    try:
        return _BY_NAME[op]
    except (KeyError, TypeError):
        names = ", ".join(repr(each.name) for each in _ALL)
        raise TypeError(f"the operation is {op!r}: pass one of {names}, or NumPy's") from None
