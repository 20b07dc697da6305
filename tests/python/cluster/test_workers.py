# SPDX-License-Identifier: Apache-2.0
"""Which resources `pm.dask.workers` makes of a cluster."""

from __future__ import annotations

import copy

import pytest

import pointsman as pm


def by_name(client, **filters):
    return {worker.name: worker for worker in pm.dask.workers(client, **filters)}


def test_each_worker_is_a_resource_with_its_name_address_and_threads(client):
    workers = by_name(client)
    assert set(workers) == {"single", "double"}
    double = workers["double"]
    assert double.threads == 2
    assert double.host == "127.0.0.1"
    assert repr(double) == f"<Dask worker double at {double.addresses[0]}, 2 threads>"


def test_workers_are_found_by_their_number_of_threads(client):
    assert set(by_name(client, threads=2)) == {"double"}


def test_workers_are_found_by_their_host(client):
    assert len(pm.dask.workers(client, host="127.0.0.1")) == 2
    assert pm.dask.workers(client, host="10.0.0.7") == []


def test_workers_are_found_by_their_resources_and_have_as_many_slots_as_these_allow(client):
    workers = by_name(client, resources={"GPU": 2})
    assert set(workers) == {"double"}
    assert pm.domain_of(workers["double"]).slots == 1
    assert workers["double"].run(pow, 2, 3).result(60) == 8


def test_all_workers_of_a_host_can_be_one_resource(client):
    [host] = pm.dask.workers(client, each="host")
    assert repr(host) == "<host 127.0.0.1 with 2 Dask workers, 3 threads>"
    assert host.run(pow, 2, 3).result(60) == 8


def test_a_worker_states_its_slots_and_how_many_calls_it_runs_at_a_time(client):
    double = by_name(client)["double"]
    assert pm.domain_of(double) == pm.Domain(capacity=2.0, slots=2)
    assert double.concurrency == 2


def test_the_same_worker_listed_twice_is_equal_and_has_the_same_hash(client):
    first, second = pm.dask.workers(client), pm.dask.workers(client)
    assert first == second
    assert len({*first, *second}) == 2
    assert first[0] != first[1]
    assert first[0] != "worker"


def test_a_worker_with_needs_is_another_resource(client):
    assert by_name(client)["double"] != by_name(client, resources={"GPU": 1})["double"]


def test_a_worker_cannot_be_sent_to_another_process(client):
    with pytest.raises(TypeError, match="belongs to a client of this process"):
        copy.copy(pm.dask.workers(client)[0])


def test_an_unknown_grouping_is_refused(client):
    with pytest.raises(pm.error.InvalidOptionError, match="each is 'rack'"):
        pm.dask.workers(client, each="rack")


def test_an_object_that_is_no_client_is_refused():
    with pytest.raises(TypeError, match=r"client is 'tcp://10.0.0.7:8786': pass a dask"):
        pm.dask.workers("tcp://10.0.0.7:8786")
