# SPDX-License-Identifier: Apache-2.0
"""All policies refuse the same arguments, before anything runs."""

from __future__ import annotations

import array
import collections
from typing import Any

import numpy as np
import pytest

import pointsman as pm

WHOLE = [np.int8, np.int16, np.int32, np.int64]


class Copying:
    """Converts to an array by copying."""

    def __init__(self, values: Any) -> None:
        self.values = np.array(values)

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return self.values.copy()


class Sharing(Copying):
    """Converts to an array that shares its memory, as tensors and columns of tables do."""

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return self.values


class Metres(np.ndarray):
    """An array that redefines NumPy's operations."""

    def __array_ufunc__(self, *_args: Any, **_options: Any) -> Any:
        raise NotImplementedError


class Lazy:
    """Converts to a masked array, as variables of some file formats do."""

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return masked()


def masked() -> Any:
    return np.ma.array([3.0, 1.0, 2.0], mask=[False, True, False])


@pytest.mark.parametrize("size", [0, 1, 100_000])
@pytest.mark.parametrize("f", ["x**-3", "power(x, -3)", lambda x: x ** np.int8(-1)])
def test_a_negative_power_of_integers_is_refused(policy, f, size):
    for whole in WHOLE:
        with pytest.raises(ValueError, match=r"raised to -\d, a negative integer: write -\d.0"):
            pm.transform(policy, f, np.ones(size, whole))
    with pytest.raises((ValueError, OverflowError)):
        pm.transform(policy, f, np.ones(size, np.uint16))
    np.testing.assert_array_equal(pm.transform(policy, "x**-3", np.full(3, 2.0)), np.full(3, 0.125))


@pytest.mark.parametrize(
    ("text", "dtype"),
    [
        ("-x", bool),
        ("x - y", bool),
        ("sign(x)", bool),
        ("x << 1", float),
        ("x & y", np.float32),
        ("~x", float),
        ("x >> 2.0", int),
    ],
)
@pytest.mark.parametrize("size", [0, 3])
def test_operations_that_numpy_lacks_for_a_type_are_refused(policy, text, dtype, size):
    out = np.full(size, 7.0)
    x = np.ones(size, dtype)
    with pytest.raises(TypeError):
        pm.transform(policy, text, *([x, x] if "y" in text else [x]), out=out)
    assert (out == 7).all()


def test_an_operation_that_devices_lack_runs_on_the_host():
    values = np.ones(3, np.float16)
    for policy in (pm.seq, pm.par, pm.auto):
        got = pm.transform(policy, lambda x: np.logical_and(x, np.timedelta64(1, "s")), values)
        assert got.tolist() == [True] * 3


CALLS = {"add(x, 1, x)": 3, "add(1, 2, where(1, 2, 3))": 3, "where(1)": 1, "sqrt()": 0}


@pytest.mark.parametrize("text", CALLS)
def test_a_function_is_called_with_as_many_values_as_it_takes(policy, text):
    with pytest.raises(TypeError, match=rf"calls '\w+' with {CALLS[text]} values: it takes \d"):
        pm.transform(policy, text, np.ones(3))


def test_a_device_refuses_a_condition_of_a_type_that_it_lacks(opencl_queue):
    device = pm.device_policy(opencl_queue)
    with pytest.raises(TypeError, match="complex64 is no type of values on devices"):
        pm.transform(device, lambda x: np.where(np.complex64(1), x, 0), np.ones(3))


WRITES = {
    "sort": (lambda p, a: pm.sort(p, a), "a"),
    "stable_sort": (lambda p, a: pm.stable_sort(p, a), "a"),
    "sort_by_key": (lambda p, a: pm.sort_by_key(p, a, np.zeros(3)), "keys"),
    "sort_by_key's values": (lambda p, a: pm.sort_by_key(p, np.zeros(3), a), "values"),
    "fill": (lambda p, a: pm.fill(p, a, 1), "out"),
    "copy": (lambda p, a: pm.copy(p, np.zeros(3), out=a), "out"),
    "copy_if": (lambda p, a: pm.copy_if(p, "x < 1", np.zeros(3), out=a), "out"),
    "unique": (lambda p, a: pm.unique(p, np.zeros(3), out=a), "out"),
    "transform": (lambda p, a: pm.transform(p, "x + 1", np.zeros(3), out=a), "out"),
    "inclusive_scan": (lambda p, a: pm.inclusive_scan(p, np.zeros(3), out=a), "out"),
    "exclusive_scan": (lambda p, a: pm.exclusive_scan(p, np.zeros(3), out=a), "out"),
    "merge": (lambda p, a: pm.merge(p, np.zeros(1), np.zeros(2), out=a), "out"),
}


@pytest.mark.parametrize("name", WRITES)
def test_an_object_that_cannot_be_written_to_is_refused_by_name(policy, name):
    call, argument = WRITES[name]
    read_only = np.zeros(3)
    read_only.flags.writeable = False
    frozen = [range(3), [3.0, 2.0, 1.0], (1.0, 2.0, 3.0), bytes(3), memoryview(bytes(3)), read_only]
    for given in [*frozen, collections.deque([3, 2, 1]), Copying([3.0, 2.0, 1.0])]:
        with pytest.raises(TypeError, match=f"`{argument}` is a .* cannot be written to"):
            call(policy, given)


@pytest.mark.parametrize("given", [5, 2.5, np.float64(3), "text"])
def test_a_number_or_a_text_cannot_be_filled(policy, given):
    with pytest.raises(TypeError, match="`out` is a .* cannot be written to"):
        pm.fill(policy, given, 1)


def test_an_object_that_shares_its_memory_is_written_to(policy):
    for given in (array.array("d", [3, 1, 2]), memoryview(bytearray(np.array([3.0, 1, 2])))):
        held = given.cast("d") if isinstance(given, memoryview) else given
        assert pm.sort(policy, held) is held
        assert list(held) == [1, 2, 3]
    column = Sharing([3.0, 1.0, 2.0])
    assert pm.sort(policy, column) is column
    assert pm.copy(policy, np.arange(3.0), out=column) is column
    assert column.values.tolist() == [0, 1, 2]


READS = {
    "reduce": lambda p, a: pm.reduce(p, a),
    "transform": lambda p, a: pm.transform(p, "x", a),
    "transform's b": lambda p, a: pm.transform(p, "y", np.zeros(3), a),
    "transform_reduce": lambda p, a: pm.transform_reduce(p, "x", a),
    "copy": lambda p, a: pm.copy(p, a),
    "copy_if": lambda p, a: pm.copy_if(p, "x > 1", a),
    "unique": lambda p, a: pm.unique(p, a),
    "count_if": lambda p, a: pm.count_if(p, "x > 1", a),
    "find_if": lambda p, a: pm.find_if(p, "x > 1", a),
    "all_of": lambda p, a: pm.all_of(p, "x > 1", a),
    "min_element": lambda p, a: pm.min_element(p, a),
    "minmax_element": lambda p, a: pm.minmax_element(p, a),
    "inclusive_scan": lambda p, a: pm.inclusive_scan(p, a),
    "exclusive_scan": lambda p, a: pm.exclusive_scan(p, a),
    "reduce_by_segment": lambda p, a: pm.reduce_by_segment(p, a, np.zeros(3)),
    "inclusive_scan_by_segment": lambda p, a: pm.inclusive_scan_by_segment(p, np.zeros(3), a),
    "exclusive_scan_by_segment": lambda p, a: pm.exclusive_scan_by_segment(p, np.zeros(3), a),
    "histogram": lambda p, a: pm.histogram(p, a),
    "histogram's weights": lambda p, a: pm.histogram(p, np.zeros(3), weights=a),
    "searchsorted": lambda p, a: pm.searchsorted(p, a, 1),
    "searchsorted's v": lambda p, a: pm.searchsorted(p, np.zeros(3), a),
    "bincount": lambda p, a: pm.bincount(p, a),
    "bincount's weights": lambda p, a: pm.bincount(p, [0, 1, 2], a),
    "merge": lambda p, a: pm.merge(p, a, np.zeros(3)),
    "merge's b": lambda p, a: pm.merge(p, np.zeros(3), a),
} | {f"{name}'s {argument}": call for name, (call, argument) in WRITES.items()}


@pytest.mark.parametrize("name", READS)
def test_arrays_whose_values_mean_something_else_are_refused(policy, name):
    for given in (masked(), np.ma.array([1.0, 2.0, 3.0]), Lazy()):
        with pytest.raises(TypeError, match=r"MaskedArray, .* no masks: pass its .compressed\(\)"):
            READS[name](policy, given)
    with pytest.raises(TypeError, match=r"is a Metres, .*: pass numpy.asarray\("):
        READS[name](policy, np.zeros(3).view(Metres))


def test_numpys_masked_constant_is_not_a_number(policy):
    for call in (
        lambda: pm.fill(policy, np.zeros(3), np.ma.masked),
        lambda: pm.reduce(policy, np.zeros(3), initial=np.ma.masked),
        lambda: pm.transform(policy, lambda x: x + np.ma.masked, np.zeros(3)),
    ):
        with pytest.raises(TypeError):
            call()


def test_a_matrix_is_taken_value_by_value(policy):
    x = np.array([[1.0, 2.0], [3.0, 4.0]]).view(np.matrix)
    np.testing.assert_array_equal(pm.transform(policy, "x * x", x), np.asarray(x) ** 2)
    pm.fill(policy, x, 5)
    assert (x == 5).all()


def test_keys_that_share_memory_with_their_values_are_refused(policy):
    x = np.array([3, 1, 2, 0])
    for keys, values in ((x, x), (x[:3], x[1:]), (x, x[::-1])):
        with pytest.raises(ValueError, match="share memory: pass a copy"):
            pm.sort_by_key(policy, keys, values)
    assert x.tolist() == [3, 1, 2, 0]
    table = np.array([[3, 0], [1, 1], [2, 2]])
    pm.sort_by_key(policy, table[:, 0], table[:, 1])
    assert table.tolist() == [[1, 1], [2, 2], [3, 0]]


def test_buffers_that_share_memory_are_refused_where_one_is_written(opencl_queue):
    policy = pm.device_policy(opencl_queue)
    x = opencl_queue.buffer(np.arange(10))
    part = pm.copy_if(policy, "x < 5", x, out=x)
    other = pm.copy_if(policy, "x < 3", x, out=x)
    for keys, values in ((x, x), (part, pm.copy_if(policy, "x < 5", x, out=x))):
        with pytest.raises(ValueError, match="share memory"):
            pm.sort_by_key(policy, keys, values)
    with pytest.raises(ValueError, match="`out` shares memory with `a` or `b`"):
        pm.merge(policy, part, part, out=x)
    assert other.shape == (3,)


def test_part_of_a_buffer_is_compacted_into_the_whole(opencl_queue):
    policy = pm.device_policy(opencl_queue)
    x = opencl_queue.buffer(np.arange(70_000))
    part = pm.copy_if(policy, "x >= 0", x, out=x)
    kept = pm.copy_if(policy, "x % 2 == 1", part, out=x)
    np.testing.assert_array_equal(opencl_queue.read(kept), np.arange(1, 70_000, 2))


def test_the_bins_of_a_histogram_are_checked_first(policy):
    for bins, limits, error in (
        (0, None, ValueError),
        ([2, 1], None, ValueError),
        (2, (1, 0), ValueError),
    ):
        with pytest.raises(error):
            pm.histogram(policy, np.empty(0), bins, limits)
    counts, _ = pm.histogram(policy, np.arange(4.0), np.array(2))
    assert counts.tolist() == [2, 2]
