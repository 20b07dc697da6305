# SPDX-License-Identifier: Apache-2.0
"""Executors of policies that are shut down, and processes that end with calls or are forked."""

from __future__ import annotations

import os
import queue
import subprocess
import sys
import threading
from concurrent.futures import Executor, Future
from typing import Any

import pytest
from sanitized import forks_with_threads

import pointsman as pm


def test_a_shutdown_refuses_further_calls():
    executor = pm.RoundRobin([pm.Arena(1)]).as_executor()
    executor.shutdown()
    executor.shutdown()
    with pytest.raises(RuntimeError, match="cannot schedule new futures after shutdown"):
        executor.submit(pow, 2, 5)


def test_a_shutdown_does_not_affect_the_policy_or_its_resources():
    policy = pm.RoundRobin([pm.Arena(1)])
    with policy.as_executor() as executor:
        executor.submit(pow, 2, 5)
    assert policy.run(pow, 2, 5).result() == 32


def test_a_shutdown_waits_for_submitted_calls():
    ran: list[int] = []
    with pm.RoundRobin([pm.Arena(1)]).as_executor() as executor:
        for i in range(50):
            executor.submit(ran.append, i)
    assert ran == list(range(50))


def test_a_shutdown_that_does_not_wait_lets_the_calls_run(gate: threading.Event):
    executor = pm.RoundRobin([pm.Arena(1)]).as_executor()
    submitted = [executor.submit(gate.wait) for _ in range(3)]
    executor.shutdown(wait=False)
    assert not any(future.done() for future in submitted)
    gate.set()
    assert [future.result() for future in submitted] == [True] * 3


def test_a_shutdown_may_cancel_calls_that_have_not_begun(gate: threading.Event):
    begun = threading.Event()
    executor = pm.RoundRobin([pm.Arena(1)]).as_executor()

    def first() -> str:
        begun.set()
        gate.wait()
        return "done"

    running = executor.submit(first)
    queued = [executor.submit(pow, 2, i) for i in range(20)]
    begun.wait()
    executor.shutdown(wait=False, cancel_futures=True)
    gate.set()
    assert running.result() == "done"
    executor.shutdown(wait=True)
    assert all(future.cancelled() for future in queued)


def test_submitted_calls_run_before_the_process_exits():
    program = (
        "import pointsman as pm\n"
        "executor = pm.RoundRobin([pm.Arena(1)]).as_executor()\n"
        "for i in range(100): executor.submit(print, i)\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60
    )
    assert run.stderr == ""
    assert run.stdout.split() == [str(i) for i in range(100)]


def output_of(program: str) -> str:
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60
    )
    assert run.stderr == ""
    return run.stdout


@pytest.mark.parametrize("register", ["atexit.register", "threading._register_atexit"])
def test_submitting_as_the_interpreter_shuts_down_is_refused(register: str):
    program = f"""
import atexit, threading
import pointsman as pm
executor = pm.RoundRobin([pm.Arena(1)]).as_executor()
executor.submit(int)

def late():
    try:
        executor.submit(print, "lost")
    except RuntimeError as error:
        print(error)
    try:
        pm.RoundRobin([pm.Arena(1)]).as_executor().submit(print, "lost")
    except RuntimeError as error:
        print(error)

{register}(late)
"""
    if "threading" in register:  # it calls the last registered function first
        early = "import pointsman._policy_executor"
        program = program.replace("executor =", f"{early}\nexecutor =")
        program = program.replace("def late", "threading._register_atexit(lambda: None)\ndef late")
        program = program.replace(f"{register}(late)", "atexit.register(late)")
    assert output_of(program) == "cannot schedule new futures after interpreter shutdown\n" * 2


@pytest.mark.parametrize("is_warm", [True, False])
def test_work_given_to_policies_as_the_interpreter_shuts_down_still_runs(is_warm: bool):
    program = """
import atexit, pointsman as pm
arena = pm.Arena(1)
policy = pm.DynamicLoad([arena, pm.Arena(1)])

def each_way():
    yield policy.run(pow, 2, 5).result(60)
    yield policy.submit(lambda chosen: chosen.run(pow, 2, 5)).result(60)
    yield policy.submit_and_wait(lambda chosen: 32)
    yield from policy.map(pow, [2], [5])
    yield arena.run(pow, 2, 5).result(60)

atexit.register(lambda: print(list(each_way()), policy.loads()))
"""
    if is_warm:
        program += "assert len(list(each_way())) == 5\n"
    assert output_of(program) == f"{[32] * 5} [0, 0]\n"


def test_a_thread_that_outlives_the_main_one_is_also_refused():
    program = """
import threading, pointsman as pm
executor = pm.RoundRobin([pm.Arena(1)]).as_executor()

def late():
    threading.main_thread().join()
    try:
        executor.submit(print, "lost")
    except RuntimeError as error:
        print(error)

threading.Thread(target=late).start()
"""
    assert output_of(program) == "cannot schedule new futures after interpreter shutdown\n"


def test_the_first_executor_may_be_made_as_the_interpreter_shuts_down():
    program = """
import atexit, pointsman as pm

@atexit.register
def late():
    try:
        pm.RoundRobin([pm.Arena(1)]).as_executor().submit(print, "lost")
    except RuntimeError as error:
        print(error)
"""
    assert output_of(program) == "cannot schedule new futures after interpreter shutdown\n"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
@forks_with_threads
def test_a_forked_child_does_not_wait_for_the_calls_of_its_parent():
    program = """
import os, sys, threading, warnings, pointsman as pm
warnings.simplefilter("ignore")
gate = threading.Event()
executor = pm.RoundRobin([pm.Arena(1)]).as_executor()
executor.submit(gate.wait)
child = os.fork()
if child == 0:
    sys.exit(7)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
gate.set()
"""
    assert output_of(program) == "7\n"


class CancelledWhenWaitedFor:
    """Replaces the submission of a future, which is cancelled as soon as a wait for it begins."""

    def __init__(self, future: Any) -> None:
        self._future = future
        self._submission = future.submission
        future._started[:] = [self]

    def __getattr__(self, name: str) -> Any:
        return getattr(self._submission, name)

    def _help(self) -> None:
        assert self._future.cancel()


def test_a_shutdown_waits_for_all_calls_if_one_is_cancelled_meanwhile(gate: threading.Event):
    policy = pm.RoundRobin([pm.Arena(1)])
    running = policy.run(gate.wait)
    with policy.as_executor() as executor:
        submitted = [executor.submit(abs, -1) for _ in range(2)]
        for future in submitted:
            CancelledWhenWaitedFor(future)
    assert [future.cancelled() for future in submitted] == [True, True]
    gate.set()
    assert running.result(timeout=60)


@pytest.mark.parametrize("options", [{}, {"max_outstanding": 8}], ids=["plain", "bounded"])
def test_a_call_does_not_wait_for_itself_when_it_shuts_its_executor_down(options: dict[str, Any]):
    executor = pm.RoundRobin([pm.Arena(1)]).with_options(**options).as_executor()
    with pytest.raises(RuntimeError, match="a call of this executor cannot wait for itself"):
        executor.submit(executor.shutdown).result(timeout=60)
    with pytest.raises(RuntimeError, match="cannot schedule new futures after shutdown"):
        executor.submit(int)
    executor.shutdown()


def test_a_call_may_shut_its_executor_down_without_waiting():
    executor = pm.RoundRobin([pm.Arena(1)]).as_executor()
    assert executor.submit(executor.shutdown, wait=False).result(timeout=60) is None
    with pytest.raises(RuntimeError, match="cannot schedule new futures after shutdown"):
        executor.submit(int)
    executor.shutdown()


def errors_of_shutdown_when_done(executor: Executor, future: Any) -> queue.SimpleQueue[str]:
    """Shut the executor down in a done callback; return a queue with the error of the shutdown."""
    errors: queue.SimpleQueue[str] = queue.SimpleQueue()

    def stop(_future: object) -> None:
        try:
            executor.shutdown()
        except RuntimeError as error:
            errors.put(str(error))
        else:
            errors.put("")

    future.add_done_callback(stop)
    return errors


@pytest.mark.parametrize("options", [{}, {"max_outstanding": 8}], ids=["plain", "bounded"])
def test_a_done_callback_does_not_wait_for_the_call_that_makes_it(
    gate: threading.Event, options: dict[str, Any]
):
    executor = pm.RoundRobin([pm.Arena(1)]).with_options(**options).as_executor()
    errors = errors_of_shutdown_when_done(executor, executor.submit(gate.wait))
    gate.set()
    assert "cannot wait for itself" in errors.get(timeout=60)
    executor.shutdown()


def test_a_done_callback_does_not_wait_in_the_thread_that_reports_the_end_of_other_calls():
    class Remote:
        """Runs calls elsewhere: the thread that completes these futures reports their ends."""

        def __init__(self) -> None:
            self.ends: list[Future[None]] = []

        def run(self, func: Any, /, *args: Any) -> Future[None]:
            self.ends.append(Future())
            return self.ends[-1]

    remote = Remote()
    executor = pm.RoundRobin([remote]).as_executor()
    first, second = executor.submit(int), executor.submit(int)
    errors = errors_of_shutdown_when_done(executor, first)
    reporting = threading.Thread(
        target=lambda: [end.set_result(None) for end in remote.ends], daemon=True
    )
    reporting.start()
    assert "cannot wait for itself" in errors.get(timeout=60)
    assert second.result(timeout=60) is None
    executor.shutdown()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
@forks_with_threads
def test_a_forked_child_does_not_wait_for_a_thread_of_its_parent_that_starts_a_call():
    program = """
import os, signal, threading, warnings, pointsman as pm
warnings.simplefilter("ignore")
searching, is_free = threading.Event(), threading.Event()

class Full(pm.PolicyBase):
    def try_select(self, work, /, *args, **kwargs):
        searching.set()
        return self.get_resources()[0] if is_free.is_set() else None

executor = Full([pm.Arena(1)]).as_executor()
thread = threading.Thread(target=executor.submit, args=(int,))
thread.start()
searching.wait()
child = os.fork()
if child == 0:
    signal.alarm(20)  # ends a child that waits
    executor.shutdown()
    os._exit(7)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
is_free.set()
thread.join()
"""
    assert output_of(program) == "7\n"
