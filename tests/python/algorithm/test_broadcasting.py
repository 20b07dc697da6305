# SPDX-License-Identifier: Apache-2.0
"""Operands take part as NumPy's do: numbers as constants, arrays of other shapes broadcast."""

from __future__ import annotations

import numpy as np
import pytest
from algorithm.references import assert_equal, assert_identical, few_examples
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import pointsman as pm
from pointsman.algorithm import _host
from pointsman.algorithm._function import expression_with
from pointsman.algorithm._operands import operands_of

NUMBERS = [2, -1, 0.5, True, np.float32(1.5), np.int8(3), np.array(7)]


def test_numbers_have_numpys_meaning(policy, dtype, values):
    for number in NUMBERS:
        x = values(33_000 if number == 2 else 3)
        try:
            expected = x * number + number
        except OverflowError:  # such as -1 for unsigned integers
            with pytest.raises(OverflowError):
                pm.transform(policy, "x * y + y", x, number)
            continue
        assert_equal(pm.transform(policy, "x * y + y", x, number), expected)
        assert_equal(pm.transform(policy, lambda a, b: b - a * a, number, x), x - number * number)
    assert pm.count_if(policy, "y * 2 > x", x, 1) == np.count_nonzero(2 > x)


def test_numbers_are_told_apart_by_type_and_sign():
    x = np.ones(3, np.int32)
    numpys = (np.float16(1), np.float32(0.0), np.float32(-0.0), np.float64(-0.0), np.bool_(True))
    for number in (1, 1.0, True, np.int8(1), 0.0, -0.0, *numpys):
        assert_identical(pm.transform(pm.seq, "y / x * y", x, number), number / x * number)
    for huge in (10**400, -(10**400)):
        with pytest.raises(OverflowError, match="an integer of 1329 bits has no type in NumPy"):
            pm.transform(pm.seq, "x + y", x, huge)


def test_durations_are_told_apart_by_their_units():
    for x in (np.arange(3), np.arange(3).astype("m8[s]")):
        for unit, count in (("s", 86_400), ("D", 1), ("h", 24), ("s", 0), ("D", 0)):
            number = np.timedelta64(count, unit)
            wanted = x + number
            for _ in range(3):
                assert_identical(pm.transform(pm.seq, "x + y", x, number), wanted)
                assert_identical(pm.transform(pm.seq, lambda v, n=number: v + n, x), wanted)


def test_two_numbers_make_a_result_without_dimensions(policy):
    assert_equal(pm.transform(policy, "x + y", 2, 0.5), np.asarray(2.5))
    assert_equal(pm.transform(policy, "x + y", np.float32(1.5), 2), np.asarray(3.5, np.float32))
    assert_equal(pm.transform(policy, "x - y", 2, np.array(1, np.int8)), np.asarray(1, np.int8))


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "int8"])
def test_complex_numbers_have_numpys_type(dtype):
    x = np.arange(5).astype(dtype)
    assert_identical(pm.transform(pm.seq, "x * y", x, 2j), x * 2j)
    assert_identical(pm.transform(pm.seq, "x * y", 2j, x), 2j * x)


def test_functions_of_numbers_are_kept():
    def times(factor):
        return lambda a, b: a * b * factor

    for f, other in (("x * y", "x + y"), (times(2), times(3))):
        kept = expression_with(f, (None, 2))
        assert expression_with(f, (None, 2)) is kept
        for numbers in ((None, 2.0), (None, True), (2, None), (None, np.int8(2))):
            assert expression_with(f, numbers) is not kept
        assert expression_with(other, (None, 2)) is not kept
    assert expression_with("x * y", (None, 0.0)) is not expression_with("x * y", (None, -0.0))


def test_a_policy_that_measures_knows_calls_with_other_numbers():
    def kind_of(number):
        return operands_of("x * y", np.ones(3), number)[0].kind

    assert kind_of(2) == kind_of(3)
    assert kind_of(2) != kind_of(2.0)


def test_a_function_of_arrays_that_are_broadcast_is_traced_once():
    calls = []
    x, y = np.ones((3, 4)), np.arange(4.0)
    for policy in (pm.seq, pm.par):
        result = pm.transform(policy, lambda a, b: calls.append(1) or 2 * a + b, x, y)
        assert_identical(result, 2 * x + y)
    assert calls == [1, 1]


def test_all_of_traces_a_function_once():
    calls = []
    assert pm.all_of(pm.seq, lambda a, b: calls.append(1) or a > b, np.ones(3), 0.5)
    assert calls == [1]


@few_examples
@given(shapes=hnp.mutually_broadcastable_shapes(num_shapes=2, max_dims=4), data=st.data())
def test_arrays_are_broadcast_as_in_numpy(policy, shapes, data):
    a, b = (
        data.draw(hnp.arrays(np.int32, shape, elements=st.integers(-9, 9)))
        for shape in shapes.input_shapes
    )
    assert_equal(pm.transform(policy, "x - y", a, b), a - b)
    assert_equal(pm.transform_reduce(policy, "x - y", a, b), np.add.reduce(a - b, axis=None))
    assert pm.count_if(policy, "x < y", a, b) == np.count_nonzero(a < b)
    assert pm.all_of(policy, "x < y", a, b) == np.all(a < b)


def test_large_arrays_are_broadcast(policy):
    rows, columns = np.arange(300, dtype=np.float32), np.arange(400, dtype=np.float32)[:, None]
    out = np.empty((400, 300), np.float32)
    assert pm.transform(policy, "x * y", rows, columns, out=out) is out
    assert_identical(out, rows * columns)
    assert_equal(
        pm.transform_reduce(policy, "abs(x - y)", rows, columns, "max", axis=0),
        np.abs(rows - columns).max(0),
    )


def test_shapes_that_do_not_fit_are_named(policy):
    with pytest.raises(ValueError, match=r"the shapes \(3,\) and \(4,\), which do not fit: pass"):
        pm.transform(policy, "x + y", np.ones(3), np.ones(4))


def test_buffers_are_not_broadcast(device_policy, opencl_queue):
    buffer = opencl_queue.buffer(np.ones(3, np.float32))
    with pytest.raises(
        ValueError, match=r"a buffer of the shape \(3,\) would have to be broadcast"
    ):
        pm.transform(device_policy, "x + y", buffer, np.ones((2, 3), np.float32))
    added = pm.transform(device_policy, "x + y", buffer, 2)
    assert isinstance(added, pm.opencl.Buffer)
    assert_identical(opencl_queue.read(added), np.full(3, 3, np.float32))


def test_a_function_of_the_wrong_number_of_parameters_is_named(policy):
    with pytest.raises(TypeError, match="cannot be called with 2 values: give it a parameter"):
        pm.transform(policy, lambda x: x, np.ones(3), 2)


@pytest.mark.parametrize(
    "shapes",
    [
        ((60, 70), (70,)),
        ((70,), (60, 70)),
        ((60, 70), (60, 1)),
        ((1, 70), (60, 70)),
        ((3, 20, 70), (20, 1)),
        ((1, 4200), (1,)),
        ((4200,), (1, 4200)),
        ((60, 1), (1, 70)),
        ((0, 7), (7,)),
        ((60, 70), (60, 70)),
        ((4200,), (4200,)),
    ],
)
@pytest.mark.parametrize("order", ["C", "F", "apart"])
@pytest.mark.parametrize("light", [1, 10**9])
def test_arrays_are_broadcast_also_in_threads(monkeypatch, policy, shapes, order, light):
    monkeypatch.setattr(_host, "LIGHT", light)
    monkeypatch.setattr(_host, "CHUNK", 8)
    random = np.random.default_rng(1)
    a, b = (random.random((*shape, 2)) for shape in shapes)
    if order == "apart":
        a, b = a[..., 0], b[..., 1]
    else:
        a, b = (np.asarray(each[..., 0], order=order) for each in (a, b))
    shape = np.broadcast_shapes(*shapes)
    for text, expected in (
        ("x - y", a - b),
        ("x - y*2", a - b * 2),
        ("x < y", a < b),
        ("-x", -a),
        ("y * y", b * b),
        ("hypot(y, x)", np.hypot(b, a)),
        ("x**y", a**b),
        ("where(x, y, 3)", np.where(a, b, 3)),
        ("where(y < 0.5, x, y)", np.where(b < 0.5, a, b)),
    ):
        result = pm.transform(policy, text, a, b)
        wanted = np.ascontiguousarray(np.broadcast_to(expected, shape))
        if isinstance(policy, type(pm.seq)) or text not in ("hypot(y, x)", "x**y"):
            assert_identical(result, wanted)
        else:
            np.testing.assert_allclose(result, wanted, rtol=1e-14)
        assert result.flags.c_contiguous
