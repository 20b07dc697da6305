# SPDX-License-Identifier: Apache-2.0
"""Random operations on random types and layouts give NumPy's results, or fail as in NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import pointsman as pm
from pointsman.algorithm._expression import FUNCTIONS

TYPES = "bool int8 uint8 int16 uint16 int32 uint32 int64 uint64 float16 float32 float64".split()
ON_THE_HOST = [*TYPES, ">i4", ">f8", "complex64"]
CONSTANTS = [0, 1, 2, 3, -1, -3, 300, -200, 2**31, 2**40, 2**63, 2**64 - 1, -(2**63), True, False]
CONSTANTS += [0.0, -0.0, 1.0, 2.0, 0.5, -1.0, 2.5, 1e300, np.inf, -np.inf, np.nan]
CONSTANTS += [np.float32(2.5), np.float16(0.1), np.int8(-3), np.uint64(5), np.float64(0.1)]
UNARY = """negative positive absolute invert logical_not isnan isinf isfinite sign square sqrt cbrt
exp exp2 expm1 log log2 log10 log1p sin cos tan arcsin arccos arctan sinh cosh tanh floor ceil trunc
rint conjugate reciprocal fabs signbit arcsinh arccosh arctanh deg2rad rad2deg degrees
radians""".split()
BINARY = [name for name in FUNCTIONS if name not in (*UNARY, "where")]
NEAR = "power pow hypot arctan2 cbrt sqrt exp exp2 expm1 log log2 log10 log1p".split()
NEAR += "sin cos tan arcsin arccos arctan sinh cosh tanh arcsinh arccosh arctanh".split()
NEAR += "float_power logaddexp logaddexp2".split()

pytestmark = pytest.mark.usefixtures("in_small_chunks")


def special(name: str) -> Any:
    """Special values of a type, such as its limits, zeros, infinities and NaN."""
    dtype = np.dtype(name)
    if dtype.kind == "b":
        return np.array([False, True])
    if dtype.kind in "fc":
        some = [0.0, -0.0, 1, -1, 2.5, -3.5, 7, 0.5, -0.25, np.inf, -np.inf, np.nan]
        return np.array([*some, np.finfo(dtype).max, np.finfo(dtype).tiny], dtype)
    limits = np.iinfo(dtype)
    negative = [-1, -2, -7, limits.min + 1] if dtype.kind == "i" else []
    return np.array([limits.min, limits.max, 0, 1, 2, 3, 7, 8, 31, 63, 64, *negative], dtype)


def operation_of(random: np.random.Generator, types: list[str]) -> tuple[str, Any, list[Any]]:
    """Returns a name, a function and its arguments; some functions contain a constant."""
    first, second = (special(str(random.choice(types))) for _ in range(2))
    kind = random.integers(5)
    if kind == 0:
        name = str(random.choice(UNARY))
        return name, FUNCTIONS[name], [first]
    x, y = (each.reshape(-1) for each in np.meshgrid(first, second))
    constant = CONSTANTS[random.integers(len(CONSTANTS))]
    if kind == 1:
        return "where", lambda a, b: np.where(a, b, constant), [x, y]
    name = str(random.choice(BINARY))
    function = FUNCTIONS[name]
    if kind == 2:
        return name, function, [x, y]
    if kind == 3:
        return f"{name} {constant!r}", lambda a: function(a, constant), [first]
    return f"{constant!r} {name}", lambda a: function(constant, a), [first]


def computed(function: Any, *arguments: Any) -> Any:
    """Returns the result of the function as an array, or the exception that it raises."""
    try:
        return np.asarray(function(*arguments))
    except (TypeError, ValueError, OverflowError) as error:
        return error


def same(ours: Any, numpys: Any, name: str, ulps: int = 0) -> None:
    """Asserts equal results or errors; the sign of a zero from a minimum or maximum may differ."""
    if isinstance(numpys, Exception):
        assert isinstance(ours, (TypeError, ValueError, OverflowError)), numpys
        return
    assert not isinstance(ours, Exception), ours
    assert ours.dtype == numpys.dtype
    if numpys.dtype.kind != "f" or not ulps:
        np.testing.assert_array_equal(ours, numpys)
    else:
        near = np.finfo(numpys.dtype)
        np.testing.assert_allclose(ours, numpys, rtol=ulps * near.eps, atol=4 * float(near.tiny))
    is_least_or_greatest = any(each in name for each in ("imum", "fmin", "fmax"))
    if numpys.dtype.kind == "f" and not ulps and not is_least_or_greatest:
        number = numpys == numpys
        np.testing.assert_array_equal(np.signbit(ours)[number], np.signbit(numpys)[number])


@pytest.mark.parametrize("name", ["seq", "par"])
def test_operations_on_the_host_are_numpys(name, random):
    for _ in range(400):
        text, function, arguments = operation_of(random, ON_THE_HOST)
        case = f"{text} of {[each.dtype for each in arguments]}"
        print(case)
        numpys = computed(function, *arguments)
        ours = computed(lambda: pm.transform(getattr(pm, name), function, *arguments))  # noqa: B023
        same(ours, numpys, text)


def check_on_device(policy: Any, text: str, function: Any, *arguments: Any) -> None:
    """Compares with NumPy, except for what devices refuse."""
    ours = computed(lambda: pm.transform(policy, function, *arguments))
    refused = "an exponent that is a number or unsigned", "reciprocal that gives"
    if not any(each in str(ours) for each in refused):
        near = any(name in text.split() for name in NEAR)
        same(ours, computed(function, *arguments), text, 16 if near else 0)


def test_operations_on_a_device_are_numpys(opencl_queue, random):
    for _ in range(8):
        text, function, arguments = operation_of(random, TYPES)
        print(f"{text} of {[each.dtype for each in arguments]}")
        check_on_device(pm.device_policy(opencl_queue), text, function, *arguments)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", [*UNARY, *BINARY])
def test_each_function_on_a_device_is_numpys(opencl_queue, name):
    for dtype in ("int8", "float32"):
        x = special(dtype)
        arguments = [x] if name in UNARY else [each.reshape(-1) for each in np.meshgrid(x, x)]
        check_on_device(pm.device_policy(opencl_queue), name, FUNCTIONS[name], *arguments)


NEAR_THE_LIMITS = {
    "int64": [-(2**63), -1, 0, 1, 2**62, 2**63 - 1],
    "uint64": [0, 1, 2**62, 2**63 - 1, 2**63, 2**64 - 1],
    "uint8": [0, 1, 44, 255],
    "int8": [-128, -1, 0, 44, 127],
}


@pytest.mark.parametrize(
    ("text", "first", "second"),
    [
        ("x < y", "int64", "uint64"),
        ("x <= y", "uint64", "int64"),
        ("x == y", "uint64", "int64"),
        ("x != y", "int8", "uint64"),
        ("x < 300", "uint8", None),
        ("-1 == x", "uint8", None),
        ("x >= -1", "uint64", None),
        ("x > 9223372036854775808", "int64", None),
        ("18446744073709551615 <= x", "uint64", None),
    ],
)
def test_a_device_compares_integers_as_numpy_does(opencl_queue, text, first, second):
    types = [first] if second is None else [first, second]
    values = np.meshgrid(*(np.array(NEAR_THE_LIMITS[name], name) for name in types))
    numpys = computed(eval(f"lambda x, y=None: {text}"), *values)
    same(pm.transform(pm.device_policy(opencl_queue), text, *values), numpys, text)


def test_bools_are_rounded_as_numpy_does(policy):
    x = np.array([True, False])
    for name in ("floor", "ceil", "trunc", "rint"):
        same(pm.transform(policy, f"{name}(x)", x), getattr(np, name)(x), name)


def times_of(policy: Any) -> int:
    """Returns how often a test calls algorithms: less often on a device, whose compiler is slow."""
    return 6 if isinstance(policy, pm.execution.DevicePolicy) else 40


def laid_out(random: np.random.Generator, size: int, dtype: str) -> Any:
    """Returns values in a random one of NumPy's memory layouts."""
    values = random.integers(0, 2 if dtype == "bool" else 6, 3 * size + 3).astype(dtype)
    begin = random.integers(0, 3)
    return [
        values[begin : begin + size],
        values[::3][:size],
        values[: begin + size][::-1][:size],
        values.reshape(3, -1)[:, :size][random.integers(0, 3)],
        np.broadcast_to(values[:1], size),
    ][random.integers(0, 5)]


ALGORITHMS = {
    "transform": (lambda p, x: pm.transform(p, "x + x", x), lambda x: x + x),
    "reduce": (lambda p, x: pm.reduce(p, x), np.add.reduce),
    "max": (lambda p, x: pm.reduce(p, x, "max", initial=1), lambda x: np.max(x, initial=1)),
    "scan": (lambda p, x: pm.inclusive_scan(p, x), np.cumsum),
    "reduce_by_segment": (
        lambda p, x: pm.reduce_by_segment(p, x, x, "max")[1],
        lambda x: x[np.append(True, x[1:] != x[:-1])[: x.size]],
    ),
    "scan by segment": (
        lambda p, x: pm.inclusive_scan_by_segment(p, np.zeros(x.size), x),
        np.cumsum,
    ),
    "copy": (lambda p, x: pm.copy(p, x), np.copy),
    "copy_if": (lambda p, x: pm.copy_if(p, "x > 2", x), lambda x: x[x > 2]),
    "unique": (
        lambda p, x: pm.unique(p, x),
        lambda x: x[np.append(True, x[1:] != x[:-1])[: x.size]],
    ),
    "count_if": (lambda p, x: pm.count_if(p, "x > 2", x), lambda x: np.sum(x > 2)),
    "histogram": (
        lambda p, x: pm.histogram(p, x, 3, (0, 6))[0],
        lambda x: np.histogram(x.astype(float), 3, (0, 6))[0],
    ),
    "searchsorted": (
        lambda p, x: pm.searchsorted(p, np.sort(x), x, side="right"),
        lambda x: np.searchsorted(np.sort(x), x, side="right"),
    ),
    "sort": (lambda p, x: pm.sort(p, x.copy()), np.sort),
    "stable_sort": (
        lambda p, x: pm.stable_sort(p, x.copy(), descending=True),
        lambda x: np.sort(x)[::-1],
    ),
    "merge": (lambda p, x: pm.merge(p, np.sort(x), x[:0]), np.sort),
    "min_element": (
        lambda p, x: pm.min_element(p, x) if x.size else 0,
        lambda x: x.argmin() if x.size else 0,
    ),
}


def test_algorithms_read_any_layout(policy, random):
    for _ in range(times_of(policy)):
        name = str(random.choice(list(ALGORITHMS)))
        ours, numpys = ALGORITHMS[name]
        x = laid_out(random, int(random.choice([0, 1, 2, 7, 40])), str(random.choice(TYPES)))
        print(name, x.dtype, x.shape, x.strides)
        before = x.copy()
        np.testing.assert_array_equal(ours(policy, x), numpys(x))
        np.testing.assert_array_equal(x, before)


WRITERS = {
    "transform": (lambda p, x, out: pm.transform(p, "x + 1", x, out=out), lambda x: x + 1),
    "copy": (lambda p, x, out: pm.copy(p, x, out=out), np.copy),
    "scan": (lambda p, x, out: pm.inclusive_scan(p, x, out=out), np.cumsum),
    "exclusive_scan": (
        lambda p, x, out: pm.exclusive_scan(p, x, 3, out=out),
        lambda x: np.cumsum(np.append(3, x))[:-1],
    ),
    "scan by segment": (
        lambda p, x, out: pm.inclusive_scan_by_segment(p, x, x, "max", out),
        np.copy,
    ),
    "copy_if": (
        lambda p, x, out: pm.copy_if(p, "x > 2", x, out=out),
        lambda x: x[x > 2],
    ),
    "unique": (lambda p, x, out: pm.unique(p, x, out=out), ALGORITHMS["unique"][1]),
}


def test_an_output_may_overlap_the_input_anywhere(policy, random):
    for _ in range(times_of(policy)):
        name = str(random.choice(list(WRITERS)))
        write, numpys = WRITERS[name]
        memory = random.integers(0, 6, 200)
        x, out = (
            memory[start:][:: random.choice([-2, -1, 1, 2])][:40]
            for start in random.integers(0, 60, 2)
        )
        print(name, x.strides, out.strides, x.ctypes.data - out.ctypes.data)
        wanted = numpys(x.copy())
        write(policy, x, out)
        np.testing.assert_array_equal(out[: wanted.size], wanted)


def test_an_array_without_dimensions_has_one_value(policy):
    x = np.array(3)
    assert pm.transform(policy, "x + 1", x).shape == ()
    assert pm.reduce(policy, x) == 3
    assert pm.fill(policy, x, 5) == 5
    assert pm.count_if(policy, "x == 5", x) == 1
    for call in (pm.sort, pm.inclusive_scan):
        with pytest.raises(ValueError, match="one dimension"):
            call(policy, x)
