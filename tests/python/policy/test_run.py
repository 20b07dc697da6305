# SPDX-License-Identifier: Apache-2.0
"""run: the chosen resource runs a function; resources that cannot are skipped."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from typing import Any

import pytest

import pointsman as pm


def test_a_function_runs_on_the_chosen_arena():
    policy = pm.RoundRobin([pm.Arena(1), pm.Arena(1)])
    submissions = [policy.run(pow, 2, exp=i) for i in range(10)]
    assert [s.result() for s in submissions] == [2**i for i in range(10)]
    assert [s.resource for s in submissions[:2]] == policy.get_resources()
    assert isinstance(submissions[0].unwrap(), pm.ArenaTask)
    assert submissions[0].unwrap().result() == 1


@pytest.mark.parametrize("count", [0, 1, 5, 30], ids=lambda n: f"{n}_arguments")
def test_arguments_of_any_number_arrive(count: int):
    names = {f"x{i}": i for i in range(count)}

    def work(*args: int, **kwargs: int) -> Any:
        return args, kwargs

    for runner in (pm.Arena(1), Runner()):
        submission = pm.RoundRobin([runner]).run(work, *range(count), **names)
        assert submission.result() == (tuple(range(count)), names)


class Runner:
    """A user-defined resource."""

    def run(self, func: Any, /, *args: Any, **kwargs: Any) -> Any:
        return func(*args, **kwargs)


class Submitter:
    """A resource that has only submit."""

    def submit(self, func: Any, /, *args: Any) -> Any:
        future: Future[Any] = Future()
        future.set_result(func(*args))
        return future


@pytest.mark.parametrize("resource", [Runner(), Submitter(), pm.RoundRobin([pm.Arena(1)])])
def test_a_function_runs_on_any_object_that_runs_functions(resource: Any):
    assert pm.DynamicLoad([resource]).run(pow, 2, 3).result() == 8


def test_a_function_runs_on_executors():
    with (
        ThreadPoolExecutor(1) as threads,
        ProcessPoolExecutor(1, mp_context=get_context("spawn")) as processes,
    ):
        policy = pm.RoundRobin([threads, processes])
        assert [policy.run(pow, 2, i).result() for i in range(4)] == [1, 2, 4, 8]
        assert policy.run(threading.get_ident).result() != threading.get_ident()


def test_resources_that_cannot_run_functions_are_refused_with_a_remedy(policy_class: Any):
    policy = policy_class([3, 4])
    for verb in (policy.run, policy.with_options(timeout=60).run):
        with pytest.raises(TypeError, match="3 cannot run functions: use arenas, executors") as e:
            verb(pow, 2, 3)
        assert isinstance(e.value, pm.UnsuitableResourcesError)
    with pytest.raises(TypeError, match="pass a callable, which the chosen resource will run"):
        policy.run()
    assert policy.loads() == [0, 0]


def test_resources_that_cannot_run_functions_are_skipped(policy_class: Any):
    suitable = {"index": 1} if policy_class is pm.FixedResource else {}
    policy = policy_class([3, pm.Arena(1), "four", Runner()], **suitable)
    runs = [policy.run(pow, 2, i) for i in range(40)]
    assert [s.result() for s in runs] == [2**i for i in range(40)]
    assert {type(s.resource) for s in runs} <= {pm.Arena, Runner}
    assert list(policy.map(abs, range(-50, 0))) == list(range(50, 0, -1))
    with policy.as_executor() as executor:
        assert [executor.submit(pow, 3, i).result() for i in range(4)] == [1, 3, 9, 27]
    assert policy.loads() == [0] * 4


def test_a_fixed_resource_that_cannot_run_functions_is_refused():
    with pytest.raises(TypeError, match="3 cannot run functions"):
        pm.FixedResource([3, pm.Arena(1)]).run(pow, 2, 3)


def test_the_default_resources_run_functions(opencl_queue: Any):
    policy = pm.RoundRobin()
    assert any(isinstance(resource, pm.opencl.Queue) for resource in policy.get_resources())
    runs = [policy.run(pow, 2, i) for i in range(10)]
    assert [s.result() for s in runs] == [2**i for i in range(10)]
    assert list(policy.map(abs, [-1, 2])) == [1, 2]


def test_work_outstanding_elsewhere_does_not_send_a_function_where_it_cannot_run():
    policy = pm.DynamicLoad([3, pm.Arena(1)])
    gate = threading.Event()
    runs = [policy.run(gate.wait) for _ in range(3000)]
    assert policy.loads() == [0, 3000]
    gate.set()
    assert all(s.result() for s in runs)
    assert policy.loads() == [0, 0]


def test_resources_that_cannot_run_functions_still_accept_submitted_work():
    policy = pm.RoundRobin([3, pm.Arena(1)])
    policy.run(pow, 2, 3).wait()
    assert {policy.submit(type).result() for _ in range(2)} == {int, pm.Arena}


def test_an_object_may_gain_a_run_method_later():
    class Late:
        pass

    late = Late()
    policy = pm.RoundRobin([late, 3])
    with pytest.raises(TypeError):
        policy.run(pow, 2, 3)
    late.run = lambda func, *args: func(*args)  # type: ignore[attr-defined]
    assert [policy.run(pow, 2, 3).result() for _ in range(3)] == [8] * 3


def test_a_user_defined_backend_may_run_functions_for_any_resource():
    class OnArenas(pm.Backend):
        def submit(self, selection: Any, work: Any, /, *args: Any, **kwargs: Any) -> Any:
            return work(pm.Arena(1), *args, **kwargs)

    for policy_class in (
        pm.RoundRobin,
        lambda **rest: pm.ScoredPolicy(lambda stats, *_: 1, **rest),
    ):
        policy = policy_class(backend=OnArenas(["a", "b"]))
        runs = [policy.run(pow, 2, i) for i in range(4)]
        assert [s.result() for s in runs] == [1, 2, 4, 8]
        assert {s.resource for s in runs} == {"a", "b"}


def test_a_scored_policy_does_not_score_resources_that_cannot_run_the_work():
    scored: list[Any] = []

    def score(statistics: Any, *args: Any) -> float:
        scored.append(statistics.resource)
        return statistics.index

    arena = pm.Arena(1)
    policy = pm.ScoredPolicy(score, [3, arena, "four"])
    assert policy.run(pow, 2, 3).result() == 8
    assert policy.submit(pm.variants({str: lambda text: text})).result() == "four"
    assert scored == [arena, "four"]
    with pytest.raises(TypeError, match="cannot run functions"):
        pm.ScoredPolicy(score, [3]).run(pow, 2, 3)


def test_result_raises_the_exception_of_a_function_with_its_traceback():
    error = ZeroDivisionError("mine")

    def work() -> None:
        raise error

    policy = pm.DynamicLoad([pm.Arena(1)])
    submission = policy.run(work)
    submission.wait()
    for _ in range(2):
        with pytest.raises(ZeroDivisionError) as caught:
            submission.result()
        assert caught.value is error
    assert caught.traceback[-1].name == "work"
    assert policy.loads() == [0]


def test_a_function_may_wait_for_another_on_the_same_full_arena():
    policy = pm.RoundRobin([pm.Arena(1)])

    def nested(depth: int) -> int:
        return 0 if depth == 0 else 1 + policy.run(nested, depth - 1).result()

    assert policy.run(nested, 20).result() == 20


@pytest.mark.parametrize("threads", [1, 2, 7, 16], ids=lambda n: f"{n}_threads")
def test_many_threads_may_run_functions_at_once(threads: int):
    policy = pm.DynamicLoad([pm.Arena(1), pm.Arena(2)])
    failures: list[Any] = []

    def submitter() -> None:
        submissions = [policy.run(int, i) for i in range(200)]
        failures.extend(i for i, s in enumerate(submissions) if s.result() != i)

    workers = [threading.Thread(target=submitter) for _ in range(threads)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert failures == []
    assert policy.loads() == [0, 0]


def test_nothing_is_kept_of_completed_calls():
    import gc
    import weakref

    class Value:
        pass

    policy = pm.RoundRobin([pm.Arena(1)])
    seen = []
    for _ in range(50):
        value = Value()
        seen.append(weakref.ref(value))
        policy.run(lambda v: v, value).wait()
        del value
    policy.get_resources()[0].wait()
    gc.collect()
    assert [ref() for ref in seen if ref() is not None] == []


def test_auto_tune_learns_per_function():
    policy = pm.AutoTune([pm.Arena(1), Slow()])

    def work(n: int) -> int:
        return n

    for _ in range(6):
        policy.run(work, 3).wait()
    assert {policy.run(work, 3).resource for _ in range(5)} == {policy.get_resources()[0]}


class Slow(Runner):
    """Runs a function a hundred thousand times."""

    def run(self, func: Any, /, *args: Any, **kwargs: Any) -> Any:
        for _ in range(100_000):
            func(*args, **kwargs)
        return func(*args, **kwargs)


HELD = 0.05


@pytest.fixture
def elapsed_while_this_thread_holds_the_interpreter() -> Iterator[Callable[[Any], float]]:
    """Runs a short function under a policy and returns its elapsed time."""

    def elapsed(policy: Any) -> float:
        submission = policy.run(int)
        begin = time.perf_counter()
        while time.perf_counter() - begin < HELD:
            pass
        submission.wait()
        assert submission.elapsed is not None
        return float(submission.elapsed)

    interval = sys.getswitchinterval()
    sys.setswitchinterval(60)
    yield elapsed
    sys.setswitchinterval(interval)


def test_waiting_for_the_interpreter_is_not_charged_to_an_arena(
    elapsed_while_this_thread_holds_the_interpreter: Callable[[Any], float],
):
    policy = pm.RoundRobin([pm.Arena(1)])
    # A thread of the arena may start late; it then waits for the interpreter.
    assert any(
        elapsed_while_this_thread_holds_the_interpreter(policy) < HELD / 2 for _ in range(100)
    )


@pytest.mark.skipif(
    not getattr(sys, "_is_gil_enabled", lambda: True)(), reason="threads do not wait for each other"
)
def test_a_pool_does_not_report_how_long_it_waited_for_the_interpreter(
    elapsed_while_this_thread_holds_the_interpreter: Callable[[Any], float],
):
    with ThreadPoolExecutor(1) as pool:
        policy = pm.RoundRobin([pool])
        policy.run(int).wait()
        assert any(
            elapsed_while_this_thread_holds_the_interpreter(policy) >= HELD for _ in range(100)
        )


def test_a_timeout_bounds_the_search_for_a_resource():
    policy = pm.Token(["a"])
    running: Future[int] = Future()
    policy.submit(lambda resource: running)
    limited = policy.with_options(timeout=0.01)
    called: list[str] = []
    for verb in (limited.submit, limited.submit_and_wait, limited.run):
        with pytest.raises(TimeoutError, match="no resource became free") as caught:
            verb(called.append)
        assert isinstance(caught.value, pm.SubmitTimeoutError)
    assert limited.try_submit(called.append) is None
    assert called == []
    running.set_result(1)
    assert limited.submit(lambda resource: resource).result() == "a"
    assert limited.submit_and_wait(lambda resource: resource) == "a"
    assert limited.get_resources() == ["a"]
    assert limited.submission_group().wait(60)
    assert policy.loads() == [0]


def test_options_share_the_state_of_the_policy():
    policy = pm.DynamicLoad([pm.Arena(1)])
    limited = policy.with_options(timeout=60).with_options(timeout=30)
    assert limited.run(pow, 2, 3).result() == 8
    assert list(limited.map(abs, [-1, 2])) == [1, 2]
    assert "DynamicLoad" in repr(limited) and "timeout=30" in repr(limited)


def test_a_policy_whose_init_was_not_called_says_so():
    class Mine(pm.RoundRobin):
        def __init__(self) -> None:
            pass

    with pytest.raises(TypeError, match="__init__"):
        Mine().submit(lambda resource: 1)


def test_a_subclass_of_a_policy_submits_as_the_policy_does():
    class Mine(pm.RoundRobin):
        pass

    assert Mine(["a", "b"]).submit(lambda resource: resource).result() == "a"
