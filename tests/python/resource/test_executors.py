# SPDX-License-Identifier: Apache-2.0
"""Executors of concurrent.futures as resources."""

from __future__ import annotations

import multiprocessing
import os
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from typing import Any

import pytest

import pointsman as pm


def start(pool: Executor, f: Any, *args: Any) -> Future[Any]:
    return pool.submit(f, *args)


def idle(policy: Any) -> bool:
    return not any(policy.loads())


def test_every_policy_places_work_on_thread_pools(policy_class: Any):
    with ThreadPoolExecutor(1) as first, ThreadPoolExecutor(1) as second:
        enough = {"tokens": 100} if policy_class is pm.Token else {}
        policy = policy_class([first, second], **enough)
        submissions = [policy.submit(start, pow, x, 2) for x in range(20)]
        assert [s.result() for s in submissions] == [x * x for x in range(20)]
        assert all(s.resource in (first, second) for s in submissions)
        policy.submission_group().wait()
        assert idle(policy)


@pytest.fixture(scope="module")
def processes() -> Any:
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=context) as pool:
        yield pool


def test_work_runs_in_another_process(processes: ProcessPoolExecutor):
    policy = pm.DynamicLoad([processes])
    assert policy.submit_and_wait(start, os.getpid) != os.getpid()
    assert policy.loads() == [0]


def test_result_raises_the_error_of_another_process(processes: ProcessPoolExecutor):
    policy = pm.DynamicLoad([processes])
    submission = policy.submit(start, int, "x")
    submission.wait()
    with pytest.raises(ValueError, match="invalid literal"):
        submission.result()
    assert policy.loads() == [0]


def test_threads_and_processes_mix_with_an_arena(processes: ProcessPoolExecutor):
    with ThreadPoolExecutor(1) as threads:
        policy = pm.RoundRobin([processes, threads, pm.Arena(1)])
        work = pm.variants({Executor: start, pm.Arena: lambda arena, f, *args: arena.run(f, *args)})
        assert [policy.submit(work, pow, 2, x).result() for x in range(6)] == [1, 2, 4, 8, 16, 32]


def test_submit_to_a_pool_that_was_shut_down_raises_and_keeps_no_load():
    pool = ThreadPoolExecutor(1)
    pool.shutdown()
    policy = pm.DynamicLoad([pool])
    with pytest.raises(RuntimeError, match="shutdown"):
        policy.submit(start, pow, 1, 1)
    assert policy.loads() == [0]
