# SPDX-License-Identifier: Apache-2.0
"""Sorts and merges give NumPy's results under every policy."""

from __future__ import annotations

import signal
import subprocess
import sys
from functools import partial
from typing import Any

import numpy as np
import pytest
from algorithm.references import SIZES, few_examples
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import pointsman as pm
from pointsman.algorithm import _host_sorts

SORTS = [pm.sort, pm.stable_sort]


def all_values(dtype: np.dtype[Any], size: int) -> Any:
    """Returns values of the type's whole range; for floats including infinities and NaN."""
    random = np.random.default_rng(size)
    if dtype.kind == "b":
        return random.integers(0, 2, size).astype(bool)
    if dtype.kind == "f":
        x = random.normal(0, 1000, size).astype(dtype)
        special = [np.nan, np.inf, -np.inf]
        return np.where(random.random(size) < 0.1, random.choice(special, size), x).astype(dtype)
    limits = np.iinfo(dtype)
    return random.integers(limits.min, limits.max, size, dtype, endpoint=True)


# NumPy 2.4's default sort of float16 leaves zeros of both signs among other values.
rising = partial(np.sort, kind="stable")


def falling(x: Any) -> Any:
    """Returns the values in descending order, with NaN last as in NumPy's ascending order."""
    in_order = rising(x)
    numbers = in_order[: in_order.size - int(np.sum(in_order != in_order))]
    return np.concatenate([numbers[::-1], in_order[numbers.size :]])


@pytest.mark.parametrize("sort", SORTS)
def test_a_sort_gives_numpys_values_bit_for_bit_in_place(policy, dtype, sort):
    for size in SIZES:
        x = all_values(dtype, size)
        wanted = rising(x), falling(x)
        for descending, expected in enumerate(wanted):
            mine = x.copy()
            assert sort(policy, mine, descending=bool(descending)) is mine
            assert mine.tobytes() == expected.tobytes()


@given(x=hnp.arrays(np.float32, st.integers(0, 200)))
@few_examples
def test_any_floats_are_sorted(policy, x):
    np.testing.assert_array_equal(pm.sort(policy, x.copy()), np.sort(x, kind="stable"))
    np.testing.assert_array_equal(pm.sort(policy, x.copy(), descending=True), falling(x))


def any_bits(dtype: str, size: int, random: np.random.Generator) -> Any:
    """Floats with any bits, a third of them zeros, infinities and NaN of both signs."""
    unsigned = np.dtype(f"u{np.dtype(dtype).itemsize}")
    x = random.integers(0, np.iinfo(unsigned).max, size, unsigned, endpoint=True).view(dtype)
    special = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, -np.nan], dtype)
    return np.where(random.random(size) < 0.3, random.choice(special, size), x)


def bits(x: Any) -> Any:
    """Returns the bits of the values as unsigned integers."""
    return x.view(f"u{x.itemsize}")


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_a_sort_moves_all_bits_of_floats_to_the_same_places_under_every_policy(policy, dtype):
    seed = int(np.random.SeedSequence().generate_state(1)[0])
    random = np.random.default_rng(seed)
    for size in (100, 70_000):
        x = any_bits(dtype, size, random)
        for descending in (False, True):
            mine = pm.sort(policy, x.copy(), descending=descending)
            here = pm.sort(pm.seq, x.copy(), descending=descending)
            np.testing.assert_array_equal(bits(mine), bits(here), f"seed {seed}")
            np.testing.assert_array_equal(np.sort(bits(mine)), np.sort(bits(x)), f"seed {seed}")
            zeros = np.signbit(mine[mine == 0])
            assert (zeros == np.sort(zeros)[:: 1 if descending else -1]).all(), f"seed {seed}"
            np.testing.assert_array_equal(mine, (falling if descending else rising)(x))


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "int32"])
def test_a_stable_sort_leaves_all_bits_of_equal_values_in_order(policy, dtype):
    seed = int(np.random.SeedSequence().generate_state(1)[0])
    random = np.random.default_rng(seed)
    for size in (9, 100, 5_000, 70_000):
        x = any_bits(dtype, size, random) if dtype[0] == "f" else random.integers(-9, 9, size)
        x = x.astype(dtype, copy=False)
        for descending in (False, True):
            order = np.argsort(-x if descending else x, kind="stable")
            mine = pm.stable_sort(policy, x.copy(), descending=descending)
            np.testing.assert_array_equal(bits(mine), bits(x[order]), f"seed {seed}")


def test_an_array_of_only_zeros_of_both_signs_is_sorted(policy):
    seed = int(np.random.SeedSequence().generate_state(1)[0])
    random = np.random.default_rng(seed)
    for _ in range(20 if isinstance(policy, pm.execution.DevicePolicy) else 500):
        x = np.zeros(random.integers(30, 1000))
        x[random.random(x.size) < 0.05] = -0.0
        wanted = np.sort(np.signbit(x))[::-1]
        np.testing.assert_array_equal(np.signbit(pm.sort(policy, x)), wanted, f"seed {seed}")


@given(keys=hnp.arrays(np.int64, 100, elements=st.integers(-3, 3)))
@few_examples
def test_equal_keys_leave_their_values_in_order(policy, keys):
    order = np.argsort(keys, kind="stable")
    sorted_keys, rows = pm.sort_by_key(policy, keys.copy(), np.arange(100))
    assert (sorted_keys == keys[order]).all()
    assert (rows == order).all()


def test_values_move_along_with_their_keys(policy, dtype):
    for size in SIZES:
        keys = all_values(dtype, size)
        values = np.arange(size, dtype=np.float32)
        order = np.argsort(keys, kind="stable")
        mine = keys.copy(), values.copy()
        returned = pm.sort_by_key(policy, *mine)
        assert returned[0] is mine[0] and returned[1] is mine[1]
        assert mine[0].tobytes() == keys[order].tobytes()
        assert mine[1].tobytes() == values[order].tobytes()


def test_descending_keys_move_their_values_and_keep_equal_keys_in_order(policy):
    keys = np.array([1, 3, np.nan, 2, 3, 1], np.float32)
    sorted_keys, rows = pm.sort_by_key(
        policy, keys.copy(), np.arange(6, dtype=np.int32), descending=True
    )
    np.testing.assert_array_equal(sorted_keys, np.array([3, 3, 2, 1, 1, np.nan], np.float32))
    assert rows.tolist() == [1, 4, 3, 0, 5, 2]


def test_indices_sort_stably_and_leave_the_array_alone(policy, dtype):
    for size in SIZES:
        x = all_values(dtype, size)
        before = x.copy()
        indices = pm.argsort(policy, x)
        assert indices.dtype == np.int64
        assert (indices == np.argsort(x, kind="stable")).all()
        falls = pm.argsort(policy, x, descending=True)
        assert x.tobytes() == before.tobytes()
        assert x[falls].tobytes() == falling(x).tobytes()
        numbers = x[falls].astype(float)
        equal = numbers[:-1] == numbers[1:]
        assert (np.diff(falls)[equal] > 0).all()


def test_lists_slices_and_read_only_arrays_have_sorting_indices(policy):
    read_only = np.array([2.0, 1.0, 3.0])
    read_only.flags.writeable = False
    for values in (read_only, [2, 1, 3], np.array([2, 9, 1, 9, 3, 9])[::2]):
        assert pm.argsort(policy, values).tolist() == [1, 0, 2]


def test_arrays_without_an_order_have_no_sorting_indices(policy):
    with pytest.raises(ValueError, match=r"shape \(2, 2\): pass one of one dimension"):
        pm.argsort(policy, np.zeros((2, 2)))
    with pytest.raises(TypeError, match="dtype complex128 cannot be sorted"):
        pm.argsort(policy, np.zeros(3, complex))


@pytest.mark.skipif(sys.platform != "linux", reason="the peak is read from /proc")
@pytest.mark.parametrize(("name", "stated"), [("seq", 40), ("par", 50)])
def test_indices_need_the_memory_that_is_stated(name, stated):
    program = f"""
import re
import numpy as np
import pointsman as pm
def peak():
    return 1024 * int(re.search(r"VmHWM:\\s+(\\d+) kB", open("/proc/self/status").read())[1])
x = np.random.default_rng(1).random(4_000_000)
pm.argsort(pm.{name}, x[:100_000])
before = peak()
pm.argsort(pm.{name}, x)
print((peak() - before) / x.size)
"""
    result = subprocess.run(
        [sys.executable, "-c", program], check=True, timeout=120, capture_output=True, text=True
    )
    assert 24 < float(result.stdout) < 1.1 * stated


def test_the_indices_of_a_buffer_are_in_a_buffer(opencl_queue):
    x = np.random.default_rng(1).integers(-9, 9, 1000).astype(np.float32)
    buffer = opencl_queue.buffer(x)
    indices = pm.argsort(pm.device_policy(opencl_queue), buffer)
    assert isinstance(indices, pm.opencl.Buffer)
    assert (opencl_queue.read(indices) == np.argsort(x, kind="stable")).all()
    assert (opencl_queue.read(buffer) == x).all()


@pytest.mark.parametrize("name", ["seq", "par_unseq"])
def test_a_stable_sort_leaves_zeros_of_both_signs_in_order(name):
    zeros = np.where(np.random.default_rng(1).random(70_000) < 0.5, 0.0, -0.0)
    for descending in (False, True):
        mine = pm.stable_sort(getattr(pm, name), zeros.copy(), descending=descending)
        assert mine.tobytes() == zeros.tobytes()


def test_merged_arrays_are_the_sorted_whole(policy, dtype):
    for size in SIZES:
        x = all_values(dtype, size)
        half = size // 3
        for order, descending in ((rising, False), (falling, True)):
            a, b = order(x[:half]), order(x[half:])
            out = np.empty_like(x)
            assert pm.merge(policy, a, b, out, descending=descending) is out
            assert out.tobytes() == order(x).tobytes()


def test_a_merge_of_two_types_has_numpys_common_type(policy):
    merged = pm.merge(policy, np.array([1, 3], np.int32), np.array([2.5], np.float32))
    assert merged.dtype == np.float64
    assert merged.tolist() == [1, 2.5, 3]


def test_a_merge_may_write_over_what_it_reads(policy):
    x = np.array([1, 4, 2, 3])
    assert pm.merge(policy, x[:2], x[2:], out=x) is x
    assert x.tolist() == [1, 2, 3, 4]


def test_every_second_element_of_an_array_can_be_sorted(policy):
    x = np.array([5, 0, 3, 0, 4, 0], np.int32)
    pm.sort(policy, x[::2])
    assert x.tolist() == [3, 0, 4, 0, 5, 0]


def test_a_buffer_is_sorted_where_it_is(opencl_queue):
    x = np.random.default_rng(1).random(1000, np.float32)
    buffer = opencl_queue.buffer(x)
    assert pm.sort(pm.device_policy(opencl_queue), buffer) is buffer
    assert opencl_queue.read(buffer).tobytes() == np.sort(x).tobytes()
    assert pm.sort(pm.auto, buffer, descending=True) is buffer
    assert opencl_queue.read(buffer).tobytes() == np.sort(x)[::-1].tobytes()
    with pytest.raises(TypeError, match="in an OpenCL buffer: use a device policy"):
        pm.sort(pm.par, buffer)


def test_a_device_names_the_types_that_it_does_not_move(opencl_queue):
    on_device, keys, values = pm.device_policy(opencl_queue), np.arange(3), np.zeros(3, complex)
    with pytest.raises(TypeError, match="complex128 is no type of values on devices"):
        pm.sort_by_key(on_device, keys, values)
    assert pm.sort_by_key(pm.auto, keys, values) == (keys, values)


def test_small_values_move_along_with_small_keys_on_a_device(opencl_queue):
    keys = opencl_queue.buffer(np.array([3, -1, 2], np.int8))
    values = opencl_queue.buffer(np.array([True, False, True]))
    pm.sort_by_key(pm.device_policy(opencl_queue), keys, values)
    assert opencl_queue.read(keys).tolist() == [-1, 2, 3]
    assert opencl_queue.read(values).tolist() == [False, True, True]


OTHER_TYPES = [
    ">f2",
    "complex64",
    ">i4",
    "datetime64[s]",
    "timedelta64[s]",
    "longdouble",
    "O",
    "S3",
]


@pytest.mark.parametrize("dtype", OTHER_TYPES)
def test_a_type_without_an_order_here_is_named(dtype):
    with pytest.raises(TypeError, match="cannot be sorted: convert them with .astype()"):
        pm.sort(pm.par, np.zeros(3, dtype))


def test_an_object_that_cannot_be_sorted_in_place_is_named():
    read_only = np.zeros(3)
    read_only.flags.writeable = False
    with pytest.raises(TypeError, match="`a` is a ndarray that cannot be written to"):
        pm.sort(pm.par, read_only)
    with pytest.raises(TypeError, match="`a` is a list that cannot be written to"):
        pm.sort(pm.par, [3, 2])
    with pytest.raises(ValueError, match=r"shape \(2, 2\): pass one of one dimension"):
        pm.sort(pm.par, np.zeros((2, 2)))
    with pytest.raises(ValueError, match="pass one value for each key"):
        pm.sort_by_key(pm.par, np.zeros(3), np.zeros(4))
    with pytest.raises(ValueError, match=r"`out` has the shape \(3,\)"):
        pm.merge(pm.par, np.zeros(2), np.zeros(2), out=np.zeros(3))


def test_auto_says_where_a_sort_ran():
    policy = pm.AutoPolicy([pm.seq, pm.par])
    pm.sort(policy, np.arange(10))
    explanation = policy.explain()
    assert explanation is not None
    assert "pm.seq" in str(explanation)


def test_a_forked_child_sorts_with_seq_and_is_refused_with_par():
    program = (
        "import os, sys, numpy as np, pointsman as pm\n"
        "pm.sort(pm.par, np.ones(300_000))\n"
        "child = os.fork()\n"
        "if child == 0:\n"
        "    assert pm.sort(pm.seq, np.array([2, 1])).tolist() == [1, 2]\n"
        "    for sort in (pm.sort, pm.stable_sort):\n"
        "        for size in (5_000, 20_000, 300_000):\n"
        "            for descending in (False, True):\n"
        "                x = np.arange(1.0, size)\n"
        "                try:\n"
        "                    sort(pm.par, x, descending=descending)\n"
        "                except pm.ForkedProcessError:\n"
        "                    pass\n"
        "                else:\n"
        "                    assert size < 300_000\n"
        "                assert set(x) == set(np.arange(1.0, size))\n"
        "    os._exit(0)\n"
        "sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)


class InterruptionError(Exception):
    pass


@pytest.mark.parametrize("sort", SORTS)
@pytest.mark.parametrize("name", ["seq", "par"])
def test_a_signal_during_a_descending_sort_loses_no_value(name, sort):
    def interrupt(*_: Any) -> None:
        raise InterruptionError

    before = signal.signal(signal.SIGALRM, interrupt)
    wanted = np.arange(300_000)
    try:
        for attempt in range(30):
            x = np.random.default_rng(attempt).permutation(wanted)
            try:
                signal.setitimer(signal.ITIMER_REAL, 1e-4 * (1 + attempt))
                sort(getattr(pm, name), x, descending=True)
                signal.setitimer(signal.ITIMER_REAL, 0)
            except InterruptionError:
                pass
            np.testing.assert_array_equal(np.sort(x), wanted)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_a_sort_by_key_without_memory_for_the_values_leaves_keys_and_values():
    program = """
import resource, numpy as np, pointsman as pm
keys, values = np.arange(1_000)[::-1].copy(), np.zeros(1_000, "V500000")
pm.sort_by_key(pm.seq, keys.copy(), keys.copy())
pages = int(open("/proc/self/statm").read().split()[0])
resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + 2**27,) * 2)
try:
    pm.sort_by_key(pm.seq, keys, values)
except MemoryError:
    assert (keys == np.arange(1_000)[::-1]).all()
else:
    raise AssertionError("there was memory for the values")
"""
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)


def test_a_signal_during_a_sort_by_key_separates_no_value_from_its_key(monkeypatch):
    def interrupt(*_: Any) -> None:
        raise InterruptionError

    keys = np.random.default_rng(1).permutation(400_000)
    values = np.stack([keys, keys], 1).view("V16")[:, 0]
    order = np.argsort(keys)
    monkeypatch.setattr(_host_sorts, "argsort", lambda *_: order)  # the rest takes longer then
    before = signal.signal(signal.SIGALRM, interrupt)
    interruptions = 0
    try:
        for attempt in range(60):
            mine = keys.copy(), values.copy()
            try:
                signal.setitimer(signal.ITIMER_REAL, 2e-4 * (1 + attempt))
                pm.sort_by_key(pm.seq, *mine)
                signal.setitimer(signal.ITIMER_REAL, 0)
            except InterruptionError:
                interruptions += 1
            np.testing.assert_array_equal(mine[1].view(np.int64)[::2], mine[0])
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert interruptions > 0
