# SPDX-License-Identifier: Apache-2.0
# Numbers that users pass: constants of functions, initial values, fill values.
"""``plain`` converts to Python's and NumPy's own number types, ``held`` to an array's type."""

from __future__ import annotations

import cmath
import math
from functools import lru_cache
from numbers import Number
from typing import Any

import numpy as np

from pointsman.algorithm._expression import DType

MOST_BITS = 64  # the widest integer type of NumPy
_COMPLEX = (complex, np.complexfloating)
_INEXACT = (float, np.floating, *_COMPLEX)


def is_number(value: Any) -> bool:
    """Return True if ``value`` is a number that functions can compute with."""
    return isinstance(value, (bool, int, float, np.number, np.bool_))


def shown(value: Any) -> str:
    """The value as errors show it, without the digits of an integer that is too long to read."""
    if isinstance(value, int) and value.bit_length() > 2 * MOST_BITS:
        return f"an integer of {value.bit_length()} bits"
    return repr(value)


def plain(value: Any) -> Any:
    """Convert a number to Python's or NumPy's own type: a subclass may have another ``repr`` or
    convert to another value.

    Raises OverflowError for an integer that is too large for NumPy's integer types.
    """
    if isinstance(value, np.generic):
        own: Any = value if type(value) is value.dtype.type else np.asarray(value)[()]
        return own
    if isinstance(value, float):
        return float.__pos__(value)
    if isinstance(value, bool):
        return value
    whole = int.__pos__(value)
    if not -(2 ** (MOST_BITS - 1)) <= whole < 2**MOST_BITS:
        raise OverflowError(
            f"the constant {shown(whole)} has no type in NumPy, whose integers have {MOST_BITS} "
            "bits: write a float"
        )
    return whole


def held(value: Any, dtype: DType, name: str) -> Any:
    """Convert ``value`` to type ``dtype``; floats are rounded.

    Raises TypeError for anything but a number, and ValueError if the type cannot hold the number.
    """
    if type(value) is dtype.type and dtype.kind in "biufc":
        return value
    if type(value) is int or (type(value) is float and value):  # 0.0 and -0.0 are equal
        return _held_before(value, dtype, name)
    return _held(value, dtype, name)


def _held(value: Any, dtype: DType, name: str) -> Any:
    if type(value) is np.ndarray and value.ndim == 0:
        value = value[()]
    wrong: tuple[type, ...] = {"c": (), "m": _INEXACT, "M": _INEXACT}.get(dtype.kind, _COMPLEX)
    is_number = isinstance(value, (Number, np.bool_))
    if dtype.kind not in "biufc":  # dates, text and the like
        is_number = np.ndim(value) == 0 and not isinstance(value, np.ndarray)
    if not is_number or isinstance(value, wrong):
        raise TypeError(f"`{name}` is {shown(value)}, which is no number of type {dtype}: pass one")
    if dtype.kind not in "biufc":
        return np.full((), value, dtype)[()]
    try:
        with np.errstate(over="ignore"):
            number = _converted(value, dtype)
    except (ValueError, OverflowError):  # NaN or infinity to integer, huge integer to float
        number = None
    if number is None:
        raise ValueError(
            f"`{name}` is {shown(value)}, which {dtype} cannot hold: pass another value, or "
            "convert the array with .astype()"
        )
    return number


_held_before = lru_cache(maxsize=256, typed=True)(_held)


def _converted(value: Any, dtype: DType) -> Any:
    """The value converted to the type; None if the type cannot hold it."""
    if dtype.kind in "fc":
        number = dtype.type(value)
        is_finite = cmath.isfinite if dtype.kind == "c" else math.isfinite
        return number if np.isfinite(number) or not is_finite(value) else None
    whole = int(value)
    limits = np.iinfo(np.uint8 if dtype.kind == "b" else dtype)
    most = 1 if dtype.kind == "b" else limits.max
    return dtype.type(whole) if whole == value and limits.min <= whole <= most else None
