# SPDX-License-Identifier: Apache-2.0
"""What policies that measure learn of workers: times, where data lies, and through changes."""

from __future__ import annotations

import time

import pytest

import pointsman as pm

distributed = pytest.importorskip("distributed")

MEASURING = [pm.AutoTune, pm.EarliestFinish]


@pytest.fixture
def single_and_double(client):
    """The two workers, that of one thread first."""
    return sorted(pm.dask.workers(client), key=lambda worker: worker.threads)


@pytest.fixture
def slow_cluster(client):
    """Lets the scheduler believe that the workers exchange a kilobyte per second."""

    def slow_down(dask_scheduler):
        class Slow(type(dask_scheduler)):
            @property
            def bandwidth(self):
                return 1000

            @bandwidth.setter
            def bandwidth(self, measured):
                """Ignores what the workers measure."""

        dask_scheduler.__class__ = Slow

    client.run_on_scheduler(slow_down)
    return client


def pause(*_):
    time.sleep(0.02)


def run_until_known(policy, function, *args, **kwargs):
    """Runs calls one after the other until each worker is known, however slow its first run was."""
    for _ in range(100):
        policy.run(function, *args, **kwargs).result(60)
        if None not in policy.estimates(function, *args, **kwargs):
            return
    raise AssertionError(f"{policy} knows only {policy.estimates(function, *args, **kwargs)}")


@pytest.mark.parametrize("policy_class", MEASURING)
def test_a_policy_learns_the_time_of_computing_and_not_that_in_a_queue(client, policy_class):
    [single] = pm.dask.workers(client, threads=1)
    begun, gate = (distributed.Event(name, client=client) for name in ("begun", "gate"))

    def pass_gate():
        distributed.Event("begun").set()
        distributed.Event("gate").wait(60)

    policy = policy_class([single])
    for _ in range(6):
        before = single.run(pass_gate)
        assert begun.wait(60)
        submission = policy.run(pause)
        assert not submission.wait(0.1)
        gate.set()
        assert submission.wait(60)
        assert before.wait(60)
        begun.clear()
        gate.clear()
    assert policy.submission_group().wait(60)
    [learnt] = policy.estimates(pause)
    assert 0.015 < learnt < 0.08


@pytest.mark.parametrize("policy_class", MEASURING)
def test_what_was_learnt_of_a_worker_is_kept_when_others_join_and_leave(
    single_and_double, policy_class
):
    single, double = single_and_double
    policy = policy_class([single])
    run_until_known(policy, pause)
    learnt = policy.estimates(pause)
    policy.initialize([double, single])
    assert policy.estimates(pause) == [None, *learnt]
    policy.initialize([single])
    assert policy.estimates(pause) == learnt


@pytest.mark.parametrize("policy_class", MEASURING)
@pytest.mark.parametrize("makes_data", ["a call", "scatter", "submit"])
def test_a_call_goes_to_the_worker_that_holds_its_data(
    slow_cluster, single_and_double, policy_class, makes_data
):
    policy = policy_class(single_and_double)
    run_until_known(policy, pause, slow_cluster.submit(int))
    for holder in single_and_double * 2:
        address = list(holder.addresses)
        if makes_data == "a call":
            call = holder.run(bytes, 1_000_000)
            assert call.wait(60)
            data = call.future
        elif makes_data == "scatter":
            data = slow_cluster.scatter(bytes(1_000_000), workers=address, hash=False)
        else:
            data = slow_cluster.submit(bytes, 1_000_000, workers=address, pure=False)
            distributed.wait(data, 60)
        submission = policy.run(pause, data)
        submission.result(60)
        assert submission.resource == holder


@pytest.mark.parametrize("wrap", [lambda x: [x], lambda x: (1, [x]), lambda x: {"image": {x}}])
def test_data_within_collections_counts(slow_cluster, single_and_double, wrap):
    policy = pm.AutoTune(single_and_double)
    run_until_known(policy, pause, wrap(slow_cluster.submit(int, pure=False)))
    for holder in single_and_double * 2:
        call = holder.run(bytes, 1_000_000)
        assert call.wait(60)
        submission = policy.run(pause, wrap(call.future))
        submission.result(60)
        assert submission.resource == holder


def test_a_collection_within_itself_is_looked_at_once():
    from pointsman.dask._holdings import futures_in

    endless: list[object] = [1]
    endless.append(endless)
    assert futures_in([endless], {}) == {}


def test_the_items_of_a_map_go_to_the_workers_that_hold_their_data(slow_cluster, single_and_double):
    def holder_of(data):
        time.sleep(0.02)
        return distributed.get_worker().name, data

    policy = pm.AutoTune(single_and_double)
    for _ in range(12):
        assert list(policy.map(holder_of, [slow_cluster.submit(int, pure=False)], chunksize=1))
    for holder in single_and_double * 2:
        call = holder.run(bytes, 1_000_000)
        assert call.wait(60)
        [(name, data)] = policy.map(holder_of, [call.future], chunksize=1)
        assert (name, len(data)) == (holder.name, 1_000_000)


def test_small_data_may_be_sent_to_a_faster_worker(client, single_and_double):
    def hold(*_):
        time.sleep(0.1 if distributed.get_worker().name == "single" else 0.01)

    policy = pm.AutoTune(single_and_double)
    data = single_and_double[0].run(bytes, 1000)
    assert data.wait(60)
    run_until_known(policy, hold, client.submit(int))
    chosen = [policy.run(hold, data.future) for _ in range(4)]
    assert [each.resource.name for each in chosen].count("double") >= 3


def test_a_keyword_argument_counts_like_one_by_position(slow_cluster, single_and_double):
    def work(resources):
        time.sleep(0.02)

    policy = pm.AutoTune(single_and_double)
    run_until_known(policy, work, resources=slow_cluster.submit(int))
    for holder in single_and_double * 2:
        call = holder.run(bytes, 1_000_000)
        assert call.wait(60)
        submission = policy.run(work, resources=call.future)
        submission.result(60)
        assert submission.resource == holder


def test_a_policy_can_require_exact_times_of_workers(single_and_double):
    assert len(pm.AutoTune(single_and_double, exact_times=True).get_resources()) == 2
