# SPDX-License-Identifier: Apache-2.0
"""Waits that end: with the work, at a timeout, by Ctrl-C."""

from __future__ import annotations

import _thread
import signal
import threading
import weakref
from collections.abc import Callable
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from typing import Any

import pytest

import pointsman as pm


class Ticket:
    """Work that has only a wait()."""

    def __init__(self) -> None:
        self.event = threading.Event()

    def wait(self) -> None:
        self.event.wait()

    def end(self) -> None:
        self.event.set()


class Polled(Ticket):
    """Work that says whether it is done."""

    def done(self) -> bool:
        return self.event.is_set()


class Promise(Future):  # type: ignore[type-arg]
    """Work that calls back."""

    def end(self) -> None:
        self.set_result(self)


class ArenaCall:
    """Work that runs on an arena."""

    def __init__(self) -> None:
        self.event = threading.Event()
        begun = threading.Event()
        self.task = pm.Arena(1).run(lambda: (begun.set(), self.event.wait()))
        begun.wait()  # otherwise the thread that waits for the call may run it itself

    def end(self) -> None:
        self.event.set()


KINDS = [Ticket, Polled, Promise, ArenaCall]


def submit(policy: Any, work: Any) -> pm.Submission:
    submission: pm.Submission = policy.submit(lambda resource: getattr(work, "task", work))
    return submission


@pytest.fixture(params=KINDS, ids=lambda kind: kind.__name__)
def kind(request: pytest.FixtureRequest) -> Any:
    """Each kind of work in turn."""
    return request.param


def test_a_wait_with_a_timeout_ends_at_it_while_the_work_goes_on(kind: Any):
    policy = pm.DynamicLoad(["a"])
    work = kind()
    submission = submit(policy, work)
    assert not submission.wait(0.01)
    assert not submission.wait(timeout=0)
    with pytest.raises(TimeoutError, match=r"not complete within 0\.01 s") as caught:
        submission.result(timeout=0.01)
    assert isinstance(caught.value, pm.WaitTimeoutError)
    assert not submission.done()
    assert policy.loads() == [1]
    work.end()
    assert submission.wait(60)
    assert submission.done()
    assert policy.loads() == [0]


def test_a_wait_with_a_timeout_sees_an_earlier_completion(kind: Any):
    work = kind()
    submission = submit(pm.RoundRobin(["a"]), work)
    threading.Timer(0.01, work.end).start()
    submission.result(timeout=60)
    assert submission.done()


def test_many_threads_may_wait_for_one_submission(kind: Any):
    work = kind()
    submission = submit(pm.RoundRobin(["a"]), work)
    seen: list[bool] = []
    begun = threading.Barrier(8)

    def waiter() -> None:
        begun.wait()
        seen.append(submission.wait(60))

    threads = [threading.Thread(target=waiter) for _ in range(7)]
    for thread in threads:
        thread.start()
    begun.wait()
    work.end()
    for thread in threads:
        thread.join(60)
    assert seen == [True] * 7


@pytest.mark.parametrize("wait", ["wait", "result", "group"])
def test_ctrl_c_wakes_a_wait_and_does_not_affect_the_work(kind: Any, wait: str):
    policy = pm.RoundRobin(["a"])
    work = kind()
    submission = submit(policy, work)
    waits: dict[str, Callable[[], Any]] = {
        "wait": submission.wait,
        "result": submission.result,
        "group": policy.submission_group().wait,
    }
    # A process started in the background ignores SIGINT.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    main = threading.main_thread().ident
    assert main is not None
    threading.Timer(0.05, signal.pthread_kill, [main, signal.SIGINT]).start()
    with pytest.raises(KeyboardInterrupt):
        waits[wait]()
    assert not submission.done()
    work.end()
    assert submission.wait(60)


def test_an_interrupt_from_another_thread_wakes_a_wait_too():
    work = ArenaCall()
    submission = submit(pm.RoundRobin(["a"]), work)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    threading.Timer(0.05, _thread.interrupt_main).start()
    with pytest.raises(KeyboardInterrupt):
        submission.wait()
    work.end()
    assert submission.wait(60)


def test_ctrl_c_ends_a_wait_that_runs_the_work_itself():
    event = threading.Event()
    submission = pm.RoundRobin([pm.Arena(1)]).run(event.wait)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    main = threading.main_thread().ident
    assert main is not None
    threading.Timer(0.05, signal.pthread_kill, [main, signal.SIGINT]).start()
    with pytest.raises(KeyboardInterrupt):
        submission.wait()
    event.set()
    assert submission.wait(60)


def interrupt_soon() -> None:
    """Send SIGINT soon; enables it first, as processes started in the background ignore it."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    main = threading.main_thread().ident
    assert main is not None
    threading.Timer(0.05, signal.pthread_kill, [main, signal.SIGINT]).start()


def test_an_arena_may_be_waited_for_with_a_timeout():
    arena = pm.Arena(1)
    assert arena.wait(0) is True
    gate = threading.Event()
    calls = [arena.run(gate.wait), arena.run(int)]
    assert arena.wait(timeout=0.01) is False
    assert arena.wait(0) is False
    assert not calls[1].done()
    gate.set()
    assert arena.wait(60) is True
    assert all(call.done() for call in calls)
    with pytest.raises(ValueError, match="timeout is nan"):
        arena.wait(float("nan"))


def test_ctrl_c_wakes_a_wait_for_an_arena_and_does_not_affect_other_work():
    arena = pm.Arena(1)
    begun, gate = threading.Event(), threading.Event()
    calls = [arena.run(lambda: (begun.set(), gate.wait())), arena.run(int)]
    begun.wait()
    with pytest.raises(KeyboardInterrupt):
        interrupt_soon()
        arena.wait()
        threading.Event().wait()
    assert not calls[0].done()
    gate.set()
    assert arena.wait(60)
    assert calls[1].result() == 0


def run_on_this_thread(wait: Callable[[pm.Arena, pm.ArenaTask], object]) -> list[pm.ArenaTask]:
    """Interrupt this thread while it waits for work that it runs itself, and return the work."""
    arena = pm.Arena(1)
    calls: list[pm.ArenaTask] = []

    def inner() -> None:
        interrupt_soon()
        threading.Event().wait(60)

    def outer() -> None:
        if threading.current_thread() is threading.main_thread():
            calls.append(arena.run(inner))
            wait(arena, calls[0])

    for _ in range(1000):  # another thread may come first
        task = arena.run(outer)
        try:
            task.wait()
        except KeyboardInterrupt:
            return [*calls, task]
    pytest.fail("this thread was never the first to take the work")


@pytest.mark.parametrize(
    "wait",
    [lambda arena, call: call.wait(), lambda arena, call: arena.wait()],
    ids=["call", "arena"],
)
def test_ctrl_c_ends_a_wait_and_the_work_that_the_waiting_thread_runs_itself(wait: Any):
    for call in run_on_this_thread(wait):
        with pytest.raises(KeyboardInterrupt):
            call.result(60)


def test_a_group_may_be_waited_for_with_a_timeout(kind: Any):
    policy = pm.RoundRobin(["a"])
    work = kind()
    submission = submit(policy, work)
    assert not policy.submission_group().wait(0.01)
    work.end()
    assert policy.submission_group().wait(timeout=60)
    submission.wait()


def test_plain_values_are_complete_within_any_timeout():
    submission = pm.RoundRobin(["a"]).submit(lambda resource: 3)
    assert submission.wait(0)
    assert submission.wait(timeout=None)
    assert submission.result(0) == submission.result(timeout=0.0) == 3


def test_an_invalid_timeout_is_refused():
    submission = pm.RoundRobin(["a"]).submit(lambda resource: Future())
    with pytest.raises(ValueError, match="timeout is nan: pass a number of seconds"):
        submission.wait(float("nan"))
    with pytest.raises(TypeError, match="no argument but timeout"):
        submission.result(seconds=1)
    with pytest.raises(TypeError):
        submission.result("soon")


def test_a_wait_that_fails_while_the_work_goes_on_raises_and_is_forgotten():
    class Fragile(Polled):
        failures = 1

        def wait(self) -> None:
            if self.failures:
                self.failures -= 1
                raise OSError("lost the line")

    work = Fragile()
    submission = submit(pm.RoundRobin(["a"]), work)
    with pytest.raises(OSError, match="lost the line"):
        submission.wait()
    work.end()
    assert submission.result() is work


def test_a_callback_is_called_once_at_completion(kind: Any):
    work = kind()
    submission = submit(pm.RoundRobin(["a"]), work)
    told: list[pm.Submission] = []
    called = threading.Event()
    submission.add_done_callback(told.append)
    submission.add_done_callback(lambda s: called.set())
    assert told == []
    work.end()
    submission.wait()
    assert called.wait(60)
    assert told == [submission]


def test_a_callback_of_complete_work_is_called_at_once():
    submission = pm.RoundRobin(["a"]).submit(lambda resource: 3)
    told: list[pm.Submission] = []
    submission.add_done_callback(told.append)
    assert told == [submission]
    future = pm.RoundRobin(["a"]).submit(lambda resource: Promise())
    future.unwrap().end()
    future.add_done_callback(told.append)
    assert told == [submission, future]
    with pytest.raises(TypeError, match="pass a callable"):
        submission.add_done_callback(3)


def test_a_callback_is_called_even_if_the_submission_was_dropped():
    work = Promise()
    told: list[Any] = []
    pm.RoundRobin(["a"]).submit(lambda resource: work).add_done_callback(
        lambda s: told.append(s.result())
    )
    work.end()
    assert told == [work]


def test_an_error_of_a_callback_goes_to_the_unraisable_hook(monkeypatch: pytest.MonkeyPatch):
    caught: list[Any] = []
    monkeypatch.setattr("sys.unraisablehook", lambda info: caught.append(info.exc_value))
    submission = pm.RoundRobin(["a"]).submit(lambda resource: 3)
    submission.add_done_callback(lambda s: 1 // 0)
    assert [type(error) for error in caught] == [ZeroDivisionError]


def test_queued_work_is_dropped_when_it_is_cancelled():
    policy = pm.DynamicLoad([pm.Arena(1)])
    gate = threading.Event()
    begun = threading.Event()
    ran: list[int] = []

    def first() -> None:
        begun.set()
        gate.wait()

    running = policy.run(first)
    queued = policy.run(ran.append, 1)
    begun.wait()
    assert policy.loads() == [2]
    assert queued.cancel()
    assert policy.loads() == [1]
    assert queued.done()
    with pytest.raises(CancelledError, match="cancelled before it began") as caught:
        queued.result()
    assert isinstance(caught.value, pm.WorkCancelledError)
    assert not queued.cancel()
    gate.set()
    running.result()
    assert ran == []


def test_running_work_is_asked_to_stop_and_counts_until_it_stops():
    policy = pm.DynamicLoad([pm.Arena(1)])
    begun, asked, gate = threading.Event(), threading.Event(), threading.Event()

    def work() -> str:
        begun.set()
        while not pm.stop_requested():
            gate.wait(0.001)
        asked.set()
        gate.wait()
        return "stopped"

    submission = policy.run(work)
    begun.wait()
    assert not submission.cancel()
    assert asked.wait(60)
    assert policy.loads() == [1]
    assert not submission.done()
    gate.set()
    assert submission.result() == "stopped"
    assert policy.loads() == [0]
    assert not pm.stop_requested()


def test_futures_are_cancelled_by_their_own_cancel():
    policy = pm.DynamicLoad(["a"])
    submission = policy.submit(lambda resource: Future())
    assert submission.cancel()
    with pytest.raises(CancelledError):
        submission.result()
    assert policy.loads() == [0]
    with ThreadPoolExecutor(1) as pool:
        gate, begun = threading.Event(), threading.Event()
        running = policy.submit(lambda resource: pool.submit(lambda: (begun.set(), gate.wait())))
        begun.wait()
        assert not running.cancel()
        assert policy.loads() == [1]
        gate.set()
        running.wait()


def test_complete_work_cannot_be_cancelled():
    submission = pm.RoundRobin(["a"]).submit(lambda resource: 3)
    assert not submission.cancel()
    assert submission.result() == 3
    assert not pm.RoundRobin(["a"]).submit(lambda resource: Ticket()).cancel()


def test_elapsed_is_the_time_from_submission_to_completion():
    work = Promise()
    submission = pm.RoundRobin(["a"]).submit(lambda resource: work)
    assert submission.elapsed is None
    threading.Timer(0.02, work.end).start()
    submission.wait()
    assert submission.elapsed is not None
    assert 0.02 <= submission.elapsed < 60
    assert pm.RoundRobin(["a"]).submit(lambda resource: 3).elapsed is None


def test_elapsed_is_known_right_after_a_wait_and_never_negative():
    policy = pm.RoundRobin([pm.Arena(2)])
    for _ in range(100_000):  # the error was seen in one of 80,000 submissions
        submission = policy.submit(lambda arena: arena.run(int))
        submission.wait()
        assert submission.done()
        assert submission.elapsed is not None
        assert submission.elapsed >= 0


def test_submissions_support_weak_references(kind: Any):
    work = kind()
    for value in (work, 3):
        submission = submit(pm.RoundRobin(["a"]), value)
        observer = weakref.ref(submission)
        assert observer() is submission
        work.end() if value is work else None
        submission.wait()
        del submission
        assert observer() is None


def test_a_cycle_through_a_submission_is_collected():
    import gc

    class Node:
        submission: pm.Submission

    node = Node()
    node.submission = pm.RoundRobin(["a"]).submit(lambda resource, value: value, node)
    observer = weakref.ref(node)
    del node
    gc.collect()
    assert observer() is None


def test_only_policies_create_submissions():
    with pytest.raises(TypeError):
        pm.Submission()
