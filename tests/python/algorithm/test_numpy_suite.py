# SPDX-License-Identifier: Apache-2.0
"""NumPy's own tests of the functions that pointsman has, with pointsman's in their place.

They come with NumPy. This file is also the plugin of the pytest process that runs them. `EXCLUDED`
lists the exceptions; each of them still runs and must fail, so that outdated entries are noticed.
"""

from __future__ import annotations

import collections
import functools
import importlib
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import pointsman as pm
from pointsman.algorithm._expression import FUNCTIONS

NUMPY = np.lib.NumpyVersion(np.__version__)
CORE = "numpy.core" if NUMPY < "2.0.0" else "numpy._core"
MODULES = [
    "numpy.lib.tests.test_histograms",
    "numpy.lib.tests.test_function_base",
    f"{CORE}.tests.test_multiarray",
    f"{CORE}.tests.test_numeric",
    f"{CORE}.tests.test_umath",
    f"{CORE}.tests.test_ufunc",
]
CLASSES = """TestHistogram TestAny TestAll TestCumsum TestCumprod TestProd TestBincount TestDigitize
TestArgmaxArgminCommon TestArgmax TestArgmin TestMinMax TestNonarrayArgs TestClip TestDivision
TestRemainder TestPower TestFloat_power TestLog2 TestExp2 TestLogAddExp TestLogAddExp2 TestLog
TestExp TestArctan2SpecialValues TestHypot TestHypotSpecialValues TestMaximum TestMinimum TestFmax
TestFmin TestBitwiseUFuncs TestInt TestHeavside TestSign TestAbsoluteNegative TestCbrt TestExpm1
TestLog1p TestComparisons TestAdd TestDivisionIntegerOverflowsAndDivideByZero TestSpecialFloats
TestFPClass TestAVXUfuncs TestAVXFloat32Transcendental TestDegrees TestRadians TestPositive
TestRationalFunctions TestRoundingFunctions TestFloatingPoint TestArrayComparisons""".split()

TESTS = """test_sort test_sort_signed test_sort_unsigned test_sort_axis test_sort_size_0
test_sort_raises test_sort_degraded test_argsort test_sort_descending_signed
test_sort_descending_unsigned test_sort_descending_floats test_argsort_descending_signed
test_argsort_descending_unsigned test_argsort_descending_floats
test_argsort_stable_bool_int_duplicates test_sort_float test_sort_float16 test_sort_int
test_sort_uint test_argsort_float test_argsort_int test_sort_largearrays test_argsort_largearrays
test_sum test_sum_stability test_sum_complex test_sum_initial test_sum_where test_initial_reduction
test_scalar_reduction test_zerosize_reduction test_reduction_with_where
test_empty_reduction_and_identity test_cumsum""".split()
KINDS = [None, "quicksort", "heapsort", "mergesort", "stable", "q", "h", "m", "s"]

WORDS = "the error is the same, in other words"

# The name of a test and why it fails.
EXCLUDED = {
    "test_bool_conversion": "truth values are counted without a warning",
    "test_with_incorrect_minlength": WORDS,
}
# The name of a test and why it is not run.
LEFT_OUT = {
    "test_big_arrays": "it needs 10 GB of memory",
    "test_unary_spurious_fpexception": "it looks for NumPy's own ufuncs in lists of ours",
}
if NUMPY < "2.0.0":
    LEFT_OUT["test_clip_property"] = "the types of two bounds depend on their values together"
    EXCLUDED["test_clip_problem_cases[arr0-0--18446744073709551615-exp0]"] = (
        "a bound beyond 64 bits is refused, not made an object"
    )
else:
    EXCLUDED["test_arr_weights_mismatch"] = WORDS

taken: collections.Counter[str] = collections.Counter()  # calls that pointsman made


def is_array(value: Any) -> bool:
    """Whether `value` is an array of numbers, which are what algorithms take."""
    return type(value) is np.ndarray and value.dtype.kind in "biuf" and value.dtype.itemsize <= 8


def array_of(value: Any) -> Any:
    return value if isinstance(value, (np.ndarray, np.generic)) else np.asarray(value)  # of lists


class Replaced:
    """A function of NumPy whose calls are made by `ours`, unless that returns NotImplemented."""

    is_in_use = False

    def __init__(self, name: str, ours: Callable[..., Any]) -> None:
        self._name = name
        self._ours = ours
        self._numpy = getattr(np, name)
        functools.update_wrapper(self, self._numpy)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if Replaced.is_in_use:  # pointsman calls NumPy's
            return self._numpy(*args, **kwargs)
        Replaced.is_in_use = True
        try:
            result = self._ours(*args, **kwargs)
        finally:
            Replaced.is_in_use = False
        if result is NotImplemented:
            return self._numpy(*args, **kwargs)
        taken[self._name] += 1
        return result

    def __getattr__(self, name: str) -> Any:  # such as np.add.reduce
        return getattr(self._numpy, name)


def fold(op: Any) -> Callable[..., Any]:
    def ours(a: Any, axis: Any = None, dtype: Any = None, out: Any = None, **options: Any) -> Any:
        a = array_of(a)
        if out is not None or not is_array(a):
            return NotImplemented
        return pm.reduce(pm.par, a, op, axis=axis, dtype=dtype, **options)

    return ours


def extreme(op: Any) -> Callable[..., Any]:
    def ours(a: Any, axis: Any = None, out: Any = None, **options: Any) -> Any:
        return fold(op)(a, axis, None, out, **options)

    return ours


def scan(op: Any) -> Callable[..., Any]:
    def ours(a: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> Any:
        a = array_of(a)
        if out is not None or not is_array(a):
            return NotImplemented
        if axis is None:
            a, axis = a.ravel(), 0
        return pm.inclusive_scan(pm.par, a, op, axis=axis, dtype=dtype)

    return ours


def place(find: Any) -> Callable[..., Any]:
    def ours(a: Any, axis: Any = None, out: Any = None, *, keepdims: bool = False) -> Any:
        a = array_of(a)
        if out is not None or not is_array(a):
            return NotImplemented
        found = find(pm.par, a, axis, keepdims=keepdims)
        return np.intp(found) if isinstance(found, int) else found

    return ours


def sort(of: Any) -> Callable[..., Any]:
    def ours(a: Any, axis: Any = -1, kind: Any = None, order: Any = None, **options: Any) -> Any:
        a = np.array(a)  # a copy: pm.sort works in place
        descending = bool(options.pop("descending", None))
        options.pop("stable", None)  # both are
        if order is not None or options or not is_array(a) or kind not in KINDS:
            return NotImplemented
        if axis is None:
            a, axis = a.ravel(), 0
        return of(pm.par, a, axis=axis, descending=descending)

    return ours


def searchsorted(a: Any, v: Any, side: Any = "left", sorter: Any = None) -> Any:
    a = array_of(a)
    if sorter is not None or not is_array(a):
        return NotImplemented
    return pm.searchsorted(pm.par, a, v, side=side)


def bincount(x: Any, /, weights: Any = None, minlength: Any = 0) -> Any:
    x = array_of(x)
    if not is_array(x) or not (x.size or x.dtype.kind in "iu"):  # an empty list
        return NotImplemented
    return pm.bincount(pm.par, x, weights, minlength=minlength)


def histogram(a: Any, bins: Any = 10, range: Any = None, density: Any = None, weights: Any = None):
    a = array_of(a)
    if not is_array(a) or isinstance(bins, str):
        return NotImplemented
    return pm.histogram(pm.par, a, bins, range, density=bool(density), weights=weights)


def clip(a: Any, a_min: Any = None, a_max: Any = None, out: Any = None, **options: Any) -> Any:
    if out is not None or options or not is_array(a) or not a.ndim:
        return NotImplemented
    if not (np.isscalar(a_min) and np.isscalar(a_max)):
        return NotImplemented
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(np, "clip", np.clip._numpy)  # the function that is traced
        return pm.transform(pm.par, lambda x: np.clip(x, a_min, a_max), a)


def holds(ask: Any) -> Callable[..., Any]:
    def ours(a: Any, axis: Any = None, out: Any = None, **options: Any) -> Any:
        a = array_of(a)
        if axis is not None or out is not None or options or not is_array(a):
            return NotImplemented
        return np.bool_(ask(pm.par, lambda x: x != 0, a))

    return ours


def elementwise(function: Any) -> Callable[..., Any]:
    def ours(*args: Any, **kwargs: Any) -> Any:
        if kwargs or not 1 <= len(args) == function.nin <= 2:
            return NotImplemented
        if not all(is_array(each) and each.ndim for each in args):
            return NotImplemented
        return pm.transform(pm.par, function, *args)

    return ours


def replacements() -> dict[str, Callable[..., Any]]:
    replaced: dict[str, Callable[..., Any]] = {
        name: elementwise(function)
        for name, function in FUNCTIONS.items()
        if isinstance(function, np.ufunc)
    }
    replaced.update(sum=fold(np.add), prod=fold(np.multiply))
    replaced.update({name: extreme(np.maximum) for name in ("max", "amax")})
    replaced.update({name: extreme(np.minimum) for name in ("min", "amin")})
    replaced.update(cumsum=scan(np.add), cumprod=scan(np.multiply))
    replaced.update(argmin=place(pm.argmin), argmax=place(pm.argmax))
    replaced.update(
        sort=sort(pm.stable_sort),
        argsort=sort(pm.argsort),
        searchsorted=searchsorted,
        bincount=bincount,
    )
    replaced.update(histogram=histogram, clip=clip, any=holds(pm.any_of), all=holds(pm.all_of))
    return replaced


def pytest_configure() -> None:
    """Called when this file is a plugin, before NumPy's tests import the functions."""
    importlib.import_module(f"{CORE}._rational_tests")  # it adds a loop to NumPy's own np.add
    for name, ours in replacements().items():
        setattr(np, name, Replaced(name, ours))


def is_selected(test: Any) -> bool:
    """Whether a test is of functions that are replaced, and can be run."""
    is_of_class = test.cls is not None and test.cls.__name__ in CLASSES
    return (is_of_class or test.originalname in TESTS) and test.originalname not in LEFT_OUT


def pytest_collection_modifyitems(config: pytest.Config, items: list[Any]) -> None:
    """Called when this file is a plugin: selects the tests, and marks those in `EXCLUDED`."""
    config.hook.pytest_deselected(items=[test for test in items if not is_selected(test)])
    items[:] = [test for test in items if is_selected(test)]
    for test in items:
        reason = EXCLUDED.get(test.name) or EXCLUDED.get(test.originalname)
        if reason is not None:
            test.add_marker(pytest.mark.xfail(reason=reason, strict=True))


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Called when this file is a plugin."""
    for name, count in taken.most_common():
        terminalreporter.write_line(f"pointsman made {count} calls of {name}")


def test_the_tests_of_numpy_pass_with_our_functions(run_suite: Callable[..., str]):
    pytest.importorskip("numpy.lib.tests", reason="NumPy is installed without its tests")
    printed = run_suite(__file__, *MODULES)
    assert all(name in printed for name in EXCLUDED)
    made = set(re.findall(r"pointsman made \d+ calls of (\w+)", printed))
    unused = {name for name in replacements() if name not in FUNCTIONS} - made
    assert not unused
    assert len(made & set(FUNCTIONS)) > 20
