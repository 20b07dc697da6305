# SPDX-License-Identifier: Apache-2.0
"""Constants in functions: limits, identity, and positions on either side of an operator."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import pointsman as pm
from pointsman.algorithm import _expression
from pointsman.algorithm._tracing import trace

x = np.arange(5.0)


class Rounded(float):
    """A float whose repr has one decimal, and which converts to 0."""

    def __repr__(self) -> str:
        return f"{float.__float__(self):.1f}"

    def __float__(self) -> float:
        return 0.0


class Shown(int):
    """An integer whose repr and conversion give another number."""

    def __repr__(self) -> str:
        return "1"

    def __int__(self) -> int:
        return 1


class Precise(np.float64):
    """A NumPy number whose repr shows none of its digits."""

    def __repr__(self) -> str:
        return "0"


TOO_LARGE = {
    "9**9**9*x": r"the constant 9 \*\* 9 \*\* 9 may have more than 1024 bits",
    "(1<<10**11)*x": r"the constant 1 << 10 \*\* 11 may have more than 1024 bits",
    "(9**99)**99*x": r"the constant \(9 \*\* 99\) \*\* 99 may",
    "2**500*2**500*2**500*x": r"the constant .* may have more than 1024 bits",
    "10**400*x": r"the constant 10 \*\* 400 may have more than 1024 bits",
    "power(2, 10**25)*x": "the constant 10000000000000000000000000 has no type in NumPy",
    "(sign(3) + 1)**10**25*x": "the constant 10000000000000000000000000 has no type",
    "left_shift(1, 10**25)*x": "has no type in NumPy",
    "x + 2**70": "the constant 1180591620717411303424 has no type in NumPy, .*: write a float",
    "x >= 2**64": "the constant 18446744073709551616 has no type in NumPy",
    "10.0**400*x": r"the constant 10.0 \*\* 400 cannot be computed",
    f"0x{'f' * 1000}*x": "an integer of the expression has 4000 bits, and they may have 1024",
}


@pytest.mark.parametrize("text", TOO_LARGE)
def test_a_constant_that_is_too_large_is_named_with_the_limit(policy, text):
    with pytest.raises(OverflowError, match=TOO_LARGE[text]):
        pm.transform(policy, text, x)


WRONG = {
    "1/0*x": (ZeroDivisionError, "the constant 1 / 0 cannot be computed"),
    "(1 << -1)*x": (ValueError, "the constant 1 << -1 cannot be computed"),
    "(-8)**0.5*x": (TypeError, r"the constant .*8\) \*\* 0.5 is .*j\), a complex number"),
    "((-8)**0.5)/0*x": (TypeError, "a complex number: use real numbers"),
    "power(2, -1)*x": (ValueError, r"the constant power\(2, -1\) cannot be computed"),
    "sign(2)**-1*x": (ValueError, r"the constant sign\(2\) \*\* .*1\)? cannot be computed"),
}


@pytest.mark.parametrize("text", WRONG)
def test_a_constant_that_python_cannot_compute_is_named(policy, text):
    error, words = WRONG[text]
    with pytest.raises(error, match=words):
        pm.transform(policy, text, x)


def test_constants_within_the_limits_are_computed(policy):
    for text, value in {
        "2**64 - 1": 2**64 - 1,
        "2**70 // 2**10": 2**60,
        "2**-10**9": 0.0,
        "1 << 10": 1024,
        "-2**63": -(2**63),
        "9**9**0": 9,
        "sqrt(4)": 2.0,
    }.items():
        np.testing.assert_array_equal(pm.transform(policy, f"x*({text})", x), x * value)


@pytest.mark.parametrize(
    "text",
    ["-" * 50_000 + "x", "x" + "+x" * 50_000, "~" * 3_000 + "x", "abs(" * 150 + "x" + ")" * 150],
)
def test_an_expression_that_nests_too_deeply_says_so_or_is_computed(text):
    try:
        pm.transform(pm.seq, text, np.arange(5))
    except ValueError as error:
        assert "nests too deeply to be read" in str(error)
        assert len(str(error)) < 300


def test_parentheses_that_nest_too_deeply_are_a_syntax_error_of_one_line():
    with pytest.raises((SyntaxError, ValueError), match="too (many nested|deeply)") as caught:
        pm.transform(pm.seq, "(" * 5_000 + "x" + ")" * 5_000, x)
    assert len(str(caught.value)) < 300


def test_numbers_that_only_look_alike_are_different_constants(policy):
    tiny, less = Rounded(0.03), Rounded(0.01)
    np.testing.assert_array_equal(
        pm.transform(policy, lambda v: (v + tiny) * (v + less), x), (x + 0.03) * (x + 0.01)
    )
    five, three = Shown(5), Shown(3)
    whole = np.arange(5)
    np.testing.assert_array_equal(
        pm.transform(policy, lambda v: (v + five) * (v + three), whole), (whole + 5) * (whole + 3)
    )
    a, b = Precise(0.5), Precise(0.25)
    np.testing.assert_array_equal(
        pm.transform(policy, lambda v: (v + a) * (v + b), x), (x + 0.5) * (x + 0.25)
    )


def test_equal_numbers_of_other_types_and_signs_are_different_constants(policy):
    bits = np.arange(4, dtype=np.int8)
    for one in (1, True, 1.0, np.int8(1), np.float32(1), np.uint64(1), np.bool_(True)):
        assert pm.transform(policy, lambda v, n=one: v + n, bits).dtype == (bits + one).dtype
    text = "where(1/(x*0.0) > 0, 1, -1) + 10*where(1/(x*-0.0) > 0, 1, -1)"
    with np.errstate(divide="ignore"):
        assert (pm.transform(policy, text, x + 1) == -9).all()


def test_constants_are_distinguished_whatever_numpy_prints():
    def steps(*constants: Any) -> int:
        return len(trace(lambda v: sum((v + each for each in constants), v), 1).steps)

    many = [0.1, np.float32(0.1), np.float64(0.1), np.float16(0.1), -0.0, 0.0, 0, False]
    many += [np.nan, -np.nan, np.timedelta64(1, "Y"), np.timedelta64(1, "M"), 1, True, 1.0]
    assert steps(*many) == 2 * len(many)
    assert steps(np.nan, float("nan"), 2, 2) == 6
    with np.printoptions(legacy="1.13", precision=2):
        near = np.nextafter(np.float32(0.1), np.float32(1))
        assert steps(np.float32(0.1), near) == 4


SIDES = {
    "<": (lambda v, c: c < v, lambda v, c: v > c),
    "<=": (lambda v, c: c <= v, lambda v, c: v >= c),
    ">": (lambda v, c: c > v, lambda v, c: v < c),
    ">=": (lambda v, c: c >= v, lambda v, c: v <= c),
    "==": (lambda v, c: c == v, lambda v, c: v == c),
    "!=": (lambda v, c: c != v, lambda v, c: v != c),
    "+": (lambda v, c: c + v, lambda v, c: v + c),
    "*": (lambda v, c: c * v, lambda v, c: v * c),
}


@pytest.mark.parametrize("sign", SIDES)
def test_a_numpy_number_may_stand_on_either_side(policy, sign):
    left, right = SIDES[sign]
    for number in (x.mean(), np.float32(2), np.int64(2), np.uint8(2), np.array(2.0), 2):
        got = pm.transform(policy, lambda v, c=number: left(v, c), x)
        np.testing.assert_array_equal(got, left(x, number))
        np.testing.assert_array_equal(got, pm.transform(policy, lambda v, c=number: right(v, c), x))


def test_the_value_of_a_function_stands_on_either_side_in_a_string(policy):
    for text in ("sqrt(0.5) < x", "x > sqrt(0.5)", "where(2 > 1, sqrt(0.5), 9) < x"):
        np.testing.assert_array_equal(pm.transform(policy, text, x), x > np.sqrt(0.5))


def test_numpys_power_is_not_the_operator():
    values = np.random.default_rng(0).random(10_000)
    for exponent in (2, 2.0, 0.5, -1, 3):
        for policy in (pm.seq, pm.par):
            power = pm.transform(policy, lambda v, n=exponent: np.power(v, n), values)
            assert power.tobytes() == np.power(values, exponent).tobytes()
            operator = pm.transform(policy, lambda v, n=exponent: v**n, values)
            assert operator.tobytes() == (values**exponent).tobytes()
            text = pm.transform(policy, f"power(x, {exponent})", values)
            assert text.tobytes() == power.tobytes()


def test_numpys_error_callback_is_called_from_threads_too():
    calls: list[str] = []
    zeros = np.zeros(100_000)
    with np.errstate(divide="call", call=lambda kind, _flag: calls.append(kind)):
        pm.transform(pm.par, "1/x", zeros)
    assert set(calls) == {"divide by zero"}


def test_a_long_function_is_traced_in_proportion_to_its_length(monkeypatch):
    def steps(count: int) -> Any:
        def function(v: Any) -> Any:
            for each in range(count):
                v = v * 1.5 + each
            return v

        return function

    asked = []
    text_of = _expression.text_of
    monkeypatch.setattr(_expression, "text_of", lambda o: asked.append(o) or text_of(o))
    assert len(trace(steps(300), 1).steps) == 600
    assert len(asked) <= 5 * 600


def test_values_of_steps_are_kept_no_longer_than_a_step_needs_them(policy):
    def function(v: Any) -> Any:
        first = v + 1
        for _ in range(50):
            v = v * 0.5 + first
        return v - first

    np.testing.assert_allclose(pm.transform(policy, function, x), function(x), rtol=1e-15)
