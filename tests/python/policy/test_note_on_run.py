# SPDX-License-Identifier: Apache-2.0
"""A callable that takes no resource is pointed to ``run``."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

import pointsman as pm

VERBS: dict[str, Callable[..., Any]] = {
    "submit": lambda policy, *task: policy.submit(*task),
    "submit_and_wait": lambda policy, *task: policy.submit_and_wait(*task),
    "try_submit": lambda policy, *task: policy.try_submit(*task),
    "submit_async": lambda policy, *task: asyncio.run(awaited(policy, *task)),
    "with_options": lambda policy, *task: policy.with_options(timeout=1).submit(*task),
    "selection": lambda policy, *task: policy.select(*task).submit(*task),
    "free function": pm.submit,
}


async def awaited(policy: Any, *task: Any) -> Any:
    return await policy.submit_async(*task)


def notes_of(error: BaseException) -> str:
    return "\n".join([str(error), *getattr(error, "__notes__", [])])


def takes_two(x: int, y: int) -> int:
    return x + y


@pytest.mark.parametrize("verb", VERBS.values(), ids=VERBS)
def test_a_type_error_of_the_call_itself_points_to_run(verb: Any, policy_class: Any):
    for task, name in (((pow, 2, 3), "pow"), ((takes_two, 1, 2), "takes_two")):
        with pytest.raises(TypeError) as caught:
            verb(policy_class([pm.Arena(1)]), *task)
        assert f"submit() called {name}(resource, ...)" in notes_of(caught.value)
        assert f"write policy.run({name}, ...)" in notes_of(caught.value)


@pytest.mark.parametrize(
    "task",
    [pm.task(takes_two), pm.tuned(pm.task(takes_two)), pm.variants({pm.Arena: takes_two})],
    ids=["task", "task of a task", "variants"],
)
def test_the_note_reaches_a_callable_inside_a_task(task: Any):
    with pytest.raises(TypeError) as caught:
        pm.RoundRobin([pm.Arena(1)]).submit(task, 1, 2)
    assert "write policy.run(" in notes_of(caught.value)


@pytest.mark.parametrize("wrap", [lambda f: f, pm.task], ids=["function", "task"])
@pytest.mark.parametrize("error", [TypeError, ValueError])
def test_an_error_inside_the_callable_has_no_note(error: type[Exception], wrap: Any):
    def work(resource: Any) -> None:
        raise error("inside")

    with pytest.raises(error) as caught:
        pm.RoundRobin(["a"]).submit(wrap(work))
    assert notes_of(caught.value) == "inside"


def test_run_has_no_note():
    with pytest.raises(TypeError) as caught:
        pm.RoundRobin([pm.Arena(1)]).run(pow, "a", 3).result()
    assert "policy.run" not in notes_of(caught.value)
