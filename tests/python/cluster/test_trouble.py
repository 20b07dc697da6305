# SPDX-License-Identifier: Apache-2.0
"""Usual trouble with clusters is answered with an error that names it."""

from __future__ import annotations

import asyncio
import threading

import pytest

import pointsman as pm

distributed = pytest.importorskip("distributed")


def test_a_function_that_cannot_be_sent_is_named(client):
    lock = threading.Lock()
    policy = pm.RoundRobin(pm.dask.workers(client))
    with pytest.raises(pm.dask.SerializationError, match="^lambda, .* cannot be sent .*lock"):
        policy.run(lambda: lock)
    assert policy.loads() == [0, 0]


def test_an_argument_that_cannot_be_sent_is_named(client):
    policy = pm.RoundRobin(pm.dask.workers(client))
    with pytest.raises(pm.dask.SerializationError, match="^argument 2 of max, .*lock"):
        policy.run(max, 1, threading.Lock())
    with pytest.raises(pm.dask.SerializationError, match="^argument key of max, .*lock"):
        policy.run(max, [1], key=threading.Lock())


def test_a_closed_client_is_named_at_submission(client):
    policy = pm.RoundRobin(pm.dask.workers(client))
    client.close()
    with pytest.raises(pm.dask.ClusterError, match="the client is closed, so pow cannot be sent"):
        policy.run(pow, 2, 3)


def test_a_closed_client_has_no_workers(client):
    client.close()
    with pytest.raises(pm.dask.ClusterError, match="the client is closed: make a new"):
        pm.dask.workers(client)


def test_work_in_flight_ends_when_the_client_is_closed(client):
    def pass_gate():
        distributed.Event("gate").wait(60)

    with distributed.Client(client.cluster) as other:
        submission = pm.RoundRobin(pm.dask.workers(client)).run(pass_gate)
        client.close()
        with pytest.raises(pm.dask.ClusterError, match="pass_gate, placed on .* was dropped: its"):
            submission.result(60)
        distributed.Event("gate", client=other).set()


def test_an_asynchronous_client_is_refused(client):
    async def workers():
        address = client.scheduler.address
        async with distributed.Client(address, asynchronous=True) as other:
            return pm.dask.workers(other)

    with pytest.raises(pm.error.InvalidOptionError, match="is asynchronous: pass a client made"):
        asyncio.run(workers())


def test_another_python_in_the_cluster_is_named(client, monkeypatch):
    versions = client.get_versions()
    next(iter(versions["workers"].values()))["host"]["python"] = "3.8.1.final.0"
    monkeypatch.setattr(client, "get_versions", lambda: versions)
    with pytest.raises(pm.dask.ClusterError, match=r"tcp://.* Python 3\.8, which cannot load"):
        pm.dask.workers(client)


def test_a_scheduler_that_refuses_functions_is_named(client, monkeypatch):
    def refuse(function):
        raise ValueError("pickle is disallowed")

    monkeypatch.setattr(client, "run_on_scheduler", refuse)
    with pytest.raises(pm.dask.ClusterError, match=r"distributed\.scheduler\.pickle: True"):
        pm.dask.workers(client)


def test_only_work_that_imports_the_package_needs_it_on_the_worker(start_cluster, tmp_path):
    missing = "raise ModuleNotFoundError(name='pointsman')\n"
    (tmp_path / "pointsman.py").write_text(missing, encoding="utf-8")
    cluster = start_cluster()
    cluster.start_worker("bare", PYTHONPATH=str(tmp_path))
    cluster.client.wait_for_workers(1, timeout=60)
    policy = pm.RoundRobin(pm.dask.workers(cluster.client))

    def use_devices():
        import pointsman as pm

        return pm.dask.local_policy(lambda: pm.RoundRobin([pm.Arena(1)]))

    assert list(policy.map(abs, [-1, 2], timeout=60)) == [1, 2]
    with pytest.raises(pm.dask.ClusterError, match="bare .* lacks the package pointsman"):
        policy.run(use_devices).result(60)


def test_a_cluster_with_encrypted_connections_is_used_like_any_other():
    pytest.importorskip("cryptography")
    options = {"n_workers": 1, "processes": False, "dashboard_address": ":0", "silence_logs": 50}
    security = distributed.Security.temporary()
    with distributed.LocalCluster(security=security, protocol="tls", **options) as cluster:
        with distributed.Client(cluster) as client:
            [worker] = pm.dask.workers(client)
            assert worker.addresses[0].startswith("tls://")
            assert pm.RoundRobin([worker]).run(pow, 2, 3).result(60) == 8
