# SPDX-License-Identifier: Apache-2.0
"""Tasks that state their kind: pm.task with a name or a key."""

from __future__ import annotations

import functools
from typing import Any

import pytest

import pointsman as pm
from pointsman import _core


class Timed(pm.Backend):
    """Reports the seconds that the work returns as its time."""

    def submit(self, selection: pm.Placement, work: Any, /, *args: Any, **kwargs: Any) -> Any:
        seconds = work(selection.resource, *args, **kwargs)
        selection.report("task_time", seconds)
        return seconds


def choices(policy: Any, n: int, work: Any, *args: Any) -> list[Any]:
    return [policy.submit(work, *args).resource for _ in range(n)]


def slow_on(slow: str) -> Any:
    """Returns a function; all of them have the same code."""
    return lambda resource, *args: 2.0 if resource == slow else 1.0


def test_a_name_distinguishes_tasks_with_the_same_code():
    policy = pm.AutoTune(backend=Timed(["a", "b"]))
    first = pm.task(slow_on("a"), name="first")
    second = pm.task(slow_on("b"), name="second")
    choices(policy, 4, first)
    choices(policy, 4, second)
    assert choices(policy, 3, first) == ["b"] * 3
    assert choices(policy, 3, second) == ["a"] * 3


def test_a_task_without_name_and_key_counts_as_its_function():
    policy = pm.AutoTune(backend=Timed(["a", "b"]))
    work = slow_on("a")
    choices(policy, 4, work)
    assert choices(policy, 1, pm.task(work)) == ["b"]


def by_kind(resource: str, n: int, kind: str) -> float:
    return 2.0 if (resource == "a") == (kind == "dense") else 1.0


def test_a_key_replaces_the_sizes_of_the_arguments():
    policy = pm.AutoTune(backend=Timed(["a", "b"]))
    work = pm.task(by_kind, key=lambda n, kind: kind)
    for n in (1, 100, 10_000, 1_000_000):
        choices(policy, 1, work, n, "dense")
        choices(policy, 1, work, n, "sparse")
    assert choices(policy, 3, work, 7, "dense") == ["b"] * 3
    assert choices(policy, 3, work, 7, "sparse") == ["a"] * 3


def test_an_integer_key_counts_by_its_power_of_two():
    policy = pm.AutoTune(backend=Timed(["a", "b"]))

    def work(resource: str, n: int) -> float:
        return 2.0 if (resource == "a") == (n < 1000) else 1.0

    sized = pm.task(work, key=lambda n: n)
    for n in (900, 901, 902, 903):
        choices(policy, 1, sized, n)
        choices(policy, 1, sized, 100 * n)
    assert choices(policy, 1, sized, 1000 - 1) == ["b"]
    assert choices(policy, 1, sized, 99_999) == ["a"]


def test_submit_raises_an_exception_of_the_key():
    policy = pm.AutoTune(["a"])
    with pytest.raises(ZeroDivisionError):
        policy.submit(pm.task(lambda resource, n: n, key=lambda n: 1 // n), 0)


def test_a_decorated_function_is_a_task_with_its_name():
    @pm.tuned(key=lambda n: n)
    def work(resource: str, n: int) -> int:
        """Says what it does."""
        return n

    @pm.tuned
    def plain(resource: str) -> str:
        return resource

    assert work("a", 3) == 3
    assert work.__doc__ == "Says what it does."
    assert repr(work).endswith("work>")
    assert pm.AutoTune(["a"]).submit_and_wait(work, 4) == 4
    assert pm.AutoTune(["a"]).submit_and_wait(plain) == "a"


def test_an_object_that_is_not_callable_is_refused():
    with pytest.raises(TypeError, match="pass a callable"):
        pm.task(3)  # type: ignore[arg-type]
    with pytest.raises(pm.InvalidOptionError, match="key is 3: pass a callable"):
        pm.task(len, key=3)  # type: ignore[arg-type]


def test_a_task_identity_sees_through_wrappers():
    def work(resource: str) -> str:
        return resource

    assert _core._task_identity(work) == _core._task_identity(functools.partial(work))
    assert _core._task_identity(work) == _core._task_identity(pm.task(work))


def test_a_name_is_seen_through_wrappers():
    def work(resource: str) -> str:
        return resource

    named = pm.task(work, name="named")
    assert _core._task_identity(named) != _core._task_identity(work)
    assert _core._task_identity(functools.partial(named)) == _core._task_identity(named)
