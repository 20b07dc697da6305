# SPDX-License-Identifier: Apache-2.0
# Algorithms keep what they decide for a call: nothing of it may hold for the next call by mistake.
"""Call sites whose arguments change from call to call give NumPy's results, bit for bit."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import pointsman as pm
from pointsman.algorithm import _fused

TYPES = "bool int8 uint8 int32 int64 uint64 float16 float32 float64 complex64 >f4 >i8".split()
SHAPES = [(0,), (1,), (5,), (100,), (3, 4), (2, 3, 4), (0, 3), (1, 100), (100, 1), (7, 16)]
POLICIES = [pm.seq, pm.par, pm.unseq, pm.par_unseq, pm.AutoPolicy([pm.seq, pm.par])]
FUNCTIONS = [
    *((each, each) for each in (np.hypot, np.fmax, np.logaddexp)),
    ("x + y", np.add),
    ("x * y", np.multiply),
]
Random = np.random.Generator
Outcome = tuple[Any, ...]


def laid_out(random: Random, a: NDArray[Any]) -> NDArray[Any]:
    """The array with a random layout: contiguous, read-only, strided, backwards or unaligned."""
    a, layout = np.asarray(a), random.integers(7)
    if layout == 0:
        a = a.copy()
        a.flags.writeable = bool(random.integers(2))
        return a
    if layout == 1:
        return np.repeat(a, 2, axis=-1)[..., ::2]
    if layout == 2:
        return np.asfortranarray(a)
    if layout == 3:
        return np.ascontiguousarray(a[::-1])[::-1]
    if layout == 4:
        memory = np.empty(a.nbytes + 1, np.uint8)[1:]
        unaligned = memory.view(a.dtype).reshape(a.shape)
        unaligned[...] = a
        return unaligned
    return a.copy()


def array_of(random: Random, shape: tuple[int, ...], dtype: Any, some: Any) -> NDArray[Any]:
    kept = [each for each in some if each >= 0 or np.dtype(dtype).kind not in "bu"]
    return laid_out(random, random.choice(kept, shape).astype(dtype))


def outcome_of(call: Callable[[], Any]) -> Outcome:
    """The type, shape and bits of a result, or the error."""
    try:
        result = np.asarray(call())
    except FloatingPointError as error:
        return FloatingPointError, str(error)
    return result.dtype, result.shape, result.tobytes()


def out_like(random: Random, expected: Outcome, a: NDArray[Any]) -> NDArray[Any] | None:
    """An output for the expected result, of its type or a wider one, or None."""
    if expected[0] is FloatingPointError or random.random() < 0.4:
        return None
    dtype, shape = expected[:2]
    if dtype == a.dtype and shape == a.shape and a.flags.writeable and random.random() < 0.3:
        return a
    wider = random.random() < 0.2 and np.can_cast(dtype, np.float64)
    out = laid_out(random, np.empty(shape, np.float64 if wider else dtype))
    return out if out.flags.writeable else None


def check(random: Random, policy: Any, call: Callable[..., Any], reference: Any, a: Any) -> None:
    """Compares ``call(policy, out)`` with ``reference()``, also where ``out`` is given."""
    with np.errstate(all=str(random.choice(["raise", "ignore"]))):
        expected = outcome_of(reference)
        out = out_like(random, expected, a)
        results: list[Any] = []
        found = outcome_of(lambda: results.append(call(policy, out)) or results[0])
    if out is None:
        assert found == expected
    else:
        assert results[0] is out
        converted = np.frombuffer(expected[2], expected[0]).reshape(expected[1]).astype(out.dtype)
        assert found[1:] == (converted.shape, converted.tobytes())


def elementwise(random: Random, policy: Any, a: NDArray[Any], b: NDArray[Any]) -> None:
    check(
        random, policy, lambda p, out: pm.transform(p, "2*x + y", a, b, out), lambda: 2 * a + b, a
    )
    if a.dtype.kind != "c":
        check(
            random,
            policy,
            lambda p, out: pm.transform(p, "where(x < y, 2*x, x + y)", a, b, out),
            lambda: np.where(a < b, 2 * a, a + b),
            a,
        )
        assert pm.count_if(policy, "x < 2", a) == np.count_nonzero(a < 2)
        kept = pm.copy_if(policy, "x < 2", a)
        assert (kept.dtype, kept.tobytes()) == (a.dtype, a[a < 2].tobytes())
    limit = np.float32(random.integers(5)) if random.integers(2) else int(random.integers(5))
    check(
        random,
        policy,
        lambda p, out: pm.transform(p, lambda x: x * limit, a, out=out),
        lambda: a * limit,
        a,
    )
    check(
        random,
        policy,
        lambda p, out: pm.transform(p, "x*y", a, limit, out),
        lambda: a * limit,
        a,
    )


def broadcasting(random: Random, policy: Any, a: NDArray[Any], b: NDArray[Any]) -> None:
    part = b[tuple(slice(0, 1) if random.integers(2) else slice(None) for _ in b.shape)]
    while part.ndim > 1 and part.shape[0] == 1 and random.integers(2):
        part = part[0]
    part = laid_out(random, part)
    for x, y in ((a, part), (part, a)):
        check(
            random,
            policy,
            lambda p, out, x=x, y=y: pm.transform(p, "2*x + y", x, y, out),
            lambda x=x, y=y: 2 * x + y,
            a,
        )
    if a.dtype.kind != "c":
        assert pm.count_if(policy, "x < y", a, part) == np.count_nonzero(a < part)


def folds(random: Random, policy: Any, a: NDArray[Any], b: NDArray[Any]) -> None:
    op, ufunc = ("+", np.add) if random.integers(2) or a.dtype.kind == "c" else ("max", np.maximum)
    options: dict[str, Any] = {}
    if random.integers(2):
        options["initial"] = 1
    elif op == "max" and a.size == 0:
        return
    if random.integers(2):
        options["axis"] = int(random.integers(-a.ndim, a.ndim))
    if random.integers(2) and (op == "+" or "initial" in options):
        fits = a.shape if random.integers(2) else a.shape[-1:]
        options["where"] = laid_out(random, random.random(fits) < 0.5)
    given = dict(options)
    given.setdefault("axis", None)
    if a.dtype.kind == "c" and "where" in options:
        options.pop("where")
        given.pop("where")
    if random.integers(3) == 0:
        given["keepdims"] = options["keepdims"] = True
    if random.integers(3) == 0 and "where" not in options and a.dtype.kind != "c":
        given["dtype"] = options["dtype"] = ["float64", "int64"][random.integers(2)]
    expected = outcome_of(lambda: ufunc.reduce(a, **given))
    assert outcome_of(lambda: pm.reduce(policy, a, op, **options)) == expected
    if a.dtype.kind in "biuf" and set(options) <= {"initial"}:
        expected = outcome_of(lambda: ufunc.reduce((a * b).reshape(-1), **given))
        assert (
            outcome_of(lambda: pm.transform_reduce(policy, "x*y", a, b, op, **options)) == expected
        )


def halved(ufunc: Any, values: NDArray[Any]) -> Any:
    """The fold of the first half with the second one and so on."""
    while len(values) > 1:
        half = len(values) // 2
        middle = values[half : len(values) - half]
        values = ufunc(values[:half], values[len(values) - half :])
        if len(middle):
            values[:1] = ufunc(middle, values[:1])
    return values[0]


def folds_by_functions(random: Random, policy: Any, a: NDArray[Any], b: NDArray[Any]) -> None:
    if a.size and a.dtype.kind == "f":
        op: Any
        op, ufunc = FUNCTIONS[random.integers(len(FUNCTIONS))]
        a = a.copy()
        if random.integers(2):
            a[random.random(a.shape) < 0.3] = np.nan
            a[random.random(a.shape) < 0.3] *= -1
        values = np.ascontiguousarray(a).reshape(-1)
        values = values.astype(a.dtype.newbyteorder("="))
        with np.errstate(all=str(random.choice(["raise", "ignore"]))):
            expected = outcome_of(lambda: halved(ufunc, values))
            assert outcome_of(lambda: pm.reduce(policy, a, op)) == expected


def scans(random: Random, policy: Any, a: NDArray[Any], b: NDArray[Any]) -> None:
    if a.dtype.kind == "c":
        return
    axis = int(random.integers(-a.ndim, a.ndim))
    op, ufunc = ("+", np.add) if random.integers(2) else ("max", np.maximum)
    given = None if a.ndim == 1 and random.integers(2) else axis
    check(
        random,
        policy,
        lambda p, out: pm.inclusive_scan(p, a, op, out=out, axis=given),
        lambda: ufunc.accumulate(a, axis),
        a,
    )


def sorts(random: Random, policy: Any, a: NDArray[Any], b: NDArray[Any]) -> None:
    if a.dtype.kind == "c" or not a.dtype.isnative:
        return
    axis = int(random.integers(-a.ndim, a.ndim))
    order, expected = pm.argsort(policy, a, axis=axis), np.argsort(a, axis, "stable")
    assert (order.dtype, order.tobytes()) == (expected.dtype, expected.tobytes())
    sort = pm.sort if random.integers(2) else pm.stable_sort
    a = np.abs(a)  # NumPy leaves the order of zeros of both signs open
    if random.integers(2):
        a = laid_out(random, a)
        a = a if a.flags.writeable else a.copy()
    is_descending = bool(random.integers(2))
    expected = np.sort(a, axis)
    expected = np.flip(expected, axis) if is_descending else expected
    assert sort(policy, a, descending=is_descending, axis=axis) is a
    assert (a.dtype, a.tobytes()) == (expected.dtype, expected.tobytes())


def merges(random: Random, policy: Any, a: NDArray[Any], b: NDArray[Any]) -> None:
    if a.ndim != 1 or "c" in a.dtype.kind + b.dtype.kind:
        return
    a, b = (laid_out(random, np.sort(np.abs(each))) for each in (a, b))
    expected = np.sort(np.concatenate([a, b]), kind="stable")
    merged = pm.merge(policy, a, b)
    assert (merged.dtype, merged.tobytes()) == (expected.dtype, expected.tobytes())


SITES = [elementwise, broadcasting, folds, folds_by_functions, merges, scans, sorts]


def call_sites(random: Random, count: int) -> None:
    """Calls random sites of this file with arguments that change each time."""
    for _ in range(count):
        dtypes = [str(each) for each in random.choice(TYPES, 2)]
        some = [0, 1, 2, 3, 0.5, -1, -0.0]
        shape = SHAPES[random.integers(len(SHAPES))]
        # An overflow now and then, but only where each site reports it as NumPy does.
        if random.integers(4) == 0 and dtypes[0] == "float16":
            some.append(40_000)
            dtypes[1] = "float16"
        a, b = (array_of(random, shape, dtype, some) for dtype in dtypes)
        policy = POLICIES[random.integers(len(POLICIES))]
        has_overflow = 40_000 in some
        sites = [elementwise, folds_by_functions] if has_overflow else SITES
        sites[random.integers(len(sites))](random, policy, a, b)


@pytest.mark.parametrize("_run", range(5))
def test_random_calls_are_numpys(random, _run):
    call_sites(random, 400)


def test_random_calls_from_several_threads_are_numpys(random):
    seeds = random.integers(2**32, size=7).tolist()
    barrier = threading.Barrier(len(seeds))
    raised: list[BaseException] = []

    def run(seed: int) -> None:
        barrier.wait()
        try:
            call_sites(np.random.default_rng(seed), 200)
        except BaseException as error:
            raised.append(error)

    threads = [threading.Thread(target=run, args=(seed,)) for seed in seeds]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert not raised, raised[0]


def test_what_is_kept_for_a_function_holds_for_its_types_alone():
    f = "2*x + y"
    for _ in range(3):
        for dtypes in (("f4", "f4"), ("f4", "f8"), ("i4", "f4"), ("u1", "u1"), (">f4", "f4")):
            a, b = (np.arange(5).astype(each) for each in dtypes)
            expected = 2 * a + b
            for policy in (pm.seq, pm.par):
                result = pm.transform(policy, f, a, b)
                assert (result.dtype, result.tolist()) == (expected.dtype, expected.tolist())
            assert pm.transform_reduce(pm.seq, f, a, b) == expected.sum()


def test_more_functions_than_are_kept():
    x, y = np.arange(4.0), np.ones(4)
    for _ in range(3):
        for i in range(1_100):
            assert pm.transform(pm.seq, f"x + {i}*y", x, y)[3] == 3 + i


def test_functions_of_python_are_asked_at_each_call():
    x = np.arange(4.0)
    for i in range(5):
        assert pm.transform(pm.seq, lambda v, i=i: v + i, x)[3] == 3 + i


class Text(str):
    """Text that says something else each time."""

    times = 0

    def __str__(self) -> str:
        Text.times += 1
        return f"x + {Text.times}"


def test_text_of_other_classes_is_read_at_each_call():
    f, x = Text("x"), np.zeros(3)
    results = [pm.transform(pm.seq, f, x)[0] for _ in range(4)]
    assert len(set(results)) == 4


def test_only_policies_of_the_host_are_taken_for_such():
    for wrong in (None, pm.par.name, pm.seq.__class__):
        with pytest.raises(TypeError, match="the first argument is .*: pass pm.seq"):
            pm.transform_reduce(wrong, "x*y", np.ones(3), np.ones(3))


class Doubled(float):
    """A number whose class does not fix what it is."""

    def __pos__(self) -> float:
        return float(self) * 2


def test_numbers_beside_an_array_change_from_call_to_call(random):
    sub_float = Doubled(3)
    numbers: list[Any] = [0.0, -0.0, 1, 1.0, True, np.nan, -np.nan, 2**40, 0.5, 10.0**30]
    numbers += [np.float32(0.1), np.float64(0.1), np.int8(1), np.uint64(1), np.bool_(True)]
    arrays = [np.arange(-2, 3).astype(of) for of in ("float32", "float64", "int64")]
    arrays += [np.arange(5.0)[::2], np.arange(5).astype(">f8")]
    for _ in range(600):
        a = arrays[random.integers(len(arrays))]
        number = numbers[random.integers(len(numbers))]
        if random.random() < 0.3 and type(number) is float:
            number = number + 0.0  # an equal number that is another object
        for f, ufunc in (("x + y", np.add), ("y / x", lambda x, y: y / x)):
            with np.errstate(all="ignore"):
                expected = ufunc(a, number)
                ours = pm.transform(pm.seq, f, a, number)
            assert (ours.dtype, ours.tobytes()) == (expected.dtype, expected.tobytes())
        assert pm.count_if(pm.par, "x > y", a, number) == np.count_nonzero(a > number)
    for _ in range(4):
        assert pm.transform(pm.seq, "x + y", arrays[1], sub_float)[2] == 3


def test_no_program_is_made_for_a_number_of_one_call(monkeypatch):
    made: list[Any] = []
    make = _fused._made
    monkeypatch.setattr(
        _fused, "_made", lambda *args, **named: made.append(1) or make(*args, **named)
    )
    a = np.arange(5_000.0)
    for number in np.linspace(0.123, 0.456, 7).tolist():
        ours = pm.transform(pm.seq, "3*x + y*x - x", a, number)
        assert ours.tobytes() == (3 * a + number * a - a).tobytes()
    assert not made
    for _ in range(4):
        ours = pm.transform(pm.seq, "3*x + y*x - x", a, number)
        assert ours.tobytes() == (3 * a + number * a - a).tobytes()
    assert made


def test_functions_for_plain_arguments_need_all_of_them():
    from pointsman.algorithm._plain import operands_for, plain, readable

    for function in (plain, readable):
        with pytest.raises(TypeError, match="pass a policy and one or two arrays"):
            function(pm.seq)
    with pytest.raises(TypeError, match="pass a policy, a function, an array and another one"):
        operands_for(pm.seq, "x", np.ones(3))
