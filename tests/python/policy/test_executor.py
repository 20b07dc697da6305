# SPDX-License-Identifier: Apache-2.0
"""as_executor: a policy as an executor of concurrent.futures.

Follows the behaviours that CPython's own tests of executors check (test_concurrent_futures:
shutdown, wait, as_completed, executor), for machines without these tests; test_cpython_executor.py
runs the tests themselves. Not covered, since a policy has no such thing: the executor's own threads
or processes (their number, names, reuse while idle, `initializer`, `max_workers`, `mp_context`),
and the queue of a process pool (deadlocks, sentinels, killed workers).
"""

from __future__ import annotations

import asyncio
import gc
import pickle
import queue
import threading
import weakref
from collections.abc import Iterator
from concurrent import futures
from concurrent.futures import CancelledError, Executor, Future, ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

import pytest

import pointsman as pm


@pytest.fixture
def executor(gate: threading.Event) -> Iterator[Executor]:
    with pm.DynamicLoad([pm.Arena(1), pm.Arena(1)]).as_executor() as made:
        yield made
        gate.set()


def capital(bits: int, names: str = "") -> str:
    return f"{bits}{names}"


def test_submit_runs_the_function_with_its_arguments(executor: Executor):
    assert executor.submit(pow, 2, 8).result() == 256
    assert executor.submit(capital, 16, names="x").result() == "16x"
    assert executor.submit(lambda self, fn: (self, fn), self=1, fn=2).result() == (1, 2)
    with pytest.raises(TypeError):
        executor.submit()  # type: ignore[call-arg]


def test_futures_are_concurrent_futures(executor: Executor):
    future = executor.submit(pow, 2, 3)
    assert isinstance(future, Future)
    assert future.result() == 8
    assert future.done() and not future.running() and not future.cancelled()
    assert future.exception() is None


def test_exceptions_are_raised_by_the_future(executor: Executor):
    future = executor.submit(divmod, 1, 0)
    with pytest.raises(ZeroDivisionError):
        future.result()
    assert isinstance(future.exception(), ZeroDivisionError)


def test_map_gives_results_in_order(executor: Executor):
    assert list(executor.map(pow, range(10), range(10))) == [x**x for x in range(10)]
    assert list(executor.map(pow, range(10), range(10), chunksize=3)) == [x**x for x in range(10)]


def test_map_raises_at_the_position_of_the_result(executor: Executor):
    results = executor.map(divmod, [1, 1, 1, 1], [2, 3, 0, 5])
    assert next(results) == (0, 1)
    assert next(results) == (0, 1)
    with pytest.raises(ZeroDivisionError):
        next(results)


def test_map_ends_at_its_timeout(executor: Executor, gate: threading.Event):
    results = executor.map(threading.Event.wait, [gate], timeout=0.05)
    with pytest.raises(futures.TimeoutError):
        next(results)


def test_map_submits_before_it_is_iterated(executor: Executor):
    finished: list[int] = []
    executor.map(finished.append, range(10))
    executor.shutdown(wait=True)
    assert sorted(finished) == list(range(10))


def test_a_cancelled_call_frees_its_resource_and_wakes_waiting_threads(gate: threading.Event):
    policy = pm.DynamicLoad([pm.Arena(1)])
    begun = threading.Event()
    executor = policy.as_executor()
    running = executor.submit(lambda: (begun.set(), gate.wait()))
    queued = executor.submit(pow, 2, 3)
    begun.wait()
    assert policy.loads() == [2]
    assert queued.cancel()
    assert policy.loads() == [1]
    done, pending = futures.wait([queued, running], return_when=futures.FIRST_COMPLETED)
    assert (done, pending) == ({queued}, {running})
    with pytest.raises(CancelledError):
        queued.result()
    assert running.running()
    assert not running.cancel()
    gate.set()
    executor.shutdown()


def test_wait_returns_at_the_first_completion_or_the_first_failure(
    executor: Executor, gate: threading.Event
):
    quick, slow = executor.submit(pow, 2, 3), executor.submit(gate.wait)
    done, pending = futures.wait([quick, slow], return_when=futures.FIRST_COMPLETED)
    assert (done, pending) == ({quick}, {slow})
    failing = pm.RoundRobin([pm.Arena(1)]).as_executor().submit(divmod, 1, 0)
    done, pending = futures.wait([failing, slow], return_when=futures.FIRST_EXCEPTION)
    assert (done, pending) == ({failing}, {slow})
    done, pending = futures.wait([slow], timeout=0)
    assert (done, pending) == (set(), {slow})
    gate.set()
    assert futures.wait([quick, slow, failing]).not_done == set()


def test_as_completed_gives_each_future_once(executor: Executor, gate: threading.Event):
    submitted = {executor.submit(pow, 2, i) for i in range(20)}
    assert set(futures.as_completed(submitted)) == submitted
    slow = executor.submit(gate.wait)
    with pytest.raises(futures.TimeoutError):
        list(futures.as_completed([slow], timeout=0.01))


def test_callbacks_of_a_future_are_called(executor: Executor):
    told: queue.SimpleQueue[int] = queue.SimpleQueue()
    future = executor.submit(pow, 2, 5)
    future.add_done_callback(lambda f: told.put(f.result()))
    assert told.get(timeout=60) == 32


def test_no_reference_to_a_call_is_kept():
    class Value:
        def method(self) -> int:
            return 3

    executor = pm.RoundRobin([pm.Arena(1)]).as_executor()
    value = Value()
    observer = weakref.ref(value)
    future = executor.submit(value.method)
    assert future.result() == 3
    executor.shutdown()
    del value, future
    gc.collect()
    assert observer() is None


def test_many_threads_may_submit(executor: Executor):
    totals: list[int] = []

    def submitter() -> None:
        totals.append(sum(f.result() for f in [executor.submit(int, i) for i in range(100)]))

    threads = [threading.Thread(target=submitter) for _ in range(7)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert totals == [4950] * 7


def test_a_call_may_submit_to_its_own_executor_and_wait():
    with pm.RoundRobin([pm.Arena(2)]).as_executor() as executor:
        assert executor.submit(lambda: list(executor.map(abs, [-1]))).result() == [1]


def test_calls_reach_other_processes():
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        executor = pm.RoundRobin([pool]).as_executor()
        assert executor.submit(int, "20", base=16).result() == 32
        assert isinstance(executor.submit(int, "x").exception(), ValueError)
        executor.shutdown()


def test_submitting_is_refused_if_no_resource_can_run_functions():
    executor = pm.RoundRobin([3, "four"]).as_executor()
    with pytest.raises(TypeError, match="cannot run functions"):
        executor.submit(pow, 2, 3)
    executor.shutdown()


def test_a_call_may_wait_for_another_on_the_only_thread():
    with pm.RoundRobin([pm.Arena(1)]).as_executor() as executor:
        outer = executor.submit(lambda: executor.submit(abs, -1).result())
        assert outer.result(timeout=60) == 1
        outer = executor.submit(lambda: executor.submit(divmod, 1, 0).exception())
        assert isinstance(outer.result(timeout=60), ZeroDivisionError)


def test_a_call_may_leave_an_executor_on_the_only_thread(gate: threading.Event):
    policy = pm.RoundRobin([pm.Arena(1)])

    def outer() -> int:
        with policy.as_executor() as inner:
            future = inner.submit(abs, -1)
        return future.result()

    with policy.as_executor() as executor:
        assert executor.submit(outer).result(timeout=60) == 1


@pytest.mark.parametrize("kind", [SystemExit, KeyboardInterrupt, GeneratorExit, StopIteration])
def test_a_base_exception_is_raised_by_the_future_too(
    executor: Executor, kind: type[BaseException]
):
    def fail() -> None:
        raise kind("text")

    error = executor.submit(fail).exception()
    assert type(error) is kind
    assert error.__traceback__ is not None
    assert executor.submit(abs, -2).result() == 2


def test_an_error_keeps_its_cause(executor: Executor):
    def fail() -> None:
        raise ValueError("outer") from KeyError("inner")

    with pytest.raises(ValueError, match="outer") as raised:
        executor.submit(fail).result()
    assert isinstance(raised.value.__cause__, KeyError)


def test_stop_iteration_from_a_rule_is_reported():
    class Exhausted(pm.PolicyBase):
        def try_select(self, work: Any, /, *args: Any, **kwargs: Any) -> Any:
            return next(iter(()))

    executor = Exhausted([pm.Arena(1)]).as_executor()
    with pytest.raises(RuntimeError, match="StopIteration: return None"):
        executor.submit(abs, -1)
    executor.shutdown()


def test_a_refused_call_is_not_waited_for():
    executor = pm.RoundRobin([3, "four"]).as_executor()
    with pytest.raises(TypeError, match="cannot run functions"):
        executor.submit(abs, -1)
    executor.shutdown()


def test_executors_and_futures_refuse_to_be_pickled_with_a_sentence(executor: Executor):
    with pytest.raises(TypeError, match=r"Make one in the other process, with policy.as_executor"):
        pickle.dumps(executor)
    with pytest.raises(TypeError, match=r"pass its result\(\) instead"):
        pickle.dumps(executor.submit(abs, -1))


def test_asyncio_wraps_the_futures(executor: Executor):
    async def main() -> int:
        return await asyncio.wrap_future(executor.submit(pow, 2, 5))

    assert asyncio.run(main()) == 32


def test_auto_tune_identifies_calls_by_their_function():
    policy = pm.AutoTune([pm.Arena(1), Slow()])
    with policy.as_executor() as executor:
        for _ in range(8):
            executor.submit(capital, 3).result()
    assert policy.run(capital, 3).resource is not policy.get_resources()[1]


class Slow:
    """Runs a function, and takes far longer than the function itself."""

    def run(self, func: Any, /, *args: Any) -> Any:
        result = func(*args)
        for _ in range(1_000_000):
            pass
        return result


def test_asyncio_runs_functions_in_an_executor(executor: Executor):
    async def main() -> list[int]:
        loop = asyncio.get_running_loop()
        return await asyncio.gather(*(loop.run_in_executor(executor, pow, 2, i) for i in range(5)))

    assert asyncio.run(main()) == [1, 2, 4, 8, 16]


def test_dask_computes_with_an_executor(executor: Executor):
    dask = pytest.importorskip("dask")
    parts = [dask.delayed(pow)(2, i) for i in range(10)]
    assert dask.compute(dask.delayed(sum)(parts), scheduler=executor) == (1023,)


def test_an_executor_over_options_has_their_limits(gate: threading.Event):
    policy = pm.Token([pm.Arena(1)])
    executor = policy.with_options(timeout=0.01).as_executor()
    running = executor.submit(gate.wait)
    with pytest.raises(pm.SubmitTimeoutError):
        executor.submit(pow, 2, 3)
    gate.set()
    assert running.result()
    executor.shutdown()


def wait_for_cancelled_work() -> Any:
    work: Future[None] = Future()
    work.cancel()
    return work.result()


@pytest.mark.parametrize(
    "options",
    [
        {"timeout": 60},
        {"on_failure": pm.Retry(3)},
        {"time_limit": 60},
        {"max_outstanding": 8},
        {"max_outstanding_per_resource": 8},
    ],
    ids=lambda options: next(iter(options)),
)
def test_a_call_that_waits_for_cancelled_work_finishes(options: dict[str, Any]):
    executor = pm.RoundRobin([pm.Arena(1)]).with_options(**options).as_executor()
    future = executor.submit(wait_for_cancelled_work)
    assert isinstance(future.exception(timeout=60), CancelledError)
    executor.shutdown()


def test_a_call_that_the_group_cancels_between_two_attempts_finishes():
    failed = threading.Event()

    class Once(pm.PolicyBase):
        """Has a free resource for the first attempt only."""

        is_used = False

        def try_select(self, work: Any, /, *args: Any, **kwargs: Any) -> Any:
            if self.is_used:
                failed.set()
                return None
            self.is_used = True
            return self.get_resources()[0]

    policy = Once([pm.Arena(1)])
    executor = policy.with_options(on_failure=pm.Retry(1000)).as_executor()
    future = executor.submit(divmod, 1, 0)
    assert failed.wait(60)
    policy.submission_group().cancel()
    assert isinstance(future.exception(timeout=60), pm.WorkCancelledError)
    executor.shutdown()


def test_a_score_sees_the_arguments_of_a_call():
    seen: list[Any] = []

    def score(_statistics: Any, *args: Any, **kwargs: Any) -> float:
        seen.append((args, kwargs))
        return 0.0

    policy = pm.ScoredPolicy(score, [pm.Arena(1)])
    for view in (policy, policy.with_options(timeout=60), policy.with_options(max_outstanding=8)):
        with view.as_executor() as executor:
            assert executor.submit(int, "20", base=16).result() == 32
            assert list(executor.map(pow, [2], [3])) == [8]
    assert seen == [(("20",), {"base": 16}), ((2, 3), {})] * 3


def test_a_call_is_of_the_same_kind_as_the_work_of_run():
    policy = pm.AutoTune([pm.Arena(1)])
    tasks: list[Any] = [(len, [1] * 1000), (pm.task(sum, key=len), [1] * 10), (int, "5")]
    for fn, argument in tasks:
        policy.run(fn, argument).result()
    known = len(policy.statistics().kinds)
    with policy.as_executor() as executor:
        for fn, argument in tasks:
            executor.submit(fn, argument).result()
        assert len(policy.statistics().kinds) == known
        executor.submit(len, [1]).result()
    assert len(policy.statistics().kinds) == known + 1


def test_a_resource_may_give_a_call_other_arguments():
    class Doubling:
        def run(self, func: Any, /, *args: int) -> Any:
            return func(*(2 * each for each in args))

    policy = pm.RoundRobin([Doubling()])
    assert policy.run(abs, -2).result() == 4
    for view in (policy, policy.with_options(max_outstanding=8)):
        with view.as_executor() as executor:
            assert executor.submit(abs, -2).result() == 4
