# SPDX-License-Identifier: Apache-2.0
"""Policies over four worker processes of unequal speed."""

from __future__ import annotations

from itertools import repeat

import pytest

import pointsman as pm


@pytest.fixture
def policy_over(four_processes):
    return lambda policy_class: policy_class(pm.dask.workers(four_processes))


def make_hold():
    """Returns a function that occupies its worker, worker 3 for eight times as long as worker 0."""

    def hold(item):
        import threading

        from distributed import get_worker

        factor = 2 ** int(get_worker().name)
        threading.Event().wait(0.01 * factor)
        return item

    return hold


@pytest.mark.parametrize("policy_class", [pm.EarliestFinish, pm.AutoTune])
def test_every_result_arrives_in_order(policy_over, policy_class):
    hold = make_hold()
    results = policy_over(policy_class).map(hold, range(20), chunksize=1, timeout=60)
    assert list(results) == list(range(20))


@pytest.mark.parametrize("policy_class", [pm.DynamicLoad, pm.EarliestFinish])
def test_a_faster_worker_gets_more_work(policy_over, policy_class):
    policy = policy_over(policy_class)
    hold = make_hold()
    done = list(policy.map(hold, range(40), chunksize=1, in_flight=8, ordered=False, timeout=60))
    assert sorted(done) == list(range(40))
    completed = {entry.resource.name: entry.completed for entry in policy.statistics()}
    assert completed[0] > completed[3]


def test_a_map_sends_items_in_batches(policy_over):
    policy = policy_over(pm.DynamicLoad)
    assert list(policy.map(abs, range(10_000), timeout=60)) == list(range(10_000))
    assert sum(entry.completed for entry in policy.statistics()) < 1000


def test_a_map_over_several_iterables_passes_the_items_of_each(policy_over):
    results = policy_over(pm.DynamicLoad).map(pow, range(50), repeat(2), timeout=60)
    assert list(results) == [i**2 for i in range(50)]


def test_scattered_data_is_not_sent_again(four_processes, policy_over):
    sent = []

    class Data:
        def __reduce__(self):
            sent.append(1)
            return bytes, (1000,)

    future = four_processes.scatter(Data(), hash=False)
    before = len(sent)
    assert before > 0

    def first_bytes(item, data):
        return item + data[0]

    results = policy_over(pm.DynamicLoad).map(first_bytes, range(5000), repeat(future), timeout=60)
    assert list(results) == list(range(5000))
    assert len(sent) == before
