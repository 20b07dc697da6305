# SPDX-License-Identifier: Apache-2.0
"""Folds and scans by segment equal a loop over each segment."""

from __future__ import annotations

import array
import secrets
from functools import cache
from typing import Any

import numpy as np
import pytest
from algorithm.references import (
    SIZES,
    assert_equal,
    assert_identical,
    few_examples,
    outcome,
    with_one_nan,
)
from hypothesis import given
from hypothesis import strategies as st

import pointsman as pm
from pointsman.algorithm import _host, _host_segments

OPS = {"+": np.add, "*": np.multiply, "min": np.minimum, "max": np.maximum}
SEED = secrets.randbelow(2**32)


@pytest.fixture
def random() -> np.random.Generator:
    """Random numbers whose seed is printed."""
    print(f"seed {SEED}")
    return np.random.default_rng(SEED)


def segments_of(keys: Any) -> list[slice]:
    """The indices of each run of equal keys."""
    keys = np.asarray(keys)
    starts = [0, *(np.flatnonzero(keys[1:] != keys[:-1]) + 1).tolist()] if keys.size else []
    return [slice(*bounds) for bounds in zip(starts, [*starts[1:], len(keys)], strict=False)]


def reduced(keys: Any, values: Any, ufunc: np.ufunc = np.add) -> tuple[Any, Any]:
    parts = segments_of(keys)
    folds = [ufunc.reduce(values[part]) for part in parts]
    return keys[[part.start for part in parts]], np.array(folds, ufunc.accumulate(values[:0]).dtype)


def scanned(keys: Any, values: Any, ufunc: np.ufunc = np.add) -> Any:
    parts = [ufunc.accumulate(values[part]) for part in segments_of(keys)]
    return np.concatenate([ufunc.accumulate(values[:0]), *parts])


def scanned_after(initial: Any, keys: Any, values: Any, ufunc: np.ufunc = np.add) -> Any:
    wide = values.astype(ufunc.accumulate(values[:1]).dtype)
    first = np.full(1, initial, wide.dtype)
    parts = [
        ufunc.accumulate(np.append(first, wide[part])[:-1], out=wide[part].copy())
        for part in segments_of(keys)
    ]
    return np.concatenate([wide[:0], *parts])


def keys_of(random: np.random.Generator, size: int) -> list[Any]:
    """Keys in short segments, in a few long ones, in one, and in segments of one key."""
    steps = random.integers(0, 1000, size) < 3
    return [
        random.integers(0, 2, size),
        np.cumsum(steps) % 128,
        np.zeros(size, np.int64),
        np.arange(size) % 100,
    ]


def wanted_of(keys: Any, values: Any, op: str, initial: Any) -> tuple[Any, Any, Any]:
    ufunc = OPS[op]
    after = scanned_after(initial, keys, values, ufunc)
    return reduced(keys, values, ufunc), scanned(keys, values, ufunc), after


def check(policy: Any, keys: Any, values: Any, op: str, initial: Any, wanted: Any = None) -> None:
    """Compares with ``wanted``, or what ``wanted_of`` returns."""
    folds, inclusive, exclusive = wanted or wanted_of(keys, values, op, initial)
    got = pm.reduce_by_segment(policy, keys, values, op)
    assert type(got) is tuple
    assert_identical(got[0], folds[0])
    assert_equal(got[1], folds[1])
    assert_equal(pm.inclusive_scan_by_segment(policy, keys, values, op), inclusive)
    assert_equal(pm.exclusive_scan_by_segment(policy, keys, values, initial, op), exclusive)


@cache
def cases(number: str, op: str, sizes: tuple[int, ...]) -> list[Any]:
    """Arguments of ``check`` after the policy. Sums of the values are exact in any type."""
    random = np.random.default_rng(SEED)
    found = []
    for size in sizes:
        small = random.integers(0, 200, size) < 2
        signs = random.integers(0 if number[0] in "bu" else -1, 2, size)
        values = (small if op == "+" else signs).astype(number)
        for keys in keys_of(random, size):
            found.append((keys, values, op, 1, wanted_of(keys, values, op, 1)))
    return found


def test_segments_of_every_length_are_folded_alone(policy, random, dtype):
    for case in cases(str(dtype), "+", tuple(SIZES)):
        check(policy, *case)


@pytest.mark.parametrize("number", ["bool", "int8", "uint64", "float32"])
@pytest.mark.parametrize("op", ["*", "min", "max"])
def test_other_operations_are_numpys(policy, random, op, number):
    for case in cases(number, op, (33, 65_537)):
        check(policy, *case)


@pytest.mark.parametrize("few", [0, 1000])
@pytest.mark.parametrize("name", ["par", "seq"])
def test_any_segments_are_folded_alone_in_any_spans(name, few, random, monkeypatch):
    monkeypatch.setattr(_host, "CHUNK", 4)  # short arrays in several threads
    monkeypatch.setattr(_host, "LIGHT", 8)
    monkeypatch.setattr(_host_segments, "SPAN", 4)
    monkeypatch.setattr(_host_segments, "SHORT", 3)
    monkeypatch.setattr(_host_segments, "FEW", few)  # NumPy folds fewer values, C++ others
    for _ in range(300):
        size = int(random.integers(0, 80))
        keys = np.cumsum(random.random(size) < random.random())
        values = random.integers(-5, 6, size)
        check(getattr(pm, name), keys, values, str(random.choice(list(OPS))), 3)


@pytest.mark.parametrize("number", ["int64", "float32"])
def test_work_groups_fold_as_items_alone_do(queue_in_groups, random, number):
    device_policy = pm.device_policy(queue_in_groups)
    for size in (1, 33, 100_000):
        for keys in keys_of(random, size):
            values = random.integers(-5, 6, size).astype(number)
            check(device_policy, keys.astype(f"i{values.itemsize}"), values, "+", 3)


def test_keys_of_every_type_are_compared_as_numpy_compares_them(policy, dtype):
    keys = np.array([0, 0, 1, 1, 1, 0, 1], dtype)
    values = np.arange(7.0, dtype=np.float32)
    check(policy, keys, values, "+", 2)
    assert pm.reduce_by_segment(policy, keys, values)[0].dtype == dtype


@pytest.mark.parametrize("host", [pm.seq, pm.par])
def test_keys_of_structures_and_of_another_byte_order_are_compared(host):
    pairs = np.array([(1, 2.0), (1, 2.0), (3, 4.0)], [("a", int), ("b", float)])
    firsts, folds = pm.reduce_by_segment(host, pairs, np.array([1, 2, 3]))
    assert firsts.tolist() == [(1, 2.0), (3, 4.0)] and folds.tolist() == [3, 3]
    for size in (3, 70_000):
        keys, values = np.zeros(size, ">i8"), np.ones(size, ">f4")
        firsts, folds = pm.reduce_by_segment(host, keys, values)
        assert (firsts.dtype, folds.dtype) == (np.int64, np.float32)
        assert folds.tolist() == [size]


def test_each_nan_key_is_a_segment_and_zeros_are_equal(policy):
    keys = np.array([np.nan, np.nan, 0.0, -0.0, 1.0])
    firsts, folds = pm.reduce_by_segment(policy, keys, np.array([1, 2, 4, 8, 16]))
    np.testing.assert_array_equal(firsts, [np.nan, np.nan, 0, 1])
    assert folds.tolist() == [1, 2, 12, 16]


def test_nan_values_stay_in_their_segment(policy):
    keys = np.arange(70_000) // 7_000
    values = np.ones(70_000, np.float32)
    values[30_000] = np.nan
    for op in ("+", "min", "max"):
        _, folds = pm.reduce_by_segment(policy, keys, values, op)
        assert np.isnan(folds).tolist() == [i == 4 for i in range(10)]
        sums = pm.inclusive_scan_by_segment(policy, keys, values, op)
        assert np.isnan(sums).nonzero()[0].tolist() == list(range(30_000, 35_000))


def test_floats_under_seq_have_the_bits_of_numpy_and_of_a_loop(random):
    for dtype in (np.float32, np.float64):
        values = random.normal(size=5_000).astype(dtype)
        for keys in keys_of(random, values.size):
            starts = [part.start for part in segments_of(keys)]
            for policy in (pm.seq, pm.unseq):
                folds = pm.reduce_by_segment(policy, keys, values)[1]
                np.testing.assert_array_equal(folds, np.add.reduceat(values, starts))
                sums = pm.inclusive_scan_by_segment(policy, keys, values)
                np.testing.assert_array_equal(sums, scanned(keys, values))


SPECIAL = [0.0, -0.0, np.inf, -np.inf, np.nan, 1e-45, 3e38, -3e38]


@few_examples
@given(
    number=st.sampled_from(["float32", "float64", "int64", "uint64", "int16", "bool"]),
    key=st.sampled_from(["bool", "int8", "uint16", "int32", "uint64", "float32", "float64"]),
    op=st.sampled_from([*OPS]),
    seed=st.integers(0, 2**32 - 1),
)
def test_cpp_folds_segments_as_numpy_does(number, key, op, seed):
    random = np.random.default_rng(seed)
    size = int(random.integers(1, 3_000))
    values = random.standard_normal(size)
    if number[0] == "f":
        values[random.random(size) < random.random()] = random.choice(SPECIAL[:2])
        values[random.random(size) < 0.05 * random.random()] = random.choice(SPECIAL)
        with np.errstate(over="ignore"):
            values = values.astype(number)
    else:
        values = random.integers(-(2**63), 2**63, size).astype(number)
    keys = (np.cumsum(random.random(size) < random.random() ** 3) * 0.5).astype(key)
    if key[0] == "f":
        keys[random.random(size) < 0.1] *= -1  # zeros of both signs are equal
        keys[random.random(size) < 0.01] = np.nan
    starts = [part.start for part in segments_of(keys)]
    dtype = OPS[op].reduce(values[:1]).dtype
    expected, warned = outcome(lambda: OPS[op].reduceat(values, starts, dtype=dtype))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_host_segments, "FEW", 1)
        (firsts, folds), seen = outcome(lambda: pm.reduce_by_segment(pm.seq, keys, values, op))
    assert_identical(firsts, keys[starts])
    assert_identical(with_one_nan(folds), with_one_nan(expected))
    assert seen == warned


def test_threads_report_errors_of_sums_by_segment():
    keys, values = np.arange(100_000) // 50_000, np.full(100_000, 1e34, np.float32)
    with pytest.warns(RuntimeWarning, match="overflow"):
        folds = pm.reduce_by_segment(pm.par, keys, values)[1]
    assert folds.tolist() == [np.inf, np.inf]
    assert pm.reduce_by_segment(pm.par, keys, values, "max")[1].tolist() == [values[0]] * 2


def test_sums_of_floats_stay_within_the_stated_bound(policy):
    values = np.full(300_000, 0.1, np.float32)  # the errors of its sums add up
    keys = np.zeros(values.size, np.uint8)
    count = np.arange(1, values.size + 1)
    exact = count * float(values[0])
    allowed = count * np.finfo(np.float32).eps / 2 * exact
    assert np.all(np.abs(pm.inclusive_scan_by_segment(policy, keys, values) - exact) <= allowed)
    assert abs(pm.reduce_by_segment(policy, keys, values)[1][0] - exact[-1]) <= allowed[-1]


def test_sums_wrap_around_as_numpys_do(policy):
    keys, values = np.zeros(70_000, np.int8), np.full(70_000, 2**62)
    check(policy, keys, values, "+", 2**62)


def test_results_may_replace_the_values_or_the_keys(policy, random):
    for size in (33, 70_000):
        for keys in keys_of(random, size):
            x = random.integers(-5, 6, size)
            wanted = scanned(keys, x), scanned_after(5, keys, x)
            for target in ("values", "keys", "part of values"):
                given_keys, given = keys.copy(), np.append(0, x)[1:]
                out = {"keys": given_keys, "values": given}.get(target)
                if out is None:
                    memory = np.append(x, 0)
                    given, out = memory[:-1], memory[1:]
                assert pm.inclusive_scan_by_segment(policy, given_keys, given, out=out) is out
                assert_equal(out, wanted[0])
            out = x.copy()
            assert pm.exclusive_scan_by_segment(policy, keys, out, 5, out=out) is out
            assert_equal(out, wanted[1])


def test_results_may_replace_the_values_or_the_keys_in_a_buffer(device_policy, random):
    queue = device_policy.queue
    for keys in keys_of(random, 70_000):
        x = random.integers(-5, 6, 70_000)
        for target in (0, 1):
            on_device = queue.buffer(keys), queue.buffer(x)
            out = on_device[target]
            assert pm.inclusive_scan_by_segment(device_policy, *on_device, out=out) is out
            assert_equal(queue.read(out), scanned(keys, x))


def test_an_output_of_another_type_is_converted(policy):
    out = np.empty(3, np.float32)
    pm.exclusive_scan_by_segment(policy, [1, 1, 2], [3, 4, 5], 0.0, out=out)
    assert out.tolist() == [0, 3, 0]
    with pytest.raises(TypeError, match="`out` has the type int32: the results are float64"):
        pm.inclusive_scan_by_segment(policy, [1], [0.5], out=np.empty(1, np.int32))
    with pytest.raises(ValueError, match=r"`out` has the shape \(2,\): pass one of the shape \(1,"):
        pm.inclusive_scan_by_segment(policy, [1], [0.5], out=np.empty(2))


def test_arrays_of_any_kind_and_layout_are_read(policy):
    keys, values = np.arange(24)[::-1] // 10, array.array("d", range(24))
    check(policy, keys[::2], np.arange(24.0)[::2], "max", 0)
    folds = pm.reduce_by_segment(policy, keys, values)[1]
    assert folds.tolist() == [6.0, 85.0, 185.0]


def test_nothing_has_no_segments(policy):
    keys, folds = pm.reduce_by_segment(policy, np.empty(0, np.int16), np.empty(0, np.int8))
    assert_identical(keys, np.empty(0, np.int16))
    assert_identical(folds, np.empty(0, np.int64))
    assert_identical(pm.inclusive_scan_by_segment(policy, [], []), np.empty(0))
    assert_identical(pm.exclusive_scan_by_segment(policy, [], []), np.empty(0))


@pytest.mark.parametrize("op", OPS)
def test_without_an_initial_value_a_segment_begins_with_what_changes_nothing(policy, op, dtype):
    values = np.ones(5, dtype)
    whole = pm.exclusive_scan(policy, values, None, op)
    by_segment = pm.exclusive_scan_by_segment(policy, [1, 1, 1, 2, 2], values, None, op)
    assert_equal(by_segment, np.append(whole[:3], whole[:2]))


@pytest.mark.parametrize("number", ["bool", "int16", "float16", "float64"])
def test_results_of_buffers_are_buffers(opencl_queue, number):
    keys, values = np.array([1, 1, 0, 1], number), np.array([1, 0, 1, 1], number)
    for queue in (opencl_queue, pm.opencl.Queue(out_of_order=True)):
        policy = pm.device_policy(queue)
        on_device = queue.buffer(keys), queue.buffer(values)
        for pair in (on_device, (keys, on_device[1]), (on_device[0], values)):
            for op in ("+", "min"):
                got = pm.reduce_by_segment(policy, *pair, op)
                for ours, numpys in zip(got, reduced(keys, values, OPS[op]), strict=True):
                    assert isinstance(ours, pm.opencl.Buffer)
                    assert_identical(queue.read(ours), numpys)
                results = pm.inclusive_scan_by_segment(policy, *pair, op)
                assert_identical(queue.read(results), scanned(keys, values, OPS[op]))
        out = pm.exclusive_scan_by_segment(policy, *on_device, 1, "max", on_device[1])
        assert out is on_device[1]
        assert_identical(queue.read(out), scanned_after(1, keys, values, np.maximum))


def test_the_host_folds_whatever_numpy_folds():
    keys = np.array(["a", "a", "b"])
    for policy in (pm.seq, pm.par, pm.auto):
        for values in (np.array([1, 2, 4], "m8[s]"), np.array([1, 2j, 4])):
            check(policy, keys, values, "+", values[0])


def test_keys_that_devices_do_not_have_are_refused(device_policy):
    with pytest.raises(TypeError, match="<U1 is no type of values on devices"):
        pm.reduce_by_segment(device_policy, np.array(["a", "b"]), np.ones(2))


def calls(policy: Any, keys: Any, values: Any) -> list[Any]:
    return [
        lambda: pm.reduce_by_segment(policy, keys, values),
        lambda: pm.inclusive_scan_by_segment(policy, keys, values),
        lambda: pm.exclusive_scan_by_segment(policy, keys, values),
    ]


def test_other_shapes_are_refused(policy):
    for call in calls(policy, [1, 2, 3], [1, 2]):
        with pytest.raises(ValueError, match="`keys` has 3 elements and `values` has 2: pass one"):
            call()
    for call in calls(policy, [[1, 2]], [1, 2]):
        with pytest.raises(
            ValueError, match=r"`keys` has the shape \(1, 2\): pass an array of one"
        ):
            call()
    for keys in ([1], np.ones(1)):
        for call in calls(policy, keys, None):
            with pytest.raises(TypeError, match="`values` is a NoneType that holds no numbers"):
                call()
    for call in calls(policy, [1], 5):
        with pytest.raises(ValueError, match=r"`values` has the shape \(\): pass an array of one"):
            call()


def test_other_operations_and_initial_values_are_refused(policy):
    with pytest.raises(TypeError, match="the operation is '-': pass one of"):
        pm.reduce_by_segment(policy, [1], [2], "-")
    with pytest.raises(ValueError, match=r"`initial` is 0.5, which int64 cannot hold"):
        pm.exclusive_scan_by_segment(policy, [1], [2], 0.5)


def test_values_in_a_buffer_are_refused_by_host_policies(opencl_queue):
    x = opencl_queue.buffer(np.arange(3))
    for call in calls(pm.par, x, [1, 2, 3]):
        with pytest.raises(TypeError, match="in an OpenCL buffer: use a device policy"):
            call()
