# SPDX-License-Identifier: Apache-2.0
"""Which calls count as the same kind of task."""

from __future__ import annotations

import enum
import functools
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

import pointsman as pm


class Timed(pm.Backend):
    """Reports an invented time, always the same for a resource."""

    def submit(self, selection: pm.Placement, work: Any, /, *args: Any, **kwargs: Any) -> Any:
        selection.report("task_time", 1.0 if selection.resource == "a" else 2.0)
        return None


def is_same_kind(one: tuple[Any, ...], other: tuple[Any, ...], **keywords: Any) -> bool:
    """Returns true if the times of ``one`` (callable and arguments) also count for ``other``."""
    policy = pm.AutoTune(backend=Timed(["a", "b"]))
    for _ in range(12):
        policy.submit(*one)
    return None not in policy.estimates(*other, **keywords)


def work(resource: str, *args: Any, **kwargs: Any) -> None:
    pass


class Mode(enum.Enum):
    FAST = [1]
    EXACT = [2]


class Level(enum.IntEnum):
    FOUR = 4
    FIVE = 5


class Option(enum.Flag):
    A = 1
    B = 2
    C = 4


UNLIKE = [
    (True, False),
    (Mode.FAST, Mode.EXACT),
    (Level.FOUR, Level.FIVE),
    (Option.A | Option.B, Option.A | Option.C),
    (3, 300),
    ("ab", "ab" * 100),
    ([1], [1] * 100),
]


@pytest.mark.parametrize(("one", "other"), UNLIKE, ids=repr)
def test_different_arguments_are_distinguished(one: Any, other: Any):
    assert not is_same_kind((work, one), (work, other))
    assert is_same_kind((work, one), (work, one))


@pytest.mark.parametrize(("one", "other"), UNLIKE, ids=repr)
def test_different_arguments_of_a_partial_are_distinguished(one: Any, other: Any):
    partial = functools.partial
    assert not is_same_kind((partial(work, one),), (partial(work, other),))
    assert not is_same_kind((partial(work, x=one),), (partial(work, x=other),))
    assert is_same_kind((partial(work, one, x=1),), (partial(work, one, x=1),))


@pytest.mark.parametrize(("one", "other"), UNLIKE, ids=repr)
def test_different_default_values_are_distinguished(one: Any, other: Any):
    def with_default(value: Any) -> Callable[..., None]:
        return lambda resource, x=value: None

    def with_keyword_default(value: Any) -> Callable[..., None]:
        return lambda resource, *, x=value: None

    for made in (with_default, with_keyword_default):
        assert not is_same_kind((made(one),), (made(other),))
        assert is_same_kind((made(one),), (made(one),))


@pytest.mark.parametrize(("one", "other"), [(1.0, 2e9), (None, 0), ("sum", "max")], ids=repr)
def test_arguments_of_the_same_size_or_without_one_are_the_same_kind(one: Any, other: Any):
    assert is_same_kind((work, one), (work, other))


def test_numpy_numbers_and_flags_count_as_python_ones():
    numpy = pytest.importorskip("numpy")
    assert not is_same_kind((work, numpy.int64(3)), (work, numpy.int64(10**9)))
    assert is_same_kind((work, numpy.int64(1000)), (work, 1001))
    assert not is_same_kind((work, numpy.bool_(True)), (work, numpy.bool_(False)))
    assert is_same_kind((work, numpy.float64(1)), (work, numpy.float64(1e9)))
    assert not is_same_kind((work, numpy.zeros(3)), (work, numpy.zeros(1000)))


def test_functions_of_one_decorator_are_distinguished():
    def traced(function: Callable[..., Any]) -> Callable[..., Any]:
        def inner(*args: Any) -> Any:
            return function(*args)

        return inner

    def slow(resource: str) -> None:
        pass

    def quick(resource: str) -> None:
        pass

    assert not is_same_kind((traced(slow),), (traced(quick),))
    assert not is_same_kind((traced(traced(slow)),), (traced(traced(quick)),))
    assert is_same_kind((traced(slow),), (traced(slow),))


def test_a_function_that_closes_over_itself_has_a_kind():
    def made() -> Callable[..., Any]:
        def down(resource: str, n: int = 0) -> Any:
            return up(resource, n - 1) if n else None

        def up(resource: str, n: int) -> Any:
            return down(resource, n)

        return down

    assert is_same_kind((made(),), (made(),))


def test_other_values_that_a_function_closes_over_do_not_count():
    def made(n: int) -> Callable[..., Any]:
        return lambda resource: n

    assert is_same_kind((made(1),), (made(1000),))


def test_the_object_of_a_bound_method_counts_as_an_argument():
    class Image:
        def __init__(self, size: int) -> None:
            self.size = size

        def __len__(self) -> int:
            return self.size

        def blur(self, resource: str) -> None:
            pass

    assert not is_same_kind((Image(10).blur,), (Image(1000).blur,))
    assert is_same_kind((Image(1000).blur,), (Image(1001).blur,))
    assert not is_same_kind(([1].append,), (([1] * 100).append,))


def test_callables_of_one_type_are_distinguished_by_name():
    assert not is_same_kind((str.upper,), (str.lower,))
    assert is_same_kind((str.upper,), (str.upper,))
    numpy = pytest.importorskip("numpy")
    assert not is_same_kind((numpy.sin,), (numpy.exp,))
    assert is_same_kind((numpy.sin,), (numpy.sin,))


ALIKE_FOR_HASHES = [
    (lambda resource: -1, lambda resource: -2),
    (lambda resource: 1, lambda resource: 1.0),
    (lambda resource: {"a", "b"} & {resource}, lambda resource: {"a", "c"} & {resource}),
    (lambda resource: "\ud800", lambda resource: "\ud801"),
]


@pytest.mark.parametrize(("one", "other"), ALIKE_FOR_HASHES)
def test_functions_are_distinguished_by_their_constants(one: Any, other: Any):
    assert not is_same_kind((one,), (other,))
    assert is_same_kind((one,), (one,))


def test_the_code_of_a_callable_object_counts():
    def made(body: Callable[..., Any]) -> Any:
        return type("Same", (), {"__call__": body, "__module__": "same"})()

    assert not is_same_kind((made(lambda self, r: 1),), (made(lambda self, r: 2),))
    assert is_same_kind((made(lambda self, r: 1),), (made(lambda self, r: 1),))


class Size(NamedTuple):
    rows: int
    columns: float


EQUAL_KEYS = [((3, 4), Size(3, 4)), ((1, "a", b"b"), (True, "a", b"b")), (-1.0, -1 + 0j)]
UNEQUAL_KEYS = [((-1,), (-2,)), ("a", b"a"), ((), ((),)), (frozenset("ab"), frozenset("ac"))]


@pytest.mark.parametrize(("one", "other"), EQUAL_KEYS, ids=repr)
def test_keys_that_are_equal_are_one_kind(one: Any, other: Any):
    sized = pm.task(work, key=lambda key: key)
    assert is_same_kind((sized, one), (sized, other))


@pytest.mark.parametrize(("one", "other"), UNEQUAL_KEYS, ids=repr)
def test_keys_that_are_not_equal_are_distinguished(one: Any, other: Any):
    sized = pm.task(work, key=lambda key: key)
    assert not is_same_kind((sized, one), (sized, other))
