# SPDX-License-Identifier: Apache-2.0
# Any text as an expression of an algorithm: it is refused, or becomes OpenCL C of known words only.
"""Fuzz target: the parser of expressions and the kernel text made from them."""

from __future__ import annotations

import warnings

import kernel_text
import numpy as np
from fuzz_bytes import FuzzBytes

from pointsman.algorithm._expression import Expression
from pointsman.algorithm._fused import fused
from pointsman.algorithm._opencl_operations import C_TYPES
from pointsman.algorithm._opencl_text import obstacle_to, text_of
from pointsman.algorithm._parsing import parse
from pointsman.execution import seq

TYPES = (*C_TYPES, np.dtype("complex64"), np.dtype("datetime64[s]"), np.dtype("S3"))
REFUSALS = (TypeError, SyntaxError, OverflowError, ValueError)


def test_one_input(data: bytes) -> None:
    given = FuzzBytes(data)
    arity = 1 + given.number() % 2
    types = tuple(given.choice(TYPES) for _ in range(arity))
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            expression = parse.__wrapped__(given.text(), arity)
        except REFUSALS as refused:
            assert str(refused) and not isinstance(refused, UnicodeError)
            return
        except ZeroDivisionError as refused:
            assert str(refused).startswith("the constant ")
            return
        check(expression, types)


def check(expression: Expression, types: tuple[np.dtype, ...]) -> None:
    """Raise AssertionError unless the host computes the promised type and the text is sound."""
    try:
        expected = expression.result_type(*types)
    except REFUSALS:
        return
    if not obstacle_to.__wrapped__(expression, types):
        kernel_text.check(text_of.__wrapped__(expression, types))
    inputs = [np.ones(2, dtype) for dtype in types]
    try:
        value = np.asarray(expression.evaluate(*inputs))
    except ValueError:  # an integer to the power of a negative one
        return
    assert value.dtype == expected
    program = fused(expression, inputs)
    if program is not None and expression.steps:
        out = np.empty(2, expected)
        program.transform(seq, inputs, out)
        assert np.array_equal(out, value, equal_nan=value.dtype.kind in "fc")
