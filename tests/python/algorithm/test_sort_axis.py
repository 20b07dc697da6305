# SPDX-License-Identifier: Apache-2.0
"""Sorts along an axis order each line as the sorts of one dimension do."""

from __future__ import annotations

import subprocess
import sys
import threading
import tracemalloc
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from typing import Any

import numpy as np
import pytest
from algorithm.references import WRONG_AXES, assert_identical, few_examples
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import pointsman as pm
from pointsman import _algorithm
from pointsman.algorithm import _host_line_sorts, _plain

# Small ones, and ones with short, long, few and many lines along some axis.
SHAPES = [
    (3,),
    (1, 1),
    (4, 5),
    (2, 3, 4),
    (3, 1, 2, 5),
    (20_000, 3),
    (2, 66_000),
    (30, 7, 33),
    (5, 600, 20),
]
SORTS: list[Any] = [pm.sort, pm.stable_sort]


def any_bits(dtype: np.dtype[Any], shape: Any, random: np.random.Generator) -> Any:
    """Values of any bits; a third of the floats are zeros, infinities and NaN of both signs."""
    if dtype.kind == "b":
        return random.integers(0, 2, shape).astype(bool)
    bits = random.integers(0, 256, (*shape, dtype.itemsize), np.uint8).view(dtype)[..., 0]
    if dtype.kind != "f":
        return bits
    special = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, -np.nan], dtype)
    return np.where(random.random(shape) < 0.3, random.choice(special, shape), bits)


def line_by_line(f: Any, x: Any, axis: int, dtype: Any = None) -> Any:
    """Calls ``f`` for each line and returns what it returns in the places of the lines."""
    results = np.empty(x.shape, dtype or x.dtype)
    for line, result in zip(
        np.moveaxis(x, axis, -1).reshape(-1, x.shape[axis]),
        np.ndindex(*np.delete(x.shape, axis)),
        strict=True,
    ):
        np.moveaxis(results, axis, -1)[result] = f(line)
    return results


def check(policy: Any, x: Any, axis: int, descending: bool) -> None:
    """Compares the bits of all sorts with those of one dimension."""
    on_host = pm.seq if x.shape[axis] < 1_000 else pm.par
    for sort in SORTS:
        of_line = partial(sort, on_host, descending=descending)
        wanted = line_by_line(lambda a, of_line=of_line: of_line(a.copy()), x, axis)
        mine = x.copy()
        assert sort(policy, mine, descending=descending, axis=axis) is mine
        assert_identical(mine, wanted)
    before = x.copy()
    indices = pm.argsort(policy, x, descending=descending, axis=axis)
    assert_identical(x, before)
    wanted = line_by_line(
        lambda a: pm.argsort(on_host, a, descending=descending), x, axis, np.int64
    )
    assert_identical(indices, wanted)


def test_lines_are_sorted_as_arrays_of_one_dimension_are(policy, dtype, random):
    for shape in SHAPES:
        x = any_bits(dtype, shape, random)
        for axis in range(-1, len(shape) - 1):
            if x.size // shape[axis] <= 500:
                check(policy, x, axis, descending=bool(random.integers(2)))


def test_many_short_lines_are_sorted_as_numpy_does(policy, dtype):
    x = np.random.default_rng(1).integers(0, 2, (20_000, 4)).astype(dtype)
    for axis, shape in ((1, (20_000, 4)), (0, (4, 20_000)), (1, (10, 4, 2_000))):
        y = x.reshape(shape)
        for sort in SORTS:
            assert_identical(sort(policy, y.copy(), axis=axis), np.sort(y, axis, "stable"))
        assert_identical(pm.argsort(policy, y, axis=axis), np.argsort(y, axis, "stable"))


@pytest.mark.parametrize("shape", [(9_000, 60), (60, 9_000), (3, 90, 2_000)])
def test_threads_sort_lines_as_one_does(dtype, shape, random):
    x = any_bits(dtype, shape, random)
    for sort in SORTS:
        for axis in range(-1, len(shape) - 1):
            descending = bool(random.integers(2))
            wanted = sort(pm.seq, x.copy(), axis=axis, descending=descending)
            assert_identical(sort(pm.par, x.copy(), axis=axis, descending=descending), wanted)


@few_examples
@given(data=st.data(), dtype=st.sampled_from(["float16", "float32", "float64"]))
def test_special_values_are_sorted_as_in_one_dimension(policy, data, dtype):
    some = st.sampled_from([0.0, -0.0, 1.0, -2.0, np.inf, -np.inf, np.nan, -np.nan])
    x = data.draw(hnp.arrays(dtype, hnp.array_shapes(max_dims=3, max_side=9), elements=some))
    check(policy, x, data.draw(st.integers(0, x.ndim - 1)), data.draw(st.booleans()))


@pytest.fixture
def new_choices(monkeypatch):
    """Makes sorts of lines measure NumPy and C++, which no test has done yet."""
    monkeypatch.setattr(_host_line_sorts, "MAY_BE_FASTER", True)
    monkeypatch.setattr(_host_line_sorts, "_choices", {})
    monkeypatch.setattr(
        _host_line_sorts, "_measured", cache(_host_line_sorts._measured.__wrapped__)
    )


@pytest.mark.parametrize("shape", [(6, 40, 5), (1, 1_200, 1)])
def test_either_library_sorts_lines_alike(dtype, shape, new_choices, monkeypatch):
    x = any_bits(dtype, shape, np.random.default_rng(3))

    def sorted_lines(choice_for: Any) -> list[Any]:
        """What is sorted, after all that was chosen before is forgotten."""
        monkeypatch.setattr(_host_line_sorts, "_choice_for", choice_for)
        _host_line_sorts._choices.clear()
        return [
            sort(policy, x.copy(), descending=descending, axis=1)
            for sort in SORTS
            for policy in (pm.seq, pm.par)
            for descending in (False, True)
        ]

    def only(library: Any) -> Any:
        return lambda lines, *options: _host_line_sorts._Choice(library(lines.dtype.char, *options))

    by_numpy = sorted_lines(only(_host_line_sorts._numpy))
    for found in zip(sorted_lines(only(_host_line_sorts._cpp)), by_numpy, strict=True):
        assert_identical(found[1], found[0])


@pytest.mark.parametrize("is_descending", [False, True])
def test_float64_is_sorted_by_its_bits_as_in_cpp(is_descending):
    lines = any_bits(np.dtype("d"), (30, 700), np.random.default_rng(3))
    wanted = lines.copy()
    _host_line_sorts._cpp("d", False, is_descending, False)(wanted)
    _host_line_sorts.float64_by_bits(is_descending)(lines)
    assert_identical(lines, wanted)


class Libraries:
    """Sorts, called by letters, that take the ``times`` by the clock that a choice looks at."""

    def __init__(self, monkeypatch: Any, names: str) -> None:
        self.times = {"a": 100, "b": 120, "c": 120}
        self._called = ""
        self._now = 0
        choice = _host_line_sorts._Choice(*map(self._sort, names))
        monkeypatch.setattr(_host_line_sorts, "perf_counter_ns", lambda: self._now)
        monkeypatch.setattr(_host_line_sorts, "_choices", {(1, False, False, False): choice})

    def calls(self, count: int) -> str:
        """The sorts that so many calls use."""
        self._called = ""
        for _ in range(count):
            _host_line_sorts.sort_lines_of(1, pm.seq, np.ones(1), False, False)
        return self._called

    def _sort(self, name: str) -> Any:
        def sort(_lines: Any) -> None:
            self._called += name
            self._now += self.times[name]

        return sort


@pytest.fixture
def libraries(monkeypatch):
    return Libraries(monkeypatch, "ab")


@pytest.mark.parametrize("faster", "ab")
def test_the_faster_library_is_used_for_more_and_more_calls_between_trials(libraries, faster):
    libraries.times = {"a": 150, "b": 150, faster: 100}
    for kept in (63, 126, 252, 255, 255):
        assert libraries.calls(6) == "ababab"
        assert libraries.calls(kept) == faster * kept


@pytest.mark.parametrize("fastest", "abc")
def test_the_fastest_one_of_three_sorts_is_used(monkeypatch, fastest):
    libraries = Libraries(monkeypatch, "abc")
    libraries.times = {"a": 150, "b": 149, "c": 148, fastest: 100}
    assert libraries.calls(9) == "abcabcabc"
    assert libraries.calls(63) == fastest * 63
    assert libraries.calls(9) == "abcabcabc"


def test_the_slowest_trials_do_not_decide(libraries):
    libraries.times = {"a": 1_000_000, "b": 1_000_000}
    libraries.calls(4)
    libraries.times = {"a": 100, "b": 120}
    libraries.calls(2)
    assert libraries.calls(63) == "a" * 63


@pytest.mark.parametrize("times", [(900, 300), (20, 10), (121, 120)])
def test_other_values_are_measured_within_255_calls(libraries, times):
    libraries.calls(6 * 99)
    libraries.times = dict(zip("ab", times, strict=True))
    found = libraries.calls(6 + 255 + 6 + 63 + 6)
    assert "b" * 63 in found


def test_calls_of_many_values_are_kept_for_a_second(libraries):
    libraries.times = {"a": 10_000_000, "b": 12_000_000}
    for kept in (63, 83, 83):
        assert libraries.calls(6) == "ababab"
        assert libraries.calls(kept) == "a" * kept
    libraries.times = {"a": 1_000_000_000, "b": 900_000_000}
    assert libraries.calls(6 + 63) == "ababab" + "b" * 63


def test_threads_that_share_a_choice_reach_one(new_choices):
    x = np.random.default_rng(1).random(3_000)

    def sort(_: int) -> None:
        for _ in range(100):
            assert_identical(pm.sort(pm.seq, x.copy()), wanted)

    wanted = np.sort(x)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(sort, range(8)))
    (choice,) = _host_line_sorts._choices.values()
    assert choice.kept >= _host_line_sorts.KEPT


def test_kinds_of_lines_differ_in_type_and_size():
    def kind(shape: Any, dtype: Any = np.float32, axis: int | None = -1) -> int:
        return _plain.line_kind(np.empty(shape, dtype), axis)

    types = "?bBhHiIlLqQefd"
    assert len({0, *(kind(9, each) for each in types)}) == len(types) + 1
    most = _host_line_sorts.CHUNK
    for size in (0, _host_line_sorts.SHORT - 1, *range(1_024, most + 1, 1_024)):
        assert kind(size) != kind(size + 1)
    assert kind(40_000) == kind(50_000)
    assert len({kind(most * 2**i) for i in range(1, 16)}) == 15
    lines = [(8, 2), (4, 4), (2, 8), (16, 2), (4, 8)]
    assert len({kind(16), *map(kind, lines)}) == 6
    assert kind((2, 2, 4)) == kind((4, 4)) == kind((4, 4), axis=1) != kind((4, 4), np.int32)
    assert kind(9, axis=None) == kind(9, axis=0) == kind(9)
    assert kind((512, 512)) and not kind((512, 513))  # more values are sorted in blocks
    assert [kind((4, 4), axis=axis) for axis in (0, 2, -2, None, 2**70)] == [0] * 5
    others = np.empty(()), np.empty(4, complex), np.empty(4, ">f4"), np.empty(8)[::2], [1.0]
    assert [_plain.line_kind(other, -1) for other in others] == [0] * 5


@pytest.mark.parametrize("shape", [(30, 100), 3000, 70_000])
def test_both_libraries_are_measured(shape, new_choices):
    for _ in range(20):
        x = np.random.default_rng(1).random(shape)
        assert_identical(pm.sort(pm.seq, x.copy(), axis=-1), np.sort(x))
    (choice,) = _host_line_sorts._choices.values()
    assert choice.left > 0


def test_lines_of_similar_number_and_length_share_what_is_measured(new_choices):
    def choices(*shapes: Any) -> set[int]:
        _host_line_sorts._choices.clear()
        for shape in shapes:
            pm.sort(pm.seq, np.ones(shape), axis=-1)
        return set(map(id, _host_line_sorts._choices.values()))

    assert len(choices(2_100, 2_101, 4_000, (1, 3_000))) == 1
    assert len(choices(2_000, 2_100, 4_100, (2, 2_000))) == 4


def test_no_sort_is_measured_with_the_loading_of_its_module():
    program = """
import sys, numpy as np, pointsman as pm
from pointsman.algorithm import _host_line_sorts
_host_line_sorts.MAY_BE_FASTER = True
try_next = _host_line_sorts._Choice.try_next
def check(*given):
    print("pointsman._algorithm" in sys.modules)
    try_next(*given)
_host_line_sorts._Choice.try_next = check
assert "pointsman._algorithm" not in sys.modules
pm.sort(pm.seq, np.arange(3000))
"""
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert (run.stdout, run.stderr) == ("True\n", "")


@pytest.mark.parametrize(
    ("name", "dtype"), [("has_one_order", np.float64), ("order_as_floats", np.int64)]
)
def test_a_pass_before_or_after_a_sort_by_numpy_lets_other_threads_run(name, dtype):
    run = getattr(_algorithm, name)
    x = np.full(10_000_000, -1, dtype)
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1_000)  # seconds: a thread runs until it frees the GIL
    try:
        for _ in range(100):  # the other thread may wake up late
            go, ran = threading.Lock(), []
            go.acquire()
            other = threading.Thread(target=lambda go=go, ran=ran: go.acquire() and ran.append(1))
            other.start()
            go.release()
            run(x)
            has_run = bool(ran)
            other.join()
            if has_run:
                return
    finally:
        sys.setswitchinterval(interval)
    pytest.fail("no other thread ran in any of 100 calls")


def test_arrays_with_gaps_are_sorted_in_place(policy):
    x = np.random.default_rng(1).integers(0, 99, (30, 40, 2)).astype(np.float32)
    for axis in (0, 1):
        for view in (x.copy()[..., 1], x.copy()[::-1, ::-1, 0], x[..., 0].T.copy().T):
            wanted = np.sort(view, axis)
            assert pm.sort(policy, view, axis=axis) is view
            assert_identical(view, wanted)
            assert_identical(pm.argsort(policy, view, axis=axis), np.argsort(view, axis, "stable"))


def test_a_buffer_is_sorted_where_it_is(device_policy, opencl_queue):
    for dtype in ("float32", "int8", "float16", "bool"):
        x = any_bits(np.dtype(dtype), (20, 30), np.random.default_rng(1))
        buffer = opencl_queue.buffer(x)
        indices = pm.argsort(device_policy, buffer, axis=0)
        assert isinstance(indices, pm.opencl.Buffer)
        assert_identical(opencl_queue.read(indices), np.argsort(x, 0, "stable"))
        assert_identical(opencl_queue.read(buffer), x)
        for sort in SORTS:
            assert sort(device_policy, buffer, axis=1) is buffer
        assert_identical(opencl_queue.read(buffer), pm.sort(pm.seq, x, axis=1))
    with pytest.raises(TypeError, match="in an OpenCL buffer: use a device policy"):
        pm.sort(pm.par, buffer, axis=0)


def test_sorts_wait_for_earlier_commands_of_an_out_of_order_queue(opencl_queue):
    queue = pm.opencl.Queue(opencl_queue.device, out_of_order=True)
    policy = pm.device_policy(queue)
    x = np.arange(300_000, dtype=np.int32).reshape(150, 2_000) * 7_919 % 1_001
    for axis in (0, 1):
        doubled = pm.transform(policy, "2*x", queue.buffer(x))
        ours = pm.argsort(policy, doubled, axis=axis)
        assert_identical(queue.read(ours), np.argsort(x, axis, "stable"))
        assert_identical(queue.read(pm.sort(policy, doubled, axis=axis)), np.sort(2 * x, axis))


@pytest.mark.parametrize("shape", [(2_000, 1_000), (100, 20_000), (4_000, 250)])
def test_a_sort_in_place_needs_little_memory(shape):
    x = np.random.default_rng(1).random(shape)
    for axis in (0, 1):
        tracemalloc.start()
        pm.sort(pm.seq, x, descending=True, axis=axis)
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert most < x.nbytes / 4


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_negative_zeros_and_nan_have_no_one_order(dtype):
    limits = np.finfo(dtype)
    kept = [limits.smallest_subnormal, limits.tiny, 1, limits.max, np.inf]
    for size in (*range(1, 40), 100, 131):  # parts before, within and after whole cache lines
        for place in range(size):
            values = np.ones(size, dtype)
            for value in (0.0, *kept, *np.negative(kept)):
                values[place] = value
                assert _algorithm.has_one_order(values)
            for value in (-0.0, np.nan, -np.nan):
                values[place] = value
                assert not _algorithm.has_one_order(values)
    assert _algorithm.has_one_order(values[:0])


@few_examples
@given(data=st.data(), dtype=st.sampled_from(["float16", "float32", "float64"]))
def test_sorted_bits_are_ordered_as_floats(data, dtype):
    x = any_bits(
        np.dtype(dtype),
        data.draw(hnp.array_shapes(max_dims=3, max_side=20)),
        np.random.default_rng(data.draw(st.integers(0, 99))),
    )
    if data.draw(st.booleans()):
        x = data.draw(st.sampled_from([np.abs, np.negative]))(np.abs(x))
    wanted = x.copy()
    _algorithm.sort(wanted, False)
    bits = x.view(f"i{x.itemsize}")
    bits.sort()
    _algorithm.order_as_floats(bits)
    assert_identical(x, wanted)


@pytest.mark.parametrize("sort", SORTS)
@pytest.mark.parametrize("dtype", ["float64", "int64", "float32", "float16"])
def test_values_at_an_odd_address_are_sorted(policy, sort, dtype):
    memory = np.empty(8 * 300 + 1, np.uint8)[1:]
    x = memory[: 300 * np.dtype(dtype).itemsize].view(dtype)
    assert not x.flags.aligned
    for shape in [(300,), (3, 100)]:
        x[:] = np.arange(300)[::-1]
        assert_identical(sort(policy, x.reshape(shape), axis=-1), np.sort(x.reshape(shape)))
        assert_identical(pm.argsort(policy, x), np.argsort(x, kind="stable"))


def test_axes_of_nothing_are_sorted(policy):
    for shape in [(0, 3), (3, 0), (2, 0, 4), (0, 600), (2, 0, 512)]:
        x = np.empty(shape, np.float32)
        for axis in range(len(shape)):
            assert pm.sort(policy, x, axis=axis) is x
            assert_identical(pm.argsort(policy, x, axis=axis), np.argsort(x, axis))


@pytest.mark.parametrize(("axis", "error", "said"), WRONG_AXES)
def test_wrong_axes_are_refused(policy, axis, error, said):
    for sort in (*SORTS, pm.argsort):
        with pytest.raises(error, match=said):
            sort(policy, np.ones((2, 2)), axis=axis)
        with pytest.raises(ValueError, match=r"has the shape \(\): pass one of one dimension"):
            sort(policy, np.array(1.0), axis=0)
    with pytest.raises(TypeError, match="dtype complex128 cannot be sorted"):
        pm.sort(policy, np.ones((2, 2), complex), axis=0)
