# SPDX-License-Identifier: Apache-2.0
"""Executors from Python: bulk work, properties, best_fit."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import pointsman as pm
from pointsman import executors

HOST: list[Callable[[], executors.Executor]] = [
    executors.inline,
    executors.unsequenced,
    lambda: executors.arena(pm.Arena(2)),
]


def first_queue() -> pm.opencl.Queue:
    if not pm.opencl.devices():
        pytest.skip("no OpenCL device")
    return pm.opencl.Queue()


@pytest.mark.parametrize("make", HOST)
@pytest.mark.parametrize("n", [0, 1, 2, 7, 1000])
def test_bulk_work_covers_each_index_once(make: Callable[[], executors.Executor], n: int):
    counts = np.zeros(n, dtype=int)

    def body(i: int) -> None:
        counts[i] += 1

    executors.bulk_execute(make(), body, n)
    assert (counts == 1).all()


@pytest.mark.parametrize("make", HOST)
@pytest.mark.parametrize("n", [np.uint8(200), np.int8(100), np.uint16(40000)], ids=repr)
def test_a_shape_of_a_small_numpy_type_does_not_overflow(
    make: Callable[[], executors.Executor], n: np.integer[Any]
):
    counts = np.zeros(int(n), dtype=int)

    def body(i: int) -> None:
        counts[i] += 1

    executors.bulk_execute(make(), body, n)
    assert (counts == 1).all()


@pytest.mark.parametrize("make", HOST)
def test_execute_calls_once(make: Callable[[], executors.Executor]):
    calls: list[int] = []
    assert executors.execute(make(), lambda: calls.append(1)) is None
    assert calls == [1]


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: executors.arena(3), "was to run on 3: pass Arena"),
        (lambda: executors.opencl("gpu"), "was to run on 'gpu': pass Queue"),
        (lambda: executors.inline().require("never"), "'never' is required: pass a value such as"),
        (lambda: executors.arena().bulk_execute(abs, "x"), "the shape is 'x': pass an int"),
        (lambda: executors.inline().bulk_execute(abs, 2.5), "the shape is 2.5: pass an int"),
        (lambda: executors.inline().bulk_execute(abs, np.ones(2)), "the shape is array.*: pass an"),
    ],
    ids=["arena", "queue", "property", "text", "float", "array"],
)
def test_a_wrong_argument_is_a_type_error_that_says_what_to_pass(
    call: Callable[[], object], text: str
):
    with pytest.raises(TypeError, match=text):
        call()


@pytest.mark.parametrize("make", HOST)
def test_an_exception_is_raised(make: Callable[[], executors.Executor]):
    def failing(*_index: int) -> None:
        raise LookupError("on purpose")

    with pytest.raises(LookupError, match="on purpose"):
        make().execute(failing)
    with pytest.raises(LookupError, match="on purpose"):
        make().bulk_execute(failing, 100)


def test_an_arena_that_never_blocks_returns_before_the_work_completes():
    executor = executors.require(executors.arena(pm.Arena(1)), executors.blocking.never)
    may_end = threading.Event()
    one = executor.execute(may_end.wait)
    many = executor.bulk_execute(lambda _: may_end.wait(), 3)
    assert not one.done()
    assert not many.done()
    assert not many.wait(timeout=0.01)
    with pytest.raises(pm.WaitTimeoutError, match=r"not all finished within 0\.01 s"):
        many.result(0.01)
    may_end.set()
    assert many.wait(60)
    many.result()
    assert one.result() is True


def test_a_property_that_an_executor_cannot_have_is_refused_with_a_remedy():
    with pytest.raises(ValueError, match="'inline' cannot have blocking.never: use prefer"):
        executors.inline().require(executors.blocking.never)
    kept = executors.prefer(executors.inline(), executors.blocking.never)
    assert kept == executors.inline()


@pytest.mark.parametrize("make", HOST)
def test_a_negative_shape_is_refused(make: Callable[[], executors.Executor]):
    with pytest.raises(ValueError, match="the shape is -3: pass the number of calls"):
        make().bulk_execute(print, -3)


def test_properties_have_defaults():
    priority = executors.Property("priority", default=0)
    assert executors.query(executors.inline(), priority) == 0
    assert executors.inline().query(executors.blocking) == "always"
    assert executors.inline().query(executors.outstanding_work) == "untracked"
    assert executors.unsequenced().query(executors.mapping) == "other"
    assert executors.arena(pm.Arena(3)).query(executors.occupancy) == 3


def test_opencl_runs_a_kernel_with_each_blocking():
    queue = first_queue()
    kernel = queue.build("kernel void add(global int* x) { x[get_global_id(0)] += 1; }").add
    buffer = queue.buffer(np.zeros(100, dtype=np.int32))

    def enqueue(where: pm.opencl.Queue, shape: int) -> pm.opencl.Event:
        return where.enqueue(kernel, shape, buffer)

    executor = executors.opencl(queue)
    assert executor.bulk_execute(enqueue, 100) is None
    executor.require(executors.blocking.never).bulk_execute(enqueue, 100).wait()
    executor.execute(enqueue)
    assert queue.read(buffer).sum() == 201
    assert executor.query(executors.occupancy) >= 1


def test_best_fit_tries_each_executor_and_returns_the_functions_result():
    seen: list[str] = []

    def work(executor: executors.Executor) -> str:
        seen.append(executor.name)
        return executor.name

    names = [executors.best_fit(work, 10, executors.arena(), executors.inline()) for _ in range(20)]
    assert names == seen
    assert set(seen[:4]) == {"arena", "inline"}


def test_best_fit_excludes_executors_that_are_switched_off(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("POINTSMAN_ENABLE_INLINE_EXEC", "off")
    chosen = executors.best_fit(lambda e: e.name, 1, executors.inline(), executors.unsequenced())
    assert chosen == "unsequenced"
    with pytest.raises(executors.NoExecutorFitsError, match="inline: switched off by POINTSMAN"):
        executors.best_fit(lambda e: e.name, 1, executors.inline())
    monkeypatch.setenv("POINTSMAN_ENABLE_INLINE_EXEC", "perhaps")
    with pytest.raises(ValueError, match="POINTSMAN_ENABLE_INLINE_EXEC=PERHAPS: set it to ON"):
        executors.best_fit(lambda e: e.name, 1, executors.inline())


def test_executors_are_resources_of_policies():
    policy = pm.DynamicLoad([make() for make in HOST])
    total: list[int] = []

    def work(executor: executors.Executor) -> object:
        return executor.execute(lambda: total.append(1))

    for _ in range(9):
        policy.submit(work).wait()
    assert len(total) == 9
    assert policy.loads() == [0, 0, 0]
