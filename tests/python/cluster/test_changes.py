# SPDX-License-Identifier: Apache-2.0
"""Workers that join and leave, from the command line: nothing is lost silently."""

from __future__ import annotations

import queue

import pytest

import pointsman as pm


def make_hold():
    """Returns a function that a worker can load without this file."""

    def hold(item):
        import threading

        threading.Event().wait(0.02)
        return item

    return hold


def outcomes_of(submissions):
    """The result of each submission, or the error that names its lost worker."""
    outcomes = []
    for submission in submissions:
        try:
            outcomes.append(submission.result(60))
        except pm.dask.WorkerLostError as error:
            assert repr(submission.resource) in str(error)
            outcomes.append(error)
    return outcomes


def test_every_submission_ends_when_a_worker_is_killed(start_cluster):
    cluster = start_cluster("first", "second")
    policy = pm.DynamicLoad(pm.dask.workers(cluster.client))
    submissions = [policy.run(make_hold(), i) for i in range(60)]
    next(each for each in submissions if each.resource.name == "second").wait(60)
    cluster.kill("second")
    outcomes = outcomes_of(submissions)
    lost = [i for i, outcome in enumerate(outcomes) if isinstance(outcome, Exception)]
    assert lost
    assert {submissions[i].resource.name for i in lost} == {"second"}
    assert [o for i, o in enumerate(outcomes) if i not in lost] == [
        i for i in range(60) if i not in lost
    ]
    again = pm.DynamicLoad(pm.dask.workers(cluster.client))
    assert [again.run(make_hold(), i).result(60) for i in lost] == lost


def test_work_of_a_killed_worker_runs_elsewhere_if_that_is_allowed(start_cluster):
    cluster = start_cluster("first", "second")
    policy = pm.DynamicLoad(
        pm.dask.workers(cluster.client), health=pm.HealthSettings(failures=1, back_off=60)
    )
    view = policy.with_options(on_failure="fallback")
    submissions = [view.run(make_hold(), i) for i in range(60)]
    next(each for each in submissions if each.resource.name == "second").wait(60)
    cluster.kill("second")
    outcomes = outcomes_of(submissions)
    again = [i for i, each in enumerate(submissions) if len(each.attempts) > 1]
    assert again
    assert outcomes == list(range(60))
    assert {submissions[i].resource.name for i in again} == {"first"}
    states = {entry.resource.name: entry.state for entry in policy.health()}
    assert states == {"first": "healthy", "second": "quarantined"}
    assert policy.loads() == [0, 0]


def remove(client, name):
    """Removes a worker of this process from its cluster, as if its machine had failed."""
    [worker] = [worker for worker in pm.dask.workers(client) if worker.name == name]
    [address] = worker.addresses

    async def leave(dask_scheduler):
        await dask_scheduler.remove_worker(address, stimulus_id="test")

    client.run_on_scheduler(leave)
    return worker


def test_work_submitted_to_a_worker_that_has_left_fails(client):
    single = remove(client, "single")
    with pytest.raises(pm.dask.WorkerLostError, match="single at .* has left .* with pow"):
        single.run(pow, 2, 3).result(60)


def test_a_large_result_that_nobody_fetched_is_lost_with_its_worker(client):
    [single] = pm.dask.workers(client, threads=1)
    call = single.run(bytes, 100_000)
    assert call.wait(60)
    remove(client, "single")
    with pytest.raises(pm.dask.WorkerLostError, match="has left .* with bytes or its result"):
        call.result(60)


def test_small_results_outlive_their_worker(client):
    [single] = pm.dask.workers(client, threads=1)
    calls = [single.run(pow, 2, i) for i in range(20)]
    assert all(call.wait(60) for call in calls)
    remove(client, "single")
    assert [call.result(60) for call in calls] == [2**i for i in range(20)]


def test_a_host_goes_on_while_one_of_its_workers_is_left(client):
    [host] = pm.dask.workers(client, each="host")
    calls = [host.run(make_hold(), i) for i in range(20)]
    remove(client, "single")
    assert [call.result(60) for call in calls] == list(range(20))


def test_the_set_of_a_policy_follows_the_cluster(start_cluster):
    cluster = start_cluster("first")
    policy = pm.DynamicLoad(pm.deferred_initialization)
    sets: queue.SimpleQueue[set[str]] = queue.SimpleQueue()

    def initialize(workers):
        policy.initialize(workers)
        sets.put({worker.name for worker in workers})

    with pm.dask.follow(cluster.client, initialize):
        assert sets.get(timeout=60) == {"first"}
        cluster.start_worker("second")
        assert sets.get(timeout=60) == {"first", "second"}
        cluster.kill("first")
        assert sets.get(timeout=60) == {"second"}
        assert [policy.run(pow, i, 2).result(60) for i in range(4)] == [0, 1, 4, 9]
        assert [worker.name for worker in policy.get_resources()] == ["second"]


def test_the_last_set_stays_when_all_workers_have_left(client):
    policy = pm.DynamicLoad(pm.deferred_initialization)
    with pm.dask.follow(client, policy.initialize, threads=1):
        remove(client, "single")
        with pytest.raises(pm.dask.WorkerLostError):
            policy.run(pow, 2, 3).result(60)
        assert [worker.name for worker in policy.get_resources()] == ["single"]


def test_nothing_follows_after_close(client):
    sets = []
    following = pm.dask.follow(client, sets.append)
    following.close()
    following.close()
    heard: queue.SimpleQueue[int] = queue.SimpleQueue()
    with pm.dask.follow(client, lambda workers: heard.put(len(workers))):
        assert heard.get(timeout=60) == 2
        remove(client, "single")
        assert heard.get(timeout=60) == 1
    assert [len(each) for each in sets] == [2]


def test_an_error_of_the_first_initialisation_is_raised_and_ends_the_following(client):
    def refuse(workers):
        raise ValueError("no room")

    with pytest.raises(ValueError, match="no room"):
        pm.dask.follow(client, refuse)
    with pytest.raises(pm.error.InvalidOptionError, match="each is 'rack'"):
        pm.dask.follow(client, print, each="rack")
