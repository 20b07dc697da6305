# SPDX-License-Identifier: Apache-2.0
"""Objects that are half initialised, initialised twice, copied or pickled: an error at worst."""

from __future__ import annotations

import asyncio
import copy
import gc
import importlib
import pickle
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import pointsman as pm

MODULES = ["pointsman._core", "pointsman._opencl", "pointsman._algorithm", "pointsman._demo"]
OWN = [pm.PolicyBase, pm.ScoredPolicy]


def classes() -> Iterator[type]:
    for name in MODULES:
        try:
            module = importlib.import_module(name)
        except ImportError:  # without the OpenCL loader
            continue
        for value in vars(module).values():
            if isinstance(value, type) and value.__module__ == name:
                yield value
    yield from OWN


CLASSES = sorted(classes(), key=lambda cls: cls.__name__)


@pytest.fixture(params=CLASSES, ids=lambda c: c.__name__)
def cls(request: pytest.FixtureRequest) -> Any:
    """Each class of the extension modules, and the classes that users derive from."""
    return request.param


def half_made(cls: Any) -> Iterator[Any]:
    """Objects of the class and of a derived one, whose `__init__` was never called."""
    try:
        yield cls.__new__(cls)
    except TypeError as error:
        assert "instances" in str(error) or "not safe" in str(error)
        return
    derived: Any = type("Derived", (cls,), {"__init__": lambda self: None})
    yield derived.__new__(derived)


ARGUMENTS: list[tuple[Any, ...]] = [(), (1,), (abs,), (abs, 1), (1, abs, 2), ("task_completion",)]
EXPECTED = (TypeError, AttributeError, NotImplementedError)
NOT_CALLED = {"__class__", "__init__", "__init_subclass__", "__new__", "__subclasshook__"}


def use(half: Any) -> Iterator[tuple[str, BaseException | None]]:
    """Read every attribute, call every method and operator, run every coroutine; return what each
    one raised."""
    for name in sorted(set(dir(half)) - NOT_CALLED):
        for arguments in [*ARGUMENTS, (half,), (None, half)]:
            try:
                attribute = getattr(half, name)
                if not callable(attribute):
                    yield name, None
                    break
                result = attribute(*arguments)
                if asyncio.iscoroutine(result):
                    asyncio.run(result)
            except Exception as error:
                yield name, error
            else:
                yield name, None


def test_an_object_without_its_init_refuses_every_use(cls: Any):
    for half in half_made(cls):
        for name, error in use(half):
            if not name.startswith("__"):
                assert error is None or isinstance(error, EXPECTED), name
        gc.collect()


@pytest.mark.parametrize(
    "cls",
    [cls for cls in CLASSES if next(half_made(cls), None) is not None],
    ids=lambda c: c.__name__,
)
def test_a_method_before_the_init_of_the_base_says_what_to_call(cls: Any):
    class Derived(cls):  # type: ignore[misc]
        def __init__(self, method: str) -> None:
            getattr(self, method)()

    said = 0
    for method in sorted(set(dir(cls)) - set(dir(object))):
        with pytest.raises(Exception) as caught:  # noqa: PT011
            Derived(method)
        said += "call super().__init__() in its __init__()" in str(caught.value)
    assert said > 0


POLICIES: dict[Any, Callable[[Any], object]] = {
    pm.FixedResource: lambda policy: policy.submit(lambda resource: 1),
    pm.RoundRobin: lambda policy: policy.get_resources(),
    pm.DynamicLoad: lambda policy: policy.loads(),
    pm.AutoTune: lambda policy: policy.run(abs, 1),
    pm.EarliestFinish: lambda policy: policy.select(abs, 1),
    pm.Token: lambda policy: policy.initialize(["a"]),
    pm.WeightedRoundRobin: lambda policy: policy.submission_group(),
    pm.Random: lambda policy: policy.try_submit(lambda resource: 1),
    pm.PolicyBase: lambda policy: policy.statistics(),
    pm.ScoredPolicy: lambda policy: policy.notify(),
    pm.Arena: lambda arena: arena.wait(),
}


@pytest.mark.parametrize("cls", POLICIES, ids=lambda cls: cls.__name__)
def test_a_derived_class_that_calls_a_method_first_gets_an_error(cls: Any):
    class Eager(cls):  # type: ignore[misc]
        def __init__(self) -> None:
            POLICIES[cls](self)
            super().__init__()

    with pytest.raises(TypeError, match=r"call super\(\).__init__\(\) in its __init__\(\)"):
        Eager()


def made() -> Iterator[Any]:
    policy = pm.RoundRobin(["a"])
    yield policy
    yield LeastLoaded(["a"])
    yield policy.submit(lambda resource: 1)
    yield policy.select()
    yield policy.submission_group()
    yield pm.Arena(1)
    yield pm.Arena(1).run(int)
    yield LeastLoaded(["a"]).statistics()[0]
    yield pm.deferred_initialization


class LeastLoaded(pm.PolicyBase):
    def try_select(self, work: Any, /, *args: Any, **kwargs: Any) -> Any:
        return min(self.statistics(), key=lambda entry: entry.load)


@pytest.mark.parametrize("thing", list(made()), ids=lambda thing: type(thing).__name__)
def test_objects_that_belong_to_the_process_are_neither_copied_nor_pickled(thing: Any):
    for attempt in (copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match="cannot pickle"):
            attempt(thing)
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        with pytest.raises((TypeError, pickle.PicklingError), match="pickle"):
            pickle.dumps(thing, protocol)


def test_a_derived_class_may_define_how_it_is_copied():
    class Portable(LeastLoaded):
        def __reduce__(self) -> Any:
            return Portable, (self.get_resources(),)

    policy = copy.copy(Portable(["a", "b"]))
    assert policy.get_resources() == ["a", "b"]
    assert policy.submit(lambda resource: resource).result() == "a"


def test_a_second_init_changes_nothing_or_replaces_the_set():
    policy = pm.RoundRobin(["a", "b"])
    selection = policy.select()
    policy.__init__(["c"])  # type: ignore[misc]
    assert policy.get_resources() == ["a", "b"]
    assert selection.submit(lambda resource: resource).result() == "a"
    arena = pm.Arena(1)
    arena.__init__(2)  # type: ignore[misc]
    assert arena.concurrency == 1
    custom = LeastLoaded(["a"])
    custom.__init__(["c"])  # type: ignore[misc]
    assert custom.get_resources() == ["c"]
