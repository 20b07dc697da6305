# SPDX-License-Identifier: Apache-2.0
"""Resources that fail: which failures count, quarantine and probes, with every policy."""

from __future__ import annotations

import os
from concurrent.futures import (
    BrokenExecutor,
    CancelledError,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
)
from contextlib import suppress
from typing import Any

import pytest

import pointsman as pm

LONG = pm.HealthSettings(failures=2, back_off=1000, longest_back_off=1000)


class Lost(Exception):
    """A failure that the settings of a test call the resource's fault."""


def settings(**changes: Any) -> pm.HealthSettings:
    return pm.HealthSettings(
        **{
            "failures": 2,
            "back_off": 1000,
            "longest_back_off": 1000,
            "is_resource_failure": lambda error: isinstance(error, Lost),
            **changes,
        }
    )


class Device:
    """A resource that works, or fails in one of three ways."""

    def __init__(self, name: str, fails: str = "") -> None:
        self.name = name
        self.fails = fails
        self.calls = 0

    def __repr__(self) -> str:
        return self.name


def work(device: Device, error: Exception | None = None) -> Any:
    """Fails as the device does: at the call, or in a future; else returns the device's name."""
    device.calls += 1
    if device.fails == "at once":
        raise error or Lost(device.name)
    future: Future[str] = Future()
    if device.fails == "later":
        future.set_exception(error or Lost(device.name))
    else:
        future.set_result(device.name)
    return future


def submit_quietly(policy: Any, *args: Any) -> None:
    with suppress(Exception, CancelledError):
        policy.submit(work, *args).result()


def wait_until_a_probe_is_due(policy: Any) -> None:
    while policy.health()[0].until_probe > 0:
        pass


def state(policy: Any, index: int) -> str:
    return policy.health()[index].state


@pytest.mark.parametrize("fails", ["at once", "later"])
def test_a_resource_in_quarantine_gets_no_work(policy_class, fails):
    broken, sound = Device("broken", fails), Device("sound")
    policy = policy_class([broken, sound], health=settings())
    for _ in range(200):
        submit_quietly(policy)
        if state(policy, 0) == "quarantined" or policy_class is pm.FixedResource:
            break
    if policy_class is pm.FixedResource:
        submit_quietly(policy)
        with pytest.raises(pm.NoHealthyResourceError, match="broken: 2 failures in a row"):
            policy.submit(work)
        return
    calls = broken.calls
    assert [policy.submit(work).result() for _ in range(20)] == ["sound"] * 20
    assert (broken.calls, state(policy, 0), state(policy, 1)) == (calls, "quarantined", "healthy")
    assert policy.loads() == [0, 0]


def test_a_successful_probe_restores_a_resource(policy_class):
    only = Device("only", "later")
    policy = policy_class([only], health=settings(failures=1, back_off=1e-6))
    submit_quietly(policy)
    assert state(policy, 0) == "quarantined"
    only.fails = ""
    wait_until_a_probe_is_due(policy)
    assert policy.submit(work).result() == "only"
    assert state(policy, 0) == "healthy"


def test_a_failed_probe_waits_longer():
    only = Device("only", "later")
    policy = pm.RoundRobin([only], health=settings(failures=1, back_off=1e-6))
    submit_quietly(policy)
    wait_until_a_probe_is_due(policy)
    submit_quietly(policy)
    health = policy.health()[0]
    assert (health.state, health.failures_in_a_row) == ("quarantined", 2)
    assert health.last_error == "Lost: only"


def test_all_resources_in_quarantine_are_named_with_their_errors(policy_class):
    policy = policy_class([Device("gpu", "later"), Device("pool", "at once")], health=settings())
    refused = None
    for _ in range(200):
        try:
            policy.submit(work).result()
        except Lost:
            continue
        except pm.NoHealthyResourceError as error:
            refused = str(error)
            break
    assert refused is not None
    assert "gpu: 2 failures in a row, the last Lost: gpu; tried again in" in refused
    assert policy_class is pm.FixedResource or "pool: 2 failures in a row" in refused


def test_failures_of_the_work_do_not_count(policy_class):
    policy = policy_class([Device("a", "later"), Device("b", "at once")], health=settings())
    for _ in range(20):
        submit_quietly(policy, ValueError("no photograph"))
    assert [entry.state for entry in policy.health()] == ["healthy", "healthy"]
    assert [entry.last_error for entry in policy.health()] == ["", ""]


def test_a_failure_of_the_work_shows_that_a_suspect_resource_runs():
    only = Device("only", "later")
    policy = pm.RoundRobin([only], health=settings())
    submit_quietly(policy)
    assert state(policy, 0) == "suspect"
    submit_quietly(policy, ValueError())
    assert state(policy, 0) == "healthy"


@pytest.mark.parametrize(
    ("error", "counts"),
    [
        (BrokenExecutor("a worker died"), True),
        (RuntimeError("cannot schedule new futures after shutdown"), True),
        (RuntimeError("no photograph"), False),
        (ValueError("cannot schedule new futures after shutdown"), False),
        (MemoryError(), False),
    ],
)
def test_the_default_tells_faults_of_resources_apart(error, counts):
    assert pm.is_resource_failure(error) == counts


@pytest.mark.parametrize("code", range(-40, 1))
def test_opencl_errors_count_if_the_device_context_or_queue_is_lost(code):
    error = pm.OpenCLError("clFinish failed")
    error.code = code
    assert pm.is_resource_failure(error) == (code in (-2, -5, -34, -36))


@pytest.mark.parametrize("code", [-4, -5, -6])
def test_a_lack_of_memory_is_no_failure_of_the_device(code):
    error = pm.OpenCLError("a buffer")
    error.code = code
    error.is_out_of_memory = True
    assert not pm.is_resource_failure(error)


@pytest.mark.parametrize(
    ("routine", "code", "counts"),
    [
        ("clFinish", -36, True),
        ("create_buffer", -61, False),
        ("create_buffer", -4, False),
        ("create_buffer", -5, False),
        ("clCreateImage", -5, False),
        ("clFinish", -5, True),
        ("clEnqueueNDRangeKernel", -5, True),
    ],
)
def test_errors_of_pyopencl_count_by_their_code_and_routine(routine, code, counts):
    cl = pytest.importorskip("pyopencl")
    error = cl.RuntimeError(cl._cl._ErrorRecord(routine, code, ""))
    assert pm.is_resource_failure(error) == counts


def test_lost_workers_and_connections_of_dask_count():
    pytest.importorskip("distributed")
    from distributed.comm import CommClosedError
    from distributed.scheduler import KilledWorker

    assert pm.is_resource_failure(KilledWorker.__new__(KilledWorker))
    assert pm.is_resource_failure(CommClosedError("closed"))
    assert pm.is_resource_failure(pm.dask.WorkerLostError("lost"))
    assert not pm.is_resource_failure(pm.dask.SerializationError("a lock"))


def test_an_arena_of_a_forked_parent_counts():
    assert pm.is_resource_failure(pm.error.ForkedProcessError("the arena was in use"))


def test_submit_and_wait_counts_failures_too():
    policy = pm.RoundRobin([Device("only", "later")], health=settings(failures=1))
    with pytest.raises(Lost):
        policy.submit_and_wait(work)
    assert state(policy, 0) == "quarantined"


def test_cancelled_work_is_nobodys_fault():
    policy = pm.RoundRobin([Device("only", "later")], health=settings(failures=1))
    submit_quietly(policy, CancelledError())
    assert state(policy, 0) == "healthy"


def test_a_new_set_of_resources_is_healthy():
    device = Device("only", "later")
    policy = pm.RoundRobin([device], health=settings(failures=1))
    submit_quietly(policy)
    policy.initialize([device])
    assert state(policy, 0) == "healthy"


def test_the_beginning_of_a_quarantine_is_logged_once(caplog):
    policy = pm.RoundRobin([Device("gpu", "later")], health=settings(failures=1, back_off=1e-6))
    for _ in range(3):
        submit_quietly(policy)
        wait_until_a_probe_is_due(policy)
    logged = [record.message for record in caplog.records if "quarantine" in record.message]
    assert logged == ["gpu is in quarantine and gets no work: it failed with Lost: gpu"]


def test_an_exception_of_the_users_function_is_reported(monkeypatch):
    seen: list[Any] = []
    monkeypatch.setattr("sys.unraisablehook", lambda unraisable: seen.append(unraisable.exc_value))

    def broken(error: BaseException) -> bool:
        raise KeyError("no such rule")

    policy = pm.RoundRobin([Device("a", "later")], health=settings(is_resource_failure=broken))
    submit_quietly(policy)
    assert isinstance(seen[0], KeyError)


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("failures", 0, "failures is 0"),
        ("back_off", 0.0, "back_off is 0"),
        ("back_off", float("nan"), "back_off is nan"),
        (
            "longest_back_off",
            1.0,
            "longest_back_off is 1 s, less than back_off: pass 1000 s or more",
        ),
        ("jitter", 2.0, "jitter is 2"),
    ],
)
def test_settings_out_of_range_are_refused(policy_class, name, value, message):
    with pytest.raises(pm.InvalidOptionError, match=message):
        policy_class(["a"], health=settings(**{name: value}))


def test_another_object_than_settings_is_refused(policy_class):
    with pytest.raises(TypeError, match="health is 3: pass a HealthSettings"):
        policy_class(["a"], health=3)


def test_explanations_name_the_resources_in_quarantine(policy_class):
    if policy_class in (pm.FixedResource, pm.Random, pm.WeightedRoundRobin):
        return  # the first never moves on; the others may not have met the broken one
    policy = policy_class([Device("broken", "at once"), Device("sound")], health=settings())
    for _ in range(50):
        submit_quietly(policy)
    assert state(policy, 0) == "quarantined"
    explained = [policy.submit(work).explain() for _ in range(2)]
    states = {explanation.candidates[0].state for explanation in explained}
    assert states & {"left out, as it was in quarantine", "left out, as it failed"}


@pytest.mark.parametrize("text", ["\udcff", "ends"])
def test_a_failure_counts_whatever_its_text(text):
    class Unreadable(Lost):
        def __str__(self) -> str:
            return text if text != "ends" else 1 // 0  # type: ignore[return-value]

    policy = pm.RoundRobin([Device("only", "later")], health=settings(failures=1))
    submit_quietly(policy, Unreadable())
    assert state(policy, 0) == "quarantined"


def test_health_shows_as_a_table():
    policy = pm.RoundRobin([Device("gpu", "later")], health=settings())
    submit_quietly(policy)
    html = policy.health()._repr_html_()
    assert "gpu" in html and "suspect" in html and "Lost: gpu" in html


def test_a_process_pool_whose_worker_was_killed_is_left_out():
    with ProcessPoolExecutor(1) as doomed, ThreadPoolExecutor(1) as sound:
        policy = pm.RoundRobin([doomed, sound], health=LONG)
        doomed.submit(os.getpid).result()
        for process in list(doomed._processes.values()):
            process.kill()
        failed = 0
        for _ in range(20):
            try:
                policy.run(pow, 2, 10).result()
            except BrokenExecutor:
                failed += 1
        assert failed == 2
        assert [entry.state for entry in policy.health()] == ["quarantined", "healthy"]


def test_a_pool_that_was_shut_down_is_left_out():
    with ThreadPoolExecutor(1) as sound:
        closed = ThreadPoolExecutor(1)
        closed.shutdown()
        policy = pm.DynamicLoad([closed, sound], health=LONG)
        for _ in range(6):
            with suppress(RuntimeError):
                policy.run(pow, 2, 3).result()
        assert [policy.run(pow, 2, 3).result() for _ in range(4)] == [8] * 4
