# SPDX-License-Identifier: Apache-2.0
# Walks Python's syntax tree of a string and traces the operators that it finds.
"""Parsing: ``parse("2*x + y", 2)``. The string is never executed."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, NoReturn

import numpy as np

from pointsman.algorithm import _constants
from pointsman.algorithm._constants import shortened
from pointsman.algorithm._expression import FUNCTIONS, Expression
from pointsman.algorithm._tracing import trace_with

VARIABLES = ("x", "y")

_BINARY: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
}
_COMPARISONS: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}
_UNARY: dict[type[ast.unaryop], Callable[[Any], Any]] = {
    ast.UAdd: operator.pos,
    ast.USub: operator.neg,
    ast.Invert: operator.invert,
}
_CALLABLE: dict[str, Callable[..., Any]] = {
    **{name: function for name, function in FUNCTIONS.items() if name != "pow"},  # written **
    "abs": np.absolute,
    "mod": np.remainder,
    "clip": np.clip,
}
_NUMBERS = {"pi": np.pi, "e": np.e, "inf": np.inf, "nan": np.nan, "True": True, "False": False}
_REFUSED: dict[type[ast.AST], tuple[str, str]] = {
    ast.IfExp: ("`if`", "write where(condition, a, b)"),
    ast.BoolOp: ("`and` or `or`", "write & or |, with parentheses around comparisons"),
    ast.Not: ("`not`", "write ~"),
    ast.Attribute: ("`.`", "write NumPy's functions without a prefix: sqrt(x)"),
    ast.Lambda: ("`lambda`", "pass the lambda itself, or what it returns as a string"),
    ast.Subscript: ("x[...]", "write what happens to one element"),
}


@lru_cache(maxsize=1024)
def parse(text: str, arity: int) -> Expression:
    """Parse an expression in ``x`` and, if ``arity`` is two, ``y``; raises as ``parse_with``."""
    return parse_with(text, (None,) * arity)


def parse_with(text: str, numbers: Sequence[Any]) -> Expression:
    """Parse an expression in ``x`` and, for two ``numbers``, ``y``.

    numbers: for each of the names its value, or None for an array.

    Raises TypeError for unsupported constructs, SyntaxError, with the position, for text that
    Python cannot parse, OverflowError for constants that are too large, ZeroDivisionError and
    ValueError for constants that are not defined, and ValueError for expressions that nest too
    deeply.
    """
    names = VARIABLES[: len(numbers)]
    try:
        tree = _tree(text.strip())
        return trace_with(
            lambda *all: _value(tree.body, dict(zip(names, all, strict=True))), numbers
        )
    except (RecursionError, MemoryError):  # MemoryError: the parser's stack overflowed
        raise ValueError(
            f"the expression {shortened(text)!r} nests too deeply to be read: compute parts of it "
            "in calls of their own, or pass a lambda"
        ) from None


def _tree(text: str) -> ast.Expression:
    try:
        return ast.parse(f"{text}\n", mode="eval")  # errors at the end need a position
    except SyntaxError as error:
        line, column = error.lineno or 1, error.offset or 1
        end = (error.end_lineno, error.end_offset)
        raise SyntaxError(
            f"{error.msg} at column {column} of the expression {shortened(text)!r}: write one such "
            "as '2*x + y'",
            ("<expression>", line, column, (error.text or text).rstrip("\n"), *end),
        ) from None
    except ValueError as error:
        raise SyntaxError(f"{error} in the expression {shortened(text)!r}") from None


def _value(node: ast.AST, names: dict[str, Any]) -> Any:
    if isinstance(node, ast.Constant) and isinstance(node.value, (bool, int, float)):
        return _constants.literal(node.value)
    if isinstance(node, ast.Name):
        return _named(node.id, names)
    if isinstance(node, ast.BinOp) and type(node.op) in _BINARY:
        left, right = _value(node.left, names), _value(node.right, names)
        return _constants.folded(_BINARY[type(node.op)], node, left, right)
    if isinstance(node, ast.UnaryOp) and type(node.op) in _UNARY:
        return _constants.folded(_UNARY[type(node.op)], node, _value(node.operand, names))
    if isinstance(node, ast.Compare):
        return _comparison(node, names)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
        function = _function(node.func.id, len(node.args))
        arguments = [_value(argument, names) for argument in node.args]
        return _constants.folded(function, node, *arguments)
    return _refuse(node)


def _named(name: str, names: dict[str, Any]) -> Any:
    known = {**_NUMBERS, **names}
    if name not in known:
        what = " and ".join(names) if names else "no variable"
        raise TypeError(f"the expression uses {name!r}, and its arrays are called {what}")
    return known[name]


def _comparison(node: ast.Compare, names: dict[str, Any]) -> Any:
    if len(node.ops) > 1:
        raise TypeError("a chained comparison cannot be traced: write (0 < x) & (x < 1)")
    if type(node.ops[0]) not in _COMPARISONS:
        return _refuse(node.ops[0])
    compare = _COMPARISONS[type(node.ops[0])]
    left, right = _value(node.left, names), _value(node.comparators[0], names)
    return _constants.folded(compare, node, left, right)


def _function(name: str, given: int) -> Callable[..., Any]:
    if name not in _CALLABLE:
        raise TypeError(f"the expression calls {name!r}: use one of {', '.join(sorted(_CALLABLE))}")
    function = _CALLABLE[name]
    taken = function.nin if isinstance(function, np.ufunc) else 3  # numpy.where, numpy.clip
    if given != taken:
        raise TypeError(f"the expression calls {name!r} with {given} values: it takes {taken}")
    return function


def _refuse(node: ast.AST) -> NoReturn:
    if isinstance(node, ast.Call):
        node = node.func
    kind = node.op if isinstance(node, (ast.UnaryOp, ast.BoolOp, ast.BinOp)) else node
    name, remedy = _REFUSED.get(
        type(node), _REFUSED.get(type(kind), (type(kind).__name__, "write numbers and operators"))
    )
    raise TypeError(f"{name} cannot be part of an expression: {remedy}")
