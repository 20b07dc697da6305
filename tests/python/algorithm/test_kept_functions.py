# SPDX-License-Identifier: Apache-2.0
# A lambda is traced once for each code and each set of numbers that it reads.
"""Functions are traced again whenever what they read may have changed."""

from __future__ import annotations

import math
import struct
import weakref
from types import FunctionType

import numpy as np
import pytest

import pointsman as pm

x = np.array([1.0, 4.0])
factor: object = 2
root = np.sqrt
helper = lambda v: v + 1  # noqa: E731


def result(f) -> list[float]:
    return pm.transform(pm.seq, f, x).tolist()


def test_a_global_number_is_read_at_each_call(monkeypatch):
    for value in (2, 3, 2.0, 0, -0.0, 0.0, True):
        monkeypatch.setitem(globals(), "factor", value)
        returned = pm.transform(pm.seq, lambda v: v * factor, x)
        expected = x * value
        assert returned.tobytes() == expected.tobytes()


def test_a_number_of_another_type_gives_another_result(monkeypatch):
    ints = np.array([5, 7])
    for value in (1, 1.0, True, np.float32(1), np.int64(1)):
        monkeypatch.setitem(globals(), "factor", value)
        assert pm.transform(pm.seq, lambda v: v * factor, ints).dtype == (ints * value).dtype


def test_a_nan_keeps_its_sign():
    for sign in (1.0, -1.0, 1.0):
        nan = math.copysign(math.nan, sign)
        (value,) = pm.transform(pm.seq, lambda v, n=nan: np.where(v > 0, n, v), x[:1])
        assert struct.pack("d", value) == struct.pack("d", nan)


def test_captured_numbers_and_defaults_are_read_at_each_call():
    def plus(k):
        return lambda v: v + k

    for k in range(3):
        assert result(plus(k)) == [1 + k, 4 + k]
        assert result(lambda v, k=k: v - k) == [1 - k, 4 - k]


def test_a_global_function_is_read_at_each_call(monkeypatch):
    assert result(lambda v: root(v)) == [1, 2]
    monkeypatch.setitem(globals(), "root", np.square)
    assert result(lambda v: root(v)) == [1, 16]
    assert result(lambda v: helper(v)) == [2, 5]
    monkeypatch.setitem(globals(), "helper", lambda v: v + 2)
    assert result(lambda v: helper(v)) == [3, 6]


def test_a_global_with_the_name_of_a_numpy_function_is_the_users(monkeypatch):
    f = lambda v: sqrt(v)  # noqa: E731, F821
    monkeypatch.setitem(globals(), "sqrt", lambda v: v + 10)
    assert result(f) == [11, 14]
    monkeypatch.setitem(globals(), "sqrt", np.sqrt)
    assert result(f) == [1, 2]


def test_functions_that_read_anything_else_are_called_each_time():
    calls: list[int] = []
    counted = iter(range(100))

    def noted(v):
        calls.append(1)
        return v

    for _ in range(3):
        result(noted)
        result(lambda v: v + next(counted))
    assert len(calls) == 3
    assert next(counted) == 3


def test_inner_functions_read_their_globals_at_each_call(monkeypatch):
    f = lambda v: (lambda w: w * factor)(v)  # noqa: E731
    assert result(f) == [2, 8]
    monkeypatch.setitem(globals(), "factor", 5)
    assert result(f) == [5, 20]


def test_a_function_with_too_many_parameters_is_refused_after_the_right_one():
    f = lambda v, w=1: v + w  # noqa: E731
    assert result(f) == [2, 5]
    assert pm.transform(pm.seq, f, x, x).tolist() == [2, 8]
    with pytest.raises(TypeError, match="2 values"):
        pm.transform(pm.seq, lambda v: v, x, x)


def test_a_lambda_in_a_loop_and_a_ufunc_are_traced_once(monkeypatch):
    from pointsman.algorithm import _function

    traced = []
    trace = _function.trace
    monkeypatch.setattr(_function, "_kept", {})
    monkeypatch.setattr(_function, "trace", lambda *all: traced.append(1) or trace(*all))
    for _ in range(5):
        assert result(lambda v: 3 * v - np.pi) == [3 * v - np.pi for v in (1.0, 4.0)]
    assert len(traced) == 1
    for _ in range(5):
        pm.transform(pm.seq, np.arctan2, x, x)
    assert len(traced) == 2


def adder(k, function):
    return lambda v, w: function(v, k) + w * factor


def by_default(k):
    return lambda v, w, k=k: np.hypot(v, k) - root(np.abs(w))


def renamed(function):
    function.note = "attributes may decide, too"
    return function


def test_functions_that_change_between_calls_are_what_they_read(monkeypatch, random):
    """Each kind is called often enough that what it is would be kept, if it stayed the same."""
    numbers = [0.0, -0.0, 1, 1.0, True, 2, np.float32(2), np.int8(2), 3.5, np.nan, 10**9, 10.0**9]
    functions = [np.add, np.multiply, np.hypot]
    arrays = [np.arange(1, 5).astype(of) for of in ("float32", "float64", "int32")]
    k, function = 1, functions[0]
    for _ in range(1_500):
        if random.random() < 0.2:
            k = numbers[random.integers(len(numbers))]
        if random.random() < 0.1:
            function = functions[random.integers(len(functions))]
        if random.random() < 0.1:
            monkeypatch.setitem(globals(), "factor", numbers[random.integers(len(numbers))])
        if random.random() < 0.1:
            monkeypatch.setitem(globals(), "root", [np.sqrt, np.square][random.integers(2)])
        v, w = (arrays[i] for i in random.integers(len(arrays), size=2))
        for f in (
            adder(k, function),
            by_default(k),
            renamed(by_default(k)),
            lambda v, w: root(np.abs(v)) * factor - w,
            lambda v, w: np.maximum(v, w) + 1,
        ):
            with np.errstate(all="ignore"):
                expected = f(v, w)
                ours = pm.transform(pm.seq, f, v, w)
            assert ours.dtype == expected.dtype
            np.testing.assert_array_equal(ours, expected)


def test_an_empty_cell_is_not_kept():
    def make():
        def f(v):
            return v + k

        if x[0] > 5:
            k = 1
        return f

    for _ in range(4):
        with pytest.raises(NameError):
            result(make())


def test_a_kept_function_keeps_alive_only_numbers_and_functions():
    def make(array):
        return lambda v: v + array[0]

    array = np.ones(3)
    reference = weakref.ref(array)
    for _ in range(4):
        assert result(make(array)) == [2, 5]
    del array
    assert reference() is None


def test_globals_that_are_no_plain_dict_are_asked(monkeypatch):
    class Counting(dict):
        calls = 0

        def __getitem__(self, name):
            if name == "factor":
                Counting.calls += 1
                return Counting.calls
            return super().__getitem__(name)

    f = eval("lambda v: v * factor", Counting(factor=1))
    results = [result(f) for _ in range(4)]
    assert len({tuple(each) for each in results}) == 4


def test_names_of_globals_may_run_code_that_calls_functions():
    class Name(str):
        __hash__ = str.__hash__

        def __eq__(self, other):
            assert result(lambda v: v + 1) == [2, 5]
            return str.__eq__(self, other)

    f = eval("lambda v: v * factor", {Name("factor"): 2})
    for _ in range(5):
        assert result(f) == [2, 8]


def test_built_in_functions_of_ones_own_are_called():
    code = (lambda v: abs(v)).__code__
    own = FunctionType(code, {"__builtins__": {"abs": lambda v: v * 100}})
    for f, expected in ((own, [100, 400]), (FunctionType(code, {}), [1, 4])):
        for _ in range(4):
            assert result(f) == expected
    assert result(own) == [100, 400]
