# SPDX-License-Identifier: Apache-2.0
# Dispatches an algorithm's argument `f` to the parser or the tracer, and keeps what these made.
"""Converts strings and lambdas to expressions."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Hashable, Sequence
from functools import lru_cache
from types import CodeType, FunctionType
from typing import Any, TypeAlias

import numpy as np

from pointsman.algorithm._expression import Expression, text_of
from pointsman.algorithm._parsing import parse, parse_with
from pointsman.algorithm._tracing import trace, trace_with

Function: TypeAlias = str | Callable[..., Any]

MOST_KEPT = 1024  # expressions of functions
_kept: dict[Hashable, Expression] = {}


def expression_of(f: Function, arity: int) -> Expression:
    """Convert ``f`` to an expression of ``arity`` arrays.

    A function is not traced again if its code is the same and reads only the same numbers and
    NumPy's functions, as a lambda does that is written in a loop.
    """
    if type(f) is str:
        return parse(f, arity)
    if isinstance(f, str):
        return parse(str(f), arity)
    if type(f) is np.ufunc:
        return _kept_or_made((f, arity), lambda: trace(f, arity))
    if not callable(f):
        raise _no_function(f)
    read = what_it_reads(f) if type(f) is FunctionType else None
    if read is None:
        return _first_like(trace(f, arity))
    key = f.__code__, arity, read
    return _kept.get(key) or _kept_or_made(key, lambda: trace(f, arity))


def expression_with(f: Function, numbers: Sequence[Any]) -> Expression:
    """Convert ``f`` to an expression of the arrays among its arguments, whose ``kind`` does not
    depend on the numbers.

    numbers: for each argument its value, or None for an array.
    """
    identities = tuple(map(_identity, numbers))
    if isinstance(f, str):
        text = f if type(f) is str else str(f)
        return _kept.get((text, identities)) or _kept_or_made(
            (text, identities), lambda: _named(parse_with(text, numbers), text, numbers)
        )
    if not callable(f):
        raise _no_function(f)
    read = what_it_reads(f) if type(f) is FunctionType else None
    if read is None:
        return _first_like(trace_with(f, numbers))
    code = f.__code__
    return _kept_or_made(
        (code, identities, read), lambda: _named(trace_with(f, numbers), (code, read), numbers)
    )


def _identity(number: Any) -> Hashable:
    """What tells numbers of other types or values apart, or None for an array."""
    if number is None:
        return None
    if type(number) in NUMBERS and number == number:
        return type(number), number or str(number)  # -0.0 is not 0.0
    return text_of(number)


def _named(expression: Expression, name: Hashable, numbers: Sequence[Any]) -> Expression:
    expression.kind = name, tuple(type(each) for each in numbers)
    return expression


def _kept_or_made(key: Hashable, make: Callable[[], Expression]) -> Expression:
    known = _kept.get(key)
    if known is None:
        known = make()
        if len(_kept) >= MOST_KEPT:
            _kept.clear()
        _kept[key] = known
    return known


def _first_like(expression: Expression) -> Expression:
    """The kept expression with the same text, for which programs may have been made."""
    return _kept_or_made((expression.arity, expression.text), lambda: expression)


def _no_function(f: Any) -> TypeError:
    return TypeError(f"the function is {f!r}: pass a string such as '2*x + y', or a lambda")


def what_it_reads(f: FunctionType) -> tuple[Hashable, ...] | None:
    """The numbers and functions of NumPy that, besides its code, decide what ``f`` returns; None if
    it may read anything else."""
    code = f.__code__
    if f.__kwdefaults__ or f.__dict__ or _contains_code(code):
        return None
    if getattr(f, "__builtins__", None) is not builtins.__dict__:
        return None
    if not (code.co_names or f.__closure__ or f.__defaults__):
        return ()
    read = list(f.__defaults__ or ())
    for name in code.co_names:
        if name in f.__globals__:
            read.append(f.__globals__[name])
        elif not _is_of_numpy(name):
            return None
    try:
        read.extend([cell.cell_contents for cell in f.__closure__ or ()])
    except ValueError:  # an empty cell
        return None
    parts: list[Hashable] = []
    for each in read:
        if type(each) in NUMBERS and each == each:
            parts.append(_identity(each))
        elif each is np or each is np.where or type(each) is np.ufunc:
            parts.append(id(each))
        else:
            return None
    return tuple(parts)


NUMBERS = {
    bool,
    int,
    float,
    *(
        each
        for each in np.sctypeDict.values()
        if issubclass(each, (np.bool_, np.integer, np.floating))
    ),
} - {np.timedelta64}  # a subclass of np.signedinteger; durations of other units may be equal


@lru_cache(MOST_KEPT)
def _contains_code(code: CodeType) -> bool:
    """Return True if a function of the code defines functions, whose globals are not known."""
    return any(isinstance(each, CodeType) for each in code.co_consts)


@lru_cache(MOST_KEPT)
def _is_of_numpy(name: str) -> bool:
    """Return True if NumPy's attribute of the name is a number, a type of numbers or a function of
    values, as are the built-in functions of such names."""
    attribute = getattr(np, name, None)
    return (
        attribute is np.where
        or isinstance(attribute, (np.ufunc, float))
        or (isinstance(attribute, type) and attribute in NUMBERS)
    )
