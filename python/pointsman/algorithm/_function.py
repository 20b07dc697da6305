# SPDX-License-Identifier: Apache-2.0
# Dispatches an algorithm's argument `f` to the parser or the tracer.
"""Converts strings and lambdas to expressions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from pointsman.algorithm._expression import Expression
from pointsman.algorithm._parsing import parse
from pointsman.algorithm._tracing import trace

Function: TypeAlias = str | Callable[..., Any]


def expression_of(f: Function, arity: int) -> Expression:
    """Convert ``f`` to an expression of ``arity`` arrays."""
    if isinstance(f, str):
        return parse(f, arity)
    if not callable(f):
        raise TypeError(f"the function is {f!r}: pass a string such as '2*x + y', or a lambda")
    return trace(f, arity)
