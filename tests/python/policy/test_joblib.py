# SPDX-License-Identifier: Apache-2.0
"""joblib on policies. test_joblib_suite.py runs joblib's own tests."""

from __future__ import annotations

import asyncio
import inspect
import itertools
import multiprocessing
import threading
from typing import Any

import pytest
from policy.pending_work import Busy

import pointsman as pm

joblib = pytest.importorskip("joblib")

from pointsman import joblib_backend  # noqa: E402

NAME = "pointsman-test"


def on(policy: Any) -> Any:
    joblib_backend.register(policy, NAME)
    return joblib.parallel_backend(NAME)


@pytest.mark.parametrize("n_jobs", [None, -1, 1, 3])
def test_results_come_in_order(n_jobs: int | None):
    with on(pm.DynamicLoad([pm.Arena(1), pm.Arena(1)])):
        results = joblib.Parallel(n_jobs=n_jobs)(joblib.delayed(pow)(2, i) for i in range(50))
    assert results == [2**i for i in range(50)]


def test_an_error_is_raised_and_leaves_no_load():
    policy = pm.DynamicLoad([pm.Arena(1), pm.Arena(1)])
    with pytest.raises(ZeroDivisionError), on(policy):
        joblib.Parallel(n_jobs=2)(joblib.delayed(divmod)(1, i) for i in itertools.repeat(0, 3))
    assert policy.submission_group().wait(60)
    assert policy.loads() == [0, 0]


def nested(levels: int) -> int:
    if levels == 0:
        return 1
    run = joblib.Parallel(n_jobs=2, backend=NAME)
    return sum(run(joblib.delayed(nested)(levels - 1) for _ in range(2)))


@pytest.mark.parametrize("threads", [1, 2])
def test_parallel_within_parallel_finishes(threads: int):
    with on(pm.DynamicLoad([pm.Arena(1) for _ in range(threads)])):
        assert nested(3) == 8


def test_parallel_within_a_call_of_an_executor_finishes():
    policy = pm.RoundRobin([pm.Arena(1)])
    with on(policy), policy.as_executor() as executor:
        assert executor.submit(nested, 1).result(timeout=60) == 2


def test_a_policy_with_as_many_resources_as_tokens_finishes():
    with on(pm.Token([pm.Arena(1), pm.Arena(1)])):
        results = joblib.Parallel(n_jobs=4, batch_size=1)(
            joblib.delayed(abs)(-i) for i in range(200)
        )
    assert results == list(range(200))


@pytest.mark.parametrize(
    "make",
    [
        lambda: pm.Token([pm.Arena(1), pm.Arena(1)]),
        lambda: pm.RoundRobin([pm.Arena(4)]).with_options(max_outstanding=1),
        lambda: pm.RoundRobin([pm.Arena(4)]).with_options(max_outstanding_per_resource=1),
        lambda: Busy([pm.Arena(4)], refusals=3),
    ],
    ids=["tokens", "places", "places of a resource", "busy"],
)
def test_the_thread_of_an_event_loop_puts_jobs_off_too(make: Any):
    async def main() -> list[int]:
        calls = (joblib.delayed(abs)(-i) for i in range(50))
        results: list[int] = joblib.Parallel(n_jobs=4, batch_size=1)(calls)
        return results

    with on(make()):
        assert asyncio.run(main()) == list(range(50))


def test_in_the_thread_of_an_event_loop_an_error_of_the_rule_is_raised():
    class Broken(pm.PolicyBase):  # type: ignore[type-arg]
        def try_select(self, work: Any, /, *args: Any, **kwargs: Any) -> Any:
            raise LookupError("on purpose")

    async def main() -> None:
        joblib.Parallel(n_jobs=2)(joblib.delayed(abs)(i) for i in range(3))

    with on(Broken([pm.Arena(2)])), pytest.raises(LookupError, match="on purpose"):
        asyncio.run(main())


def test_no_more_calls_run_at_once_than_jobs():
    running, most = 0, 0
    lock = threading.Lock()
    pair = threading.Barrier(2)

    def work() -> None:
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        pair.wait()
        with lock:
            running -= 1

    with on(pm.DynamicLoad([pm.Arena(4)])):
        joblib.Parallel(n_jobs=2, batch_size=1, pre_dispatch="all")(
            joblib.delayed(work)() for _ in range(40)
        )
    assert most == 2


def test_calls_that_complete_at_once_do_not_pile_up():
    class Inline:
        concurrency = 2

        def run(self, func: Any, /, *args: Any) -> Any:
            return func(*args)

    with on(pm.RoundRobin([Inline()])):
        results = joblib.Parallel(n_jobs=2, batch_size=1)(
            joblib.delayed(abs)(-i) for i in range(3000)
        )
    assert results == list(range(3000))


def test_a_timeout_raises_the_error_that_joblib_users_catch(gate: threading.Event):
    with on(pm.DynamicLoad([pm.Arena(2)])), pytest.raises(multiprocessing.TimeoutError) as raised:
        joblib.Parallel(n_jobs=2, timeout=0.01)(joblib.delayed(gate.wait)() for _ in range(4))
    assert has_generators() or isinstance(raised.value, pm.WaitTimeoutError)


def has_generators() -> bool:
    """Returns true from joblib 1.3 on, which raises timeouts itself."""
    return "return_as" in inspect.signature(joblib.Parallel).parameters


@pytest.mark.skipif(not has_generators(), reason="this joblib has no generators")
def test_a_generator_yields_results_before_the_last_is_ready(gate: threading.Event):
    def work(i: int) -> int:
        if i > 0:
            gate.wait()
        return i

    with on(pm.DynamicLoad([pm.Arena(2)])):
        results = joblib.Parallel(n_jobs=2, return_as="generator", batch_size=1)(
            joblib.delayed(work)(i) for i in range(4)
        )
        assert next(results) == 0
        gate.set()
        assert list(results) == [1, 2, 3]


@pytest.mark.skipif(not has_generators(), reason="this joblib has no generators")
def test_an_unordered_generator_yields_the_first_that_is_ready(gate: threading.Event):
    def work(i: int) -> int:
        if i == 0:
            gate.wait()
        return i

    with on(pm.DynamicLoad([pm.Arena(2)])):
        results = joblib.Parallel(n_jobs=2, return_as="generator_unordered", batch_size=1)(
            joblib.delayed(work)(i) for i in range(4)
        )
        assert sorted(itertools.islice(results, 3)) == [1, 2, 3]
        gate.set()
        assert list(results) == [0]


def test_n_jobs_of_zero_is_refused():
    with on(pm.RoundRobin([pm.Arena(1)])), pytest.raises(ValueError, match="or -1 for all threads"):
        joblib.Parallel(n_jobs=0)(joblib.delayed(abs)(i) for i in range(2))
