# SPDX-License-Identifier: Apache-2.0
"""Failures that others report, on other threads, in cycles and at exit."""

from __future__ import annotations

import gc
import logging
import queue
import random
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

import pytest

import pointsman as pm


class Failed(Exception):
    pass


def fail(*_: Any) -> Any:
    raise Failed("on purpose")


@pytest.fixture
def policy() -> pm.RoundRobin:
    return pm.RoundRobin([pm.Arena(2)])


class Records(logging.Handler):
    """Lets a test wait for records that other threads log."""

    def __init__(self) -> None:
        super().__init__()
        self.queue: queue.SimpleQueue[logging.LogRecord] = queue.SimpleQueue()
        self.emit = self.queue.put  # type: ignore[method-assign,assignment]


@pytest.fixture
def records() -> Iterator[queue.SimpleQueue[logging.LogRecord]]:
    """What is logged under pointsman's name."""
    handler = Records()
    logging.getLogger("pointsman").addHandler(handler)
    yield handler.queue
    logging.getLogger("pointsman").removeHandler(handler)


Queue = queue.SimpleQueue[logging.LogRecord]


def test_the_failure_of_a_command_is_logged_though_a_driver_notices_it(
    pyopencl_context: Any, records: Queue
) -> None:
    cl = pytest.importorskip("pyopencl")
    policy = pm.RoundRobin([cl.CommandQueue(pyopencl_context)])
    event = cl.UserEvent(pyopencl_context)
    policy.submit(lambda queue: event)
    event.set_status(cl.status_code.OUT_OF_RESOURCES)
    record = records.get(timeout=60)
    assert isinstance(record.exc_info[1], pm.OpenCLError)  # type: ignore[index]


def test_each_failure_is_logged_once_from_several_threads(
    policy: pm.RoundRobin, records: Queue
) -> None:
    def use() -> None:
        for drops_early in (True, False) * 20:
            submission = policy.run(fail)
            if not drops_early:
                submission.wait(60)
            del submission

    threads = [threading.Thread(target=use) for _ in range(7)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert policy.submission_group().wait(60)
    assert records.qsize() == 7 * 40


def test_map_logs_no_failure_of_the_chunks_that_it_gives_up(
    policy: pm.RoundRobin, records: Queue
) -> None:
    class OfAChunk(Future):  # type: ignore[type-arg]
        pass

    broken: list[OfAChunk] = []

    class Pool:
        def run(self, *_: Any) -> OfAChunk:
            broken.append(OfAChunk())
            return broken[-1]

    mapping = pm.map(pm.RoundRobin([Pool()]), fail, range(8), chunksize=1)
    broken[0].set_exception(Failed())
    with pytest.raises(Failed):
        list(mapping)
    for future in broken[1:]:
        if not future.cancelled():
            future.set_exception(Failed())
    assert records.empty()


def test_an_executor_leaves_failures_to_its_futures(policy: pm.RoundRobin, records: Queue) -> None:
    with policy.as_executor() as executor:
        executor.submit(fail)
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        executor = pm.RoundRobin([pool]).as_executor()
        assert executor.submit(fail).exception(60) is not None
    gc.collect()
    assert records.empty()


def test_a_future_that_is_gone_has_no_failure_to_log(policy: pm.RoundRobin, records: Queue) -> None:
    policy.submit(lambda arena: Future())
    gc.collect()
    assert policy.submission_group().wait(60)
    assert records.empty()


def test_an_error_of_the_logger_is_unraisable(
    policy: pm.RoundRobin, monkeypatch: pytest.MonkeyPatch
) -> None:
    raised: list[Any] = []
    monkeypatch.setattr(sys, "unraisablehook", raised.append)

    def refuse(record: logging.LogRecord) -> bool:
        raise ZeroDivisionError

    logger = logging.getLogger("pointsman")
    logger.addFilter(refuse)
    try:
        policy.run(fail).wait(60)
    finally:
        logger.removeFilter(refuse)
    assert [each.exc_type for each in raised] == [ZeroDivisionError]


def test_a_failure_that_nobody_looked_at_keeps_nothing_alive(
    is_gone: Callable[[weakref.ref[Any]], bool],
) -> None:
    class Local:
        pass

    def drop() -> list[weakref.ref[Any]]:
        local = Local()
        policy = pm.ScoredPolicy(lambda statistics: 0.0, [pm.Arena(1)])

        def fails() -> None:
            raise Failed(policy, local)  # a cycle through the traceback

        local.submission = policy.run(fails)  # type: ignore[attr-defined]
        assert local.submission.wait(60)  # type: ignore[attr-defined]
        return [weakref.ref(local), weakref.ref(policy), weakref.ref(fails)]

    assert all(is_gone(reference) for reference in drop())


def has_no_instances(kind: type) -> bool:
    """Returns true once all instances have been freed, or false if one exists after a minute.

    The thread that polls work holds it while it looks. Weak references would not tell: those to
    garbage die, though a finalizer revives it.
    """
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        gc.collect()
        if not any(type(each) is kind for each in gc.get_objects()):
            return True
        time.sleep(0.01)
    return False


@pytest.mark.parametrize("in_a_cycle", [False, True])
def test_a_failure_that_was_logged_keeps_no_variable_of_a_caller_alive(
    in_a_cycle: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    # pytest keeps what is logged.
    monkeypatch.setattr(logging.getLogger("pointsman"), "disabled", True)

    class Local:
        pass

    class Polled:
        polls = 0

        def done(self) -> bool:
            self.polls += 1
            return self.polls > 2

        def result(self) -> None:
            fail()

    policy = pm.RoundRobin(["a"])

    def drop() -> None:
        kept = [Local(), policy.submit(lambda resource: Polled())]
        while not kept[1].done():  # type: ignore[attr-defined]
            pass
        if in_a_cycle:
            kept.append(kept)

    drop()
    assert has_no_instances(Local)
    with pytest.raises(Failed, match="on purpose"):
        policy.submission_group().wait(60, raise_errors=True)


def test_an_exception_that_cannot_be_copied_is_logged_and_raised(
    policy: pm.RoundRobin, records: Queue
) -> None:
    class OfTwo(Exception):
        def __init__(self, first: int, second: int) -> None:
            super().__init__(f"{first} and {second}")

    class Another(OfTwo):
        def __reduce__(self) -> Any:
            return Failed, ()

    def raise_it(kind: type[OfTwo]) -> None:
        raise kind(1, 2)

    for kind in (OfTwo, Another):
        policy.run(raise_it, kind)
        assert isinstance(records.get(timeout=60).exc_info[1], kind)  # type: ignore[index]
        with pytest.raises(kind, match="1 and 2"):
            policy.submission_group().wait(60, raise_errors=True)


def test_a_failure_is_logged_in_whatever_order_its_cycle_is_cleared(
    records: Queue, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The garbage collector clears in the order in which it found the objects."""
    unraisable: list[str] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda each: unraisable.append(str(each.exc_value)))
    policy = pm.RoundRobin(["a"])
    chance = random.Random(20261127)

    def drop_in_a_cycle() -> None:
        future: Future[Any] = Future()
        cycle: list[Any] = [policy.submit(lambda resource: future)]
        cycle.append(cycle)
        error = Failed()
        if chance.random() < 0.5:
            error.cycle = cycle  # type: ignore[attr-defined]
        sys.setprofile(lambda *_: gc.collect() if chance.random() < 0.1 else 0)
        future.set_exception(error)
        sys.setprofile(None)
        if chance.random() < 0.5:
            later = [cycle.pop(0)]
            later.append(later)

    gc.freeze()  # collections need not look at the objects of other tests
    try:
        for _ in range(100):
            drop_in_a_cycle()
            gc.collect()
    finally:
        gc.unfreeze()
    assert (records.qsize(), unraisable) == (100, [])


AT_EXIT = """
import threading
from concurrent.futures import Future
import pointsman as pm

def fail(*_):
    raise ValueError

policy = pm.RoundRobin([pm.Arena(2)])
kept = policy.run(fail)
kept.wait()
in_a_cycle = [policy.run(fail)]
in_a_cycle.append(in_a_cycle)
future = Future()
policy.submit(lambda arena: future)
began = threading.Event()
policy.run(lambda: (began.set(), fail()))
began.wait()
class Last:
    def __del__(self):
        future.set_exception(ValueError())
last = Last()
"""


def test_the_interpreter_exits_normally_while_failures_are_unseen() -> None:
    for _ in range(5):
        ended = subprocess.run(
            [sys.executable, "-c", AT_EXIT], capture_output=True, text=True, timeout=60, check=False
        )
        assert (ended.returncode, ended.stdout) == (0, ""), ended.stderr
        assert "Exception ignored" not in ended.stderr


class Waited:
    """Work that can only be waited for, which nobody does."""

    def wait(self) -> None:
        raise NotImplementedError


def test_dropped_work_whose_end_nobody_notices_does_not_keep_its_resource() -> None:
    class Resource:
        pass

    resource = Resource()
    alive = weakref.ref(resource)
    policy = pm.RoundRobin([resource])
    policy.submit(lambda resource: Waited())
    del policy, resource
    gc.collect()
    assert alive() is None
