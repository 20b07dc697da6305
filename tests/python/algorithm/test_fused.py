# SPDX-License-Identifier: Apache-2.0
# Large arrays run through loops in blocks; NumPy computes the expected values.
"""Fused expressions equal NumPy's operations bit for bit, and report the same errors."""

from __future__ import annotations

import itertools
import threading
import warnings
from typing import Any

import numpy as np
import pytest
from algorithm.references import few_examples, with_one_nan
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import pointsman as pm
from pointsman import _algorithm
from pointsman.algorithm._function import expression_of
from pointsman.algorithm._fused import Fused, NotFusableError, fused, reported_errors

SIZE = 70_001  # more than a span, with a rest
SPECIAL = [0.0, -0.0, 1.0, -1.0, 0.5, np.inf, -np.inf, np.nan, -np.nan, 1e38, -1e-40, 3e-45]
TYPES = ["bool", "int8", "uint16", "int32", "int64", "uint64", "float16", "float32", "float64"]

EXPRESSIONS = [
    "2*x + y",
    "x * y - x / (y + 3)",
    "where(x < y, 2*x, x + y)",
    "where((x < y) & (y > 0), x, 7)",
    "where(x == y, 1, 0)",
    "sqrt(abs(x)) + exp(-abs(y) / 8)",
    "minimum(x, y) * maximum(x, 1)",
    "x // (y + 1) + x % 3",
    "x**2 + y**2",
    "x**y",
    "x**0.5",
    "x**3",
    "(x > 1) | (y < 1)",
    "~(x < y)",
    "floor(x / 3) - ceil(y / 3)",
    "sin(x) * cos(y) + arctan2(x, y)",
    "isnan(x) | isinf(y)",
    "((x + y) * (x - y) + (x + 1) * (y + 1)) / ((x + 2) * (y + 2) + 9)",
    "sign(x) + square(y)",
    "x + x + x + y",
    "where(x <= y, where(x > 1, y, 2), where(x != y, x, y))",
    "where(x >= 0.5, 1, x) + where(x >= 0.5, y, 2)",
    "where(x - 1 < y - x, x * y, -x)",
    "(x < y) ^ ~(y == 1) | (x > 2) & (y <= 0)",
    "where(x < y, x > 1, y > 1)",
]


def values(dtype: str, size: int, seed: int) -> Any:
    random = np.random.default_rng(seed)
    of = np.dtype(dtype)
    if of.kind != "f":
        low = 0 if of.kind in "ub" else -100
        return random.integers(low, 2 if of.kind == "b" else 100, size).astype(of)
    with np.errstate(over="ignore"):
        array = (random.standard_normal(size) * 10).astype(of)
        places = random.integers(0, size, size // 50)
        array[places] = random.choice(np.array(SPECIAL), places.size).astype(of)
    return array


def bits(array: Any) -> bytes:
    return with_one_nan(array).tobytes()


def messages(caught: Any) -> list[str]:
    """The warnings in order, each once: a step that an expression has twice is computed once."""
    return list(dict.fromkeys(str(each.message) for each in caught))


def of_numpy(text: str, x: Any, y: Any) -> Any:
    """The same expression, by NumPy, with the warnings of its operations."""
    names = {name: getattr(np, name) for name in dir(np) if not name.startswith("_")}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        value = eval(text, {**names, "abs": np.abs}, {"x": x, "y": y})
    return value, messages(caught)


def of_pointsman(text: str, policy: Any, *arrays: Any, **options: Any) -> Any:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        value = pm.transform(policy, text, *arrays, **options)
    return value, messages(caught)


@pytest.mark.parametrize("text", EXPRESSIONS)
@pytest.mark.parametrize("dtype", TYPES)
def test_values_and_warnings_are_those_of_numpy(text, dtype):
    x, y = values(dtype, SIZE, 1), values(dtype, SIZE, 2)
    try:
        expected, warned = of_numpy(text, x, y)
    except (TypeError, ValueError) as error:
        with pytest.raises(type(error)):
            pm.transform(pm.seq, text, x, y)
        return
    for policy in (pm.seq, pm.par):
        result, seen = of_pointsman(text, policy, x, y)
        assert result.dtype == expected.dtype
        assert bits(result) == bits(expected)
        assert seen == warned


@pytest.mark.parametrize("text", ["2*x + y", "where(x < y, x / y, y)", "x*x*x", "x / y"])
def test_an_input_can_be_overwritten(text):
    for place in "xy":
        x, y = values("float32", SIZE, 1), values("float32", SIZE, 2)
        expected, warned = of_numpy(text, x, y)
        result, seen = of_pointsman(text, pm.par, x, y, out={"x": x, "y": y}[place])
        assert result is {"x": x, "y": y}[place]
        assert bits(result) == bits(expected)
        assert seen == warned


def test_the_simplest_functions_call_nothing_of_numpy():
    simple = "x + y - x * y / (y + 2) + abs(-x) + square(y)"
    for text in (
        simple,
        "where(x < y, x, y) + where(x != y, 1, x)",
        "where((x > y) & ~(x <= y), x, y)",
    ):
        for dtype in ("float32", "float64"):
            assert Fused(expression_of(text, 2), (np.dtype(dtype),) * 2)._program.is_native
    assert not Fused(expression_of("sqrt(x) + y", 2), (np.dtype(float),) * 2)._program.is_native


COMPARISONS = ["<", "<=", ">", ">=", "==", "!="]
PARTS = ["y", "(x + 2)", "(y - x)", "(x * y)"]


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("left", PARTS)
@pytest.mark.parametrize("right", PARTS)
def test_one_loop_does_what_its_operands_need(left, right, dtype):
    if left == right:
        right = right.translate(str.maketrans("xy", "yx"))  # what is there twice is computed once
    texts = [f"{left} {each} {right}" for each in "+-*"]
    texts += [f"where(x {each} y, {left}, {right})" for each in COMPARISONS]
    x, y = (np.random.default_rng(seed).standard_normal(9000).astype(dtype) for seed in (1, 2))
    x[::7] = y[::7]
    x[::5] = np.abs(x[::5]) + 0.1
    for text in texts:
        expression = expression_of(text, 2)
        assert Fused(expression, (x.dtype, x.dtype))._program.loops == 1
        for at, number in [(0, 1), (8999, 3e38), (5, np.inf), (1500, np.nan), (8000, -np.inf)]:
            x[at] = number
            expected, warned = of_numpy(text, x, y)
            overwritten = x.copy()
            for first, out in ((x, None), (overwritten, overwritten)):
                result, seen = of_pointsman(text, pm.seq, first, y, out=out)
                assert bits(result) == bits(expected)
                assert seen == warned
        x[[5, 1500, 8000, 8999]] = 1


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("operator", "+-*")
def test_errors_of_values_that_are_not_chosen_are_reported(operator, dtype):
    great = np.finfo(dtype).max
    for size, before in itertools.product(range(9_000, 9_017), (1, 5, 8_000)):
        x = np.ones(size, dtype)
        y = np.full_like(x, 2)
        x[-before], y[-before] = -great, great if operator == "-" else -great / 2
        for text in (f"where(x < y, x, x {operator} y)", f"where(x < y, y {operator} x, y)"):
            for a, b in ((x, y), (-y, -x)):
                expected, warned = of_numpy(text, a, b)
                result, seen = of_pointsman(text, pm.seq, a, b)
                assert bits(result) == bits(expected)
                assert seen == warned


@pytest.mark.parametrize(
    ("text", "loops"),
    [
        ("2*x + y", 1),
        ("x + y + x + y", 2),
        ("(x + y) * (x - y) * (x * y)", 2),
        ("(x + y) * (x + y)", 2),  # the sum, which is computed once, is read twice
        ("where(x < y, 2*x, x + y)", 1),
        ("where(x + y < y, 2*x, x + y)", 2),
        ("(x + 1 < y) & (x * y > 2)", 5),
        ("-(x + y) + abs(x * y)", 5),
    ],
)
def test_a_loop_does_two_or_three_operations(text, loops):
    for dtype in (np.dtype(np.float32), np.dtype(np.float64)):
        assert Fused(expression_of(text, 2), (dtype, dtype))._program.loops == loops
        x, y = values(dtype.name, SIZE, 1), values(dtype.name, SIZE, 2)
        for a, b in ((x, y), (np.nan_to_num(x, posinf=1, neginf=2), np.nan_to_num(y))):
            expected, warned = of_numpy(text, a, b)
            result, seen = of_pointsman(text, pm.seq, a, b)
            assert bits(result) == bits(expected)
            assert seen == warned


@pytest.mark.parametrize("text", ["(x*y)*2 + (x-y)*x", "x*y + 1 - y + x"])
def test_errors_come_in_the_order_of_numpys_calls(text):
    x, y = np.ones(20_000, np.float32), np.ones(20_000, np.float32)
    x[[0, 9_000]], y[[0, 9_000]] = [3e38, np.inf], [3e38, 0]
    x[9_001], y[9_001] = np.inf, 0
    expected, warned = of_numpy(text, x, y)
    result, seen = of_pointsman(text, pm.seq, x, y)
    assert bits(result) == bits(expected)
    assert seen == warned

    def kinds_of(run: Any) -> list[str]:
        called: list[str] = []
        with np.errstate(all="call", call=lambda kind, flag: called.append(kind)):
            run()
        return called

    theirs = kinds_of(lambda: eval(text, {}, {"x": x, "y": y}))
    for policy in (pm.seq, pm.par):
        assert kinds_of(lambda policy=policy: pm.transform(policy, text, x, y)) == theirs


def test_most_expressions_of_one_type_are_fused():
    for dtype in ("float32", "float64"):
        types = (np.dtype(dtype),) * 2
        for text in EXPRESSIONS:
            if text not in ("x**0.5", "x**3"):
                Fused(expression_of(text, 2), types)


@pytest.mark.parametrize("text", ["x + 2.5", "x < 2.5", "x**0.5"])
def test_what_numpy_converts_is_left_to_numpy(text):
    expression = expression_of(text, 1)
    with pytest.raises(NotFusableError):
        Fused(expression, (np.dtype(np.int64),))
    assert fused(expression, [np.arange(9)]) is None
    x = np.arange(SIZE)
    assert pm.transform(pm.par, text, x).tobytes() == of_numpy(text, x, x)[0].tobytes()


@pytest.mark.parametrize("size", [1000, SIZE])
def test_every_byte_but_zero_is_true_in_an_array_of_bytes_viewed_as_bool(size):
    mask = np.tile(np.array([0, 1, 2, 128, 255], np.uint8), size // 5).view(bool)
    is_set = mask.view(np.uint8) != 0
    x = np.arange(mask.size, dtype=np.float32)
    for policy in (pm.seq, pm.par):
        chosen = pm.transform(policy, "where(y, x, -1)", x, mask)
        assert chosen.tolist() == np.where(is_set, x, -1).tolist()
        assert pm.count_if(policy, "x", mask) == np.count_nonzero(is_set)
        assert pm.find_if(policy, "x", mask) == 1
        assert pm.copy_if(policy, "x", mask).size == np.count_nonzero(is_set)


def test_arrays_that_are_not_aligned_are_left_to_numpy():
    x = np.zeros(4 * SIZE + 1, np.uint8)[1:].view(np.float32)
    x[:] = values("float32", SIZE, 1)
    x[~(np.abs(x) < 1e9)] = 1
    y = np.ones(SIZE, np.float32)
    program = fused(expression_of("2*x + y", 2), [x, y])
    assert program is not None
    assert not program.transform(pm.seq, [x, y], np.zeros_like(y))
    assert not program.transform(pm.seq, [y, y], x)
    less = fused(expression_of("x < y", 2), [x, y])
    assert less is not None and less.count(pm.seq, [x, y]) is None
    for policy in (pm.seq, pm.par):
        assert bits(pm.transform(policy, "2*x + y", x, y)) == bits(2 * x + y)
        assert pm.count_if(policy, "x < y", x, y) == np.count_nonzero(x < y)
        ours = pm.transform_reduce(policy, "x*y", x, y)
        assert abs(ours - np.add.reduce(x * y)) <= 1e-3 * np.add.reduce(np.abs(x))
        out = np.zeros(4 * SIZE + 1, np.uint8)[1:].view(np.float32)
        assert pm.transform(policy, "2*x + y", y, y, out=out) is out
        assert np.array_equal(out, 3 * y)


def test_constants_that_a_type_cannot_hold_are_left_to_numpy():
    x = np.ones(SIZE, np.float32)
    expected, warned = of_numpy("x * 1e300", x, x)
    for _ in range(2):  # the warning comes at each call
        result, seen = of_pointsman("x * 1e300", pm.par, x)
        assert bits(result) == bits(expected)
        assert seen == warned


def test_dates_are_left_to_numpy():
    x = np.arange(SIZE).astype("datetime64[s]")
    second = np.full(SIZE, 1, "timedelta64[s]")
    for policy in (pm.seq, pm.par):
        assert pm.transform(policy, "x - y", x, second).tolist() == (x - second).tolist()
        assert pm.count_if(policy, "x == x", x) == SIZE


@pytest.mark.parametrize("action", ["raise", "call", "ignore", "warn"])
def test_error_settings_of_the_caller_hold_in_all_threads(action):
    x, y = np.ones(SIZE), np.ones(SIZE)
    y[-5] = 0
    called: list[str] = []
    with np.errstate(divide=action, call=lambda kind, flag: called.append(kind)):
        if action == "raise":
            with pytest.raises(FloatingPointError, match="divide by zero encountered in"):
                pm.transform(pm.par, "x / y", x, y)
        elif action == "warn":
            with pytest.warns(RuntimeWarning, match="divide by zero encountered in"):
                pm.transform(pm.par, "x / y", x, y)
        else:
            result = pm.transform(pm.par, "x / y", x, y)
            assert np.flatnonzero(np.isinf(result)).tolist() == [SIZE - 5]
    assert called == (["divide by zero"] if action == "call" else [])


@pytest.mark.parametrize("dtype", ["float32", "float64", "int64", "uint64", "int32", "bool"])
def test_sums_and_counts_equal_those_of_numpy(policy, dtype):
    x, y = values(dtype, 200_003, 1), values(dtype, 200_003, 2)
    x, y = np.nan_to_num(x, posinf=2, neginf=1), np.nan_to_num(y, posinf=2, neginf=1)
    x[np.abs(x) > 1e9], y[np.abs(y) > 1e9] = 1, 1
    assert pm.count_if(policy, "x < y", x, y) == np.count_nonzero(x < y)
    for ours, theirs in [
        (pm.reduce(policy, x), np.add.reduce(x)),
        (pm.transform_reduce(policy, "x*y", x, y), np.add.reduce(x * y)),
    ]:
        assert ours.dtype == theirs.dtype
        if ours.dtype.kind == "f":
            size = np.add.reduce(np.abs(x.astype(float) * y)) + np.add.reduce(np.abs(x))
            assert abs(float(ours) - float(theirs)) <= 200 * np.finfo(ours.dtype).eps * size
        else:
            assert ours == theirs


@pytest.mark.parametrize(
    ("values_", "words"), [([1e308, 1e308], "overflow"), ([np.inf, -np.inf], "invalid")]
)
def test_a_sum_reports_its_errors_as_numpy_does(values_, words):
    x = np.zeros(SIZE)
    x[[1, 3]] = values_
    with pytest.warns(RuntimeWarning, match=f"{words}.* encountered in reduce"):
        ours = pm.reduce(pm.par, x)
    with np.errstate(all="ignore"):
        assert str(ours) == str(np.add.reduce(x))


@pytest.mark.parametrize("dtype", ["float32", "float64", "int64", "uint64"])
@pytest.mark.parametrize("initial", [None, 3])
def test_parallel_scans_equal_those_in_one_thread(dtype, initial):
    x = np.random.default_rng(4).integers(0, 5, 300_001).astype(dtype)
    for scan in (pm.inclusive_scan, pm.exclusive_scan):
        alone, shared = (scan(policy, x, initial=initial) for policy in (pm.seq, pm.par))
        assert alone.dtype == shared.dtype
        assert alone.tolist() == shared.tolist()  # sums of small integers are exact in floats


def test_a_parallel_scan_reports_its_errors_as_numpy_does():
    x = np.full(SIZE, 1e308)
    with pytest.warns(RuntimeWarning, match="overflow encountered in accumulate"):
        ours = pm.inclusive_scan(pm.par, x)
    assert np.isinf(ours[1:]).all()
    x[:] = 1
    x[5:7] = np.inf, -np.inf
    with pytest.warns(RuntimeWarning, match="invalid value encountered in accumulate"):
        ours = pm.inclusive_scan(pm.par, x)
    assert ours[:6].tolist() == [1, 2, 3, 4, 5, np.inf]
    assert np.isnan(ours[6:]).all()


@pytest.mark.parametrize("size", [300, 2_000, 20_000, SIZE])
@pytest.mark.parametrize("text", ["2*x + y", "where(x < y, 2*x, x + y)"])
def test_results_may_be_written_to_memory_that_overlaps_an_input(text, size):
    memory, y = values("float32", size + 1, 1), values("float32", size, 2)
    for to, of in [(slice(1, None), slice(0, -1)), (slice(0, -1), slice(1, None))]:
        written = memory.copy()
        expected, _ = of_numpy(text, written[of].copy(), y)
        of_pointsman(text, pm.par, written[of], y, out=written[to])
        assert bits(written[to]) == bits(expected)


@pytest.mark.parametrize("first", [0, 1])
def test_results_that_exceed_the_caches_equal_numpys(first):
    x, y = values("float32", 10_000_020, 1)[first:], values("float32", 10_000_020, 2)[first:]
    out = np.zeros_like(x, shape=x.size + first)[first:]
    expected, warned = of_numpy("x / y - 1", x, y)
    result, seen = of_pointsman("x / y - 1", pm.par, x, y, out=out)
    assert np.array_equal(result, expected, equal_nan=True)
    assert seen == warned


operands = st.sampled_from(["x", "y", "2", "0.5", "x", "y"])
texts = st.recursive(
    operands,
    lambda inner: st.one_of(
        st.tuples(st.sampled_from("+-*/"), inner, inner).map(lambda t: f"({t[1]} {t[0]} {t[2]})"),
        st.tuples(st.sampled_from(["minimum", "maximum", "hypot"]), inner, inner).map(
            lambda t: f"{t[0]}({t[1]}, {t[2]})"
        ),
        inner.map(lambda t: f"sqrt(abs({t}))"),
        st.tuples(inner, st.sampled_from(COMPARISONS), inner, inner).map(
            lambda t: f"where({t[0]} {t[1]} {t[2]}, {t[3]}, {t[0]})"
        ),
    ),
    max_leaves=12,
)


@settings(few_examples, max_examples=150)
@given(texts, st.sampled_from(["float32", "float64", "int32", "int64"]))
def test_random_expressions_equal_numpys(text, dtype):
    x, y = values(dtype, 33_000, 5), values(dtype, 33_000, 6)
    try:
        expected, warned = of_numpy(text, x, y)
    except ZeroDivisionError:  # of two constants
        with pytest.raises(ZeroDivisionError, match="cannot be computed"):
            pm.transform(pm.par, text, x, y)
        return
    expected = np.broadcast_to(expected, x.shape)
    result, seen = of_pointsman(text, pm.par, x, y)
    assert bits(result) == bits(expected.astype(result.dtype))
    assert seen == warned


simple_texts = st.recursive(
    operands,
    lambda inner: st.one_of(
        st.tuples(st.sampled_from("+-*/"), inner, inner).map(lambda t: f"({t[1]} {t[0]} {t[2]})"),
        inner.map(lambda t: f"square(-{t})"),
        st.tuples(
            inner, st.sampled_from(COMPARISONS), inner, st.sampled_from("&|^"), inner, inner
        ).map(lambda t: f"where(({t[0]} {t[1]} {t[2]}) {t[3]} ({t[4]} < {t[0]}), {t[5]}, {t[4]})"),
        st.tuples(inner, st.sampled_from(COMPARISONS), inner, inner).map(
            lambda t: f"where({t[0]} {t[1]} {t[2]}, {t[3]}, {t[0]})"
        ),
    ),
    max_leaves=10,
)


@settings(few_examples, max_examples=200)
@given(
    simple_texts,
    st.sampled_from(["float32", "float64", "int32", "int64"]),
    st.sampled_from([1, 255, 256, 257, 1000, 16_384, 16_400]),
    st.integers(0, 3),
)
def test_programs_of_loops_of_their_own_equal_numpy(text, dtype, size, first):
    x, y = values(dtype, size + 3, 7)[first:][:size], values(dtype, size + 3, 8)[first:][:size]
    try:
        expected, warned = of_numpy(text, x, y)
    except ZeroDivisionError:
        assume(False)
    expression = expression_of(text, 2)
    program = fused(expression, [x, y])
    assume(expression.steps and program is not None)
    copy = x.copy()
    for out, read in ((np.empty(size, program.dtype), x), (copy, copy)):
        if out.dtype == program.dtype:
            inputs = [read, y]
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                program.transform(pm.seq, inputs, out)
            assert bits(out) == bits(np.broadcast_to(expected, x.shape))
            assert messages(caught) == warned


@few_examples
@given(seed=st.integers(0, 2**32 - 1))
def test_errors_of_steps_and_of_their_sum_are_told_apart(seed):
    random = np.random.default_rng(seed)
    x, y = np.ones(SIZE), np.ones(SIZE)
    kinds = [(1e200, 1e200), (1e308, 1.0), (np.inf, 0.0), (np.inf, 1.0), (-np.inf, 1.0)]
    for number in random.integers(0, len(kinds), random.integers(0, 4)):
        at = random.integers(0, SIZE)
        x[at], y[at] = kinds[number]

    def reported(run: Any) -> tuple[set[str], Any]:
        with warnings.catch_warnings(record=True) as seen:
            warnings.simplefilter("always")
            result = run()
        words = {str(each.message) for each in seen}
        if not is_finite:  # whether a sum overflows before it is NaN depends on its order
            words = {each for each in words if "in reduce" not in each}
        return words, result

    with np.errstate(all="ignore"):
        is_finite = bool(np.isfinite(x * y).all())
    for text, of_numpy in (("x*y", lambda: x * y), ("x*y + y", lambda: x * y + y)):
        theirs, expected = reported(lambda of_numpy=of_numpy: np.add.reduce(of_numpy()))
        for policy in (pm.seq, pm.par):
            ours, result = reported(lambda p=policy, t=text: pm.transform_reduce(p, t, x, y))
            assert ours == theirs
            if is_finite:  # otherwise infinite sums of both signs may meet or not
                np.testing.assert_allclose(result, expected, rtol=1e-12)
        theirs, expected = reported(lambda of_numpy=of_numpy: np.count_nonzero(of_numpy() < 2))
        for policy in (pm.seq, pm.par):
            ours, result = reported(lambda p=policy, t=text: pm.count_if(p, f"{t} < 2", x, y))
            assert (ours, result) == (theirs, expected)


def test_the_error_settings_of_each_thread_are_read_when_they_change():
    def of_thread(found):
        with np.errstate(all="warn"):
            found.append(reported_errors())

    for _ in range(3):
        with np.errstate(all="ignore"):
            assert reported_errors() == reported_errors() == 0
            with np.errstate(over="raise", invalid="call"):
                assert reported_errors() == 2 + 8
                found: list[int] = []
                thread = threading.Thread(target=of_thread, args=(found,))
                thread.start()
                thread.join()
                assert found == [15]
                assert reported_errors() == 2 + 8
            old = np.seterr(divide="print", under="log")
            assert reported_errors() == 1 + 4
            np.seterr(**old)
            assert reported_errors() == 0
    with np.errstate(under="raise"), pytest.raises(FloatingPointError, match="underflow"):
        pm.transform(pm.seq, "x*y*x", np.full(SIZE, 1e-200), np.full(SIZE, 1e-200))


def test_a_program_without_steps_neither_transforms_nor_folds():
    program = _algorithm.make_program([8, 8], [])
    x, out = np.ones(9), np.empty(1)
    with pytest.raises(ValueError, match="the program has no steps: use the input"):
        program.transform([x, x], x.copy(), False, 0)
    with pytest.raises(ValueError, match="the program has no steps: use the input"):
        program.fold(x, out)
