# SPDX-License-Identifier: Apache-2.0
"""Work on a worker: results, errors, times, cancellation."""

from __future__ import annotations

import asyncio
import time

import pytest

import pointsman as pm

distributed = pytest.importorskip("distributed")


@pytest.fixture
def policy(client):
    return pm.RoundRobin(pm.dask.workers(client))


@pytest.fixture
def gate(client):
    """An event for which work can wait."""
    return distributed.Event("gate", client=client)


def worker_name():
    return distributed.get_worker().name


def pass_gate():
    return distributed.Event("gate").wait(60)


def pause():
    time.sleep(0.05)


def test_a_function_runs_on_the_worker_that_the_policy_chose(policy):
    submissions = [policy.run(worker_name) for _ in range(6)]
    assert [each.result(60) for each in submissions] == [each.resource.name for each in submissions]
    assert len({each.resource for each in submissions}) == 2


def test_submit_hands_the_worker_to_the_function(policy):
    submission = policy.submit(lambda worker, x: worker.run(pow, x, 2), 7)
    assert submission.result(60) == 49


def test_an_error_of_the_function_comes_out_of_the_result(policy):
    with pytest.raises(ZeroDivisionError):
        policy.run(divmod, 1, 0).result(60)


def test_keyword_arguments_named_like_those_of_dask_reach_the_function(policy):
    def give(**given):
        return given

    given = {"workers": 1, "key": 2, "pure": 3, "resources": 4, "retries": 5}
    assert policy.run(give, **given).result(60) == given


def test_equal_calls_each_run(policy):
    assert len({policy.run(time.perf_counter_ns).result(60) for _ in range(3)}) == 3


def test_a_future_as_argument_is_its_value_on_the_worker(policy):
    square = policy.run(pow, 7, 2).unwrap()
    assert policy.run(pow, square.future, 2).result(60) == 2401
    assert policy.run(sum, [square.future, square.future]).result(60) == 98


def test_a_submission_can_be_awaited(policy):
    async def awaited():
        return await policy.run(pow, 2, 3)

    assert asyncio.run(awaited()) == 8


def test_workers_and_arenas_can_be_resources_of_one_policy(client):
    policy = pm.RoundRobin([pm.Arena(1), *pm.dask.workers(client)])
    submissions = [policy.run(pow, i, 2) for i in range(6)]
    assert [each.result(60) for each in submissions] == [0, 1, 4, 9, 16, 25]


def test_a_call_can_be_cancelled_before_it_is_complete(policy, gate):
    submission = policy.run(pass_gate)
    assert submission.cancel()
    with pytest.raises(pm.WorkCancelledError):
        submission.result(60)
    gate.set()
    assert submission.explain().state == "cancelled"


def test_a_complete_call_cannot_be_cancelled(policy):
    submission = policy.run(pow, 2, 3)
    assert submission.result(60) == 8
    assert not submission.cancel()
    assert submission.result(60) == 8


def test_a_policy_knows_the_load_of_workers(policy, gate):
    submissions = [policy.run(pass_gate) for _ in range(3)]
    assert policy.loads() == [2, 1]
    gate.set()
    assert all(submission.wait(60) for submission in submissions)
    assert policy.submission_group().wait(60)
    assert policy.loads() == [0, 0]


def test_the_time_of_computing_is_apart_from_the_wait_in_a_queue(client):
    [single] = pm.dask.workers(client, threads=1)
    policy = pm.RoundRobin([single])
    submissions = [policy.run(pause) for _ in range(4)]
    assert all(submission.wait(60) for submission in submissions)
    [entry] = policy.statistics()
    times = entry.resource.times
    assert times.completed == 4
    assert 0.045 < times.compute < entry.mean_elapsed
    assert times.wait > 1.5 * 0.045  # they wait for 0, 1, 2 and 3 others
    assert times.transfer == 0


def test_data_of_another_worker_counts_as_transfer(client):
    single, double = sorted(pm.dask.workers(client), key=lambda worker: worker.threads)
    data = single.run(bytes, 10_000_000)
    assert double.run(len, data.future).result(60) == 10_000_000
    assert double.times.transfer > 0


def test_times_are_unknown_before_the_first_call(client):
    assert pm.dask.workers(client)[0].times == pm.dask.WorkerTimes(0, None, None, None)
