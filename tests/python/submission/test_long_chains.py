# SPDX-License-Identifier: Apache-2.0
"""Long chains of work, each keeping the previous one alive, are freed without deep recursion."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import pytest

import pointsman as pm

LENGTH = 20_000
STACK_BYTES = 1 << 20


@pytest.fixture
def on_a_small_stack() -> Iterator[Any]:
    """Calls a function on a thread whose stack is too small for recursion over a whole chain."""
    before = threading.stack_size(STACK_BYTES)

    def call(function: Any) -> None:
        thread = threading.Thread(target=function)
        thread.start()
        thread.join()

    yield call
    threading.stack_size(before)


def resource_of_the_next(last: Any) -> Any:
    return pm.RoundRobin([last]).submit(lambda resource: 1)


def selection(last: Any) -> Any:
    return pm.RoundRobin([last]).select()


arena = pm.Arena(1)


def task(last: Any) -> Any:
    made = arena.run(lambda kept: kept, last)
    made.wait()
    return made


def call(last: Any) -> Any:
    made = pm.RoundRobin([arena]).run(lambda kept: kept, last)
    made.wait()
    return made


@pytest.mark.parametrize(
    "link", [resource_of_the_next, selection, task, call], ids=lambda f: f.__name__
)
def test_a_long_chain_is_freed(link: Any, on_a_small_stack: Any):
    def build_and_drop() -> None:
        last = None
        for _ in range(LENGTH):
            last = link(last)
        freed.append(last is not None)
        del last
        freed.append(True)

    freed: list[bool] = []
    on_a_small_stack(build_and_drop)
    assert freed == [True, True]
