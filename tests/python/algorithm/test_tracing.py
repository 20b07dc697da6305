# SPDX-License-Identifier: Apache-2.0
"""Constructs that cannot be traced are refused with their name and a remedy."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import pointsman as pm

x = np.arange(4.0)

UNTRACEABLE = {
    "if": (lambda v: v if v > 0 else -v, "`if`.*numpy.where"),
    "and": (lambda v: v > 0 and v < 1, "`and`.*&"),
    "not": (lambda v: not v, "`not`.*~"),
    "max": (lambda v: max(v, 0), "`max`.*numpy.maximum"),
    "chained": (lambda v: 0 < v < 1, "chained comparison"),
    "math": (lambda v: math.sin(v), "`math`.*numpy.sin"),
    "int": (lambda v: int(v), r"int\(\).*numpy.trunc"),
    "round": (lambda v: round(v), r"round\(\).*numpy.rint"),
    "floor": (lambda v: math.floor(v), r"math.floor\(\).*numpy.floor"),
    "loop": (lambda v: [each for each in v], "`for`"),
    "index": (lambda v: v[0], r"x\[...\].*one element"),
    "lookup": (lambda v: [1, 2, 3][v], "an index"),
    "in": (lambda v: 1 in v, "`in`.*=="),
    "attribute": (lambda v: v.real, "attribute .real"),
    "divmod": (lambda v: divmod(v, 2), r"divmod\(\).*//"),
    "reduction": (lambda v: np.add.reduce(v), "numpy.add.reduce"),
    "numpy": (lambda v: np.median(v), "numpy.median"),
    "text": (lambda v: f"{v}", "text"),
    "array": (lambda v: v + np.arange(3), "ndarray cannot be part"),
    "none": (lambda v: None, "NoneType cannot be part"),
}


@pytest.mark.parametrize("name", UNTRACEABLE)
def test_a_construct_that_cannot_be_traced_is_named(name):
    function, words = UNTRACEABLE[name]
    with pytest.raises(TypeError, match=words):
        pm.transform(pm.seq, function, x)


UNREADABLE = {
    "x if x > 0 else 1": "`if`.*where",
    "x > 0 and x < 1": "`and`.*&",
    "not x": "`not`.*~",
    "0 < x < 1": "chained comparison",
    "np.sqrt(x)": "sqrt",
    "x.real": r"`\.`",
    "x[0]": r"x\[...\]",
    "z + 1": "'z'.*called x",
    "open(x)": "'open'",
    "lambda v: v": "`lambda`",
    "'text'": "Constant",
}


@pytest.mark.parametrize("text", UNREADABLE)
def test_what_cannot_be_part_of_a_string_is_named(text):
    with pytest.raises(TypeError, match=UNREADABLE[text]):
        pm.transform(pm.seq, text, x)


UNFINISHED = {
    "2*": r"at column 3 of the expression '2\*'",
    " x +* y ": r"at column 4 of the expression 'x \+\* y'",
    "(x + 1": r"'\(' was never closed at column 1 of the expression '\(x \+ 1'",
    "": "at column 1 of the expression ''",
    "x = 1": "at column 3 of the expression 'x = 1'",
    "x\0": "null bytes.* the expression",
}


@pytest.mark.parametrize("text", UNFINISHED)
def test_a_string_that_python_cannot_read_is_a_syntax_error_with_its_position(policy, text):
    with pytest.raises(SyntaxError, match=UNFINISHED[text]):
        pm.transform(policy, text, x)


def test_a_syntax_error_has_the_position_that_tracebacks_show():
    with pytest.raises(SyntaxError) as caught:
        pm.copy_if(pm.par, "x > > 1", x)
    assert (caught.value.text, caught.value.lineno, caught.value.offset) == ("x > > 1", 1, 5)


def test_a_function_needs_a_parameter_for_each_array():
    with pytest.raises(TypeError, match="cannot be called with 2 values"):
        pm.transform(pm.seq, lambda a: a, x, x)
    with pytest.raises(TypeError, match="'y'.*called x"):
        pm.transform(pm.seq, "x + y", x)


def test_an_operation_that_is_unknown_is_named():
    with pytest.raises(TypeError, match="'-'.*'max'"):
        pm.reduce(pm.seq, x, "-")


@pytest.mark.parametrize("dtype", ["int8", "int32", "float16", "float32", "float64"])
@pytest.mark.parametrize("bounds", [(-2, 3), (-1.5, 2.5), (3, -2), (None, 2), (-1, None)], ids=str)
def test_numpys_clip_can_be_traced(policy, dtype, bounds):
    x = np.arange(-10, 10).astype(dtype)
    wanted = np.clip(x, *bounds)
    ours = pm.transform(policy, lambda v: np.clip(v, *bounds), x)
    assert ours.dtype == wanted.dtype
    np.testing.assert_array_equal(ours, wanted)
    if None not in bounds:
        text = f"clip(x, {bounds[0]}, {bounds[1]})"
        np.testing.assert_array_equal(pm.transform(policy, text, x), wanted)


def test_a_bound_of_clip_may_be_the_other_value(policy):
    x, y = np.arange(-10.0, 10), np.linspace(3, -3, 20)
    ours = pm.transform(policy, lambda a, b: np.clip(a, a_min=b, a_max=5), x, y)
    np.testing.assert_array_equal(ours, np.clip(x, y, 5))
    np.testing.assert_array_equal(pm.transform(policy, "clip(y, -1, x)", x, y), np.clip(y, -1, x))


@pytest.mark.parametrize(
    ("clip", "message"),
    [
        (lambda v: np.clip(v, 0, 1, out=None), "numpy.clip with out=.*numpy.minimum"),
        (lambda v: np.clip(2, 3, v), "numpy.clip of the number 2 .*numpy.minimum"),
        (lambda v: np.clip(v, None, None), "numpy.clip without bounds .*numpy.minimum"),
    ],
)
def test_a_clip_that_cannot_be_traced_is_refused(clip, message):
    with pytest.raises(TypeError, match=message):
        pm.transform(pm.seq, clip, np.ones(3))


@pytest.mark.parametrize("host", [pm.seq, pm.par])
@pytest.mark.parametrize("size", [5, 100_000, 5_000_000])
def test_a_step_that_the_result_does_not_need_is_left_out(host, size):
    a, b = np.arange(size) * 1.5, np.arange(size) - 7.0

    def first(v: Any, _w: Any = None) -> Any:
        v / 0
        return v

    def sum_(v: Any, w: Any) -> Any:
        doubled, added = 2 * v, v + w
        return [doubled, added * w, added][2]

    def number(v: Any) -> Any:
        v + 1
        return 3.0

    with np.errstate(all="raise"):
        np.testing.assert_array_equal(pm.transform(host, first, a), a)
        np.testing.assert_array_equal(pm.transform(host, first, a, b), a)
        np.testing.assert_array_equal(pm.transform(host, lambda v, w: [v * w, w][1], a, b), b)
        np.testing.assert_array_equal(pm.transform(host, sum_, a, b), a + b)
        np.testing.assert_array_equal(pm.transform(host, number, a), np.full(size, 3.0))
        kept = pm.copy_if(host, lambda v: [~v, v][1], a > 7)
        assert kept.size == np.count_nonzero(a > 7)


@pytest.mark.parametrize("host", [pm.seq, pm.par])
def test_a_value_of_another_traced_function_is_refused(host):
    pairs = np.array([10.0, 20.0])
    saved = []

    def inner(v: Any) -> Any:
        return pm.transform_reduce(host, lambda w: w - v, pairs)

    def keep(v: Any) -> Any:
        saved.append(v)
        return v + 1

    pm.transform(host, keep, x)
    for function in (inner, lambda v: v * saved[0], lambda v: np.hypot(v, saved[0])):
        with pytest.raises(TypeError, match="a value of another traced function.*pass an array"):
            pm.transform(host, function, x)
    with pytest.raises(TypeError, match="a value of another traced function"):
        pm.transform(host, lambda _: saved[0], x)
