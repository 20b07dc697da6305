# SPDX-License-Identifier: Apache-2.0
"""User-defined backends, under provided and under user-defined policies."""

from __future__ import annotations

from collections.abc import Collection
from concurrent.futures import Future
from typing import Any

import pytest

import pointsman as pm


def which(resource: Any, *_: Any, **__: Any) -> Any:
    return resource


class Doubling(pm.Backend):
    """Doubles every argument, and records the chosen resources."""

    def __init__(self, resources: Any) -> None:
        super().__init__(resources)
        self.placed: list[Any] = []

    def submit(self, selection: pm.Placement, work: Any, /, *args: Any, **kwargs: Any) -> Any:
        self.placed.append(selection.resource)
        return work(selection.unwrap(), *(2 * arg for arg in args), **kwargs)


def test_every_policy_runs_its_work_through_the_backend(policy_class: Any):
    backend = Doubling(["a", "b"])
    policy = policy_class(backend=backend)
    assert policy.get_resources() == ["a", "b"]
    for _ in range(8):
        assert policy.submit(lambda resource, x, y: x + y, 1, y=3).result() == 5
    assert len(backend.placed) == 8
    assert policy.loads() == [0, 0]


def test_initialize_takes_a_backend_and_may_drop_it_again(policy_class: Any):
    policy = policy_class(pm.deferred_initialization)
    backend = Doubling(["a"])
    policy.initialize(backend=backend)
    assert policy.submit_and_wait(lambda resource, x: x, 2) == 4
    policy.initialize(["b"])
    assert policy.submit_and_wait(lambda resource, x: x, 2) == 2
    assert backend.placed == ["a"]


def test_a_submission_has_its_resource_and_the_returned_work():
    future: Future[int] = Future()
    submission = pm.DynamicLoad(backend=Doubling(["a"])).submit(lambda resource: future)
    assert submission.resource == "a"
    assert submission.unwrap() is future
    future.set_result(3)
    assert submission.result() == 3


def test_the_engine_watches_what_the_backend_returns():
    policy = pm.DynamicLoad(backend=Doubling(["a"]))
    future: Future[int] = Future()
    policy.submit(lambda resource: future)
    assert policy.loads() == [1]
    future.set_result(1)
    assert policy.loads() == [0]
    policy.submission_group().wait()


def test_an_exception_of_the_work_is_raised_and_its_load_is_released():
    policy = pm.DynamicLoad(backend=Doubling(["a"]))
    for _ in range(10):
        with pytest.raises(ZeroDivisionError):
            policy.submit(lambda resource: 1 // 0)
    assert policy.loads() == [0]


def test_a_backend_that_overrides_nothing_behaves_like_the_engines_own():
    policy = pm.RoundRobin(backend=pm.Backend(["a", "b"]))
    assert [policy.submit_and_wait(which) for _ in range(3)] == ["a", "b", "a"]


class Machine:
    """A simulated machine with its own clock."""

    def __init__(self, name: str, seconds: float, has_timer: bool = True) -> None:
        self.name = name
        self.seconds = seconds
        self.has_timer = has_timer


class MachineBackend(pm.Backend):
    """Reports the times of the machines' own clocks."""

    def submit(self, selection: pm.Placement, work: Any, /, *args: Any, **kwargs: Any) -> Any:
        result = work(selection.resource, *args, **kwargs)
        selection.report("task_time", selection.resource.seconds)
        return result

    def reports(self, resource: Machine) -> Collection[str]:
        return {"task_submission", "task_completion"} | (
            {"task_time"} if resource.has_timer else set()
        )


def test_auto_tune_uses_the_times_that_the_backend_reports():
    slow, fast = Machine("slow", 5.0), Machine("fast", 1.0)
    policy = pm.AutoTune(backend=MachineBackend([slow, fast]))
    chosen = [policy.submit_and_wait(which) for _ in range(30)]
    assert set(chosen[4:]) == {fast}


def test_a_resource_that_cannot_make_the_required_reports_is_excluded():
    machines = [Machine("plain", 1.0, has_timer=False), Machine("timed", 1.0)]
    backend = MachineBackend(machines)
    assert pm.AutoTune(backend=backend).get_resources() == machines[1:]
    assert pm.DynamicLoad(backend=backend).get_resources() == machines
    assert pm.RoundRobin(backend=backend).get_resources() == machines


def test_a_backend_without_the_required_reports_is_refused_with_their_names():
    backend = MachineBackend([Machine("plain", 1.0, has_timer=False)])
    with pytest.raises(RuntimeError, match="none of the backend's 1 resources .*task_time") as e:
        pm.AutoTune(backend=backend)
    assert isinstance(e.value, pm.UnsatisfiedReportingError)


class Job:
    """Work that does not report its completion."""

    def __init__(self) -> None:
        self.is_complete = False

    def wait(self) -> None:
        self.is_complete = True


class LazyBackend(pm.Backend):
    """Checks its work when reports are requested."""

    def __init__(self, resources: Any) -> None:
        super().__init__(resources)
        self.running: list[tuple[pm.Placement, Job]] = []

    def submit(self, selection: pm.Placement, work: Any, /, *args: Any, **kwargs: Any) -> Any:
        job = work(selection.resource, *args, **kwargs)
        self.running.append((selection, job))
        return job

    def lazy_report(self) -> None:
        for placement, job in self.running:
            if job.is_complete:
                placement.report("task_completion")
        self.running = [(p, job) for p, job in self.running if not job.is_complete]


def test_lazy_report_is_called_before_each_selection():
    backend = LazyBackend(["a", "b"])
    policy = pm.DynamicLoad(backend=backend)
    jobs = [policy.submit(lambda resource: Job()).unwrap() for _ in range(2)]
    assert policy.loads() == [1, 1]
    jobs[1].is_complete = True
    assert policy.loads() == [1, 1]
    assert policy.submit(lambda resource: Job()).resource == "b"
    assert policy.loads() == [1, 1]


def test_dropping_a_submission_of_a_lazy_backend_releases_no_load():
    policy = pm.DynamicLoad(backend=LazyBackend(["a"]))
    policy.submit(lambda resource: Job())
    assert policy.loads() == [1]


def test_a_token_policy_sees_what_a_lazy_backend_reports_while_it_waits():
    import threading

    backend = LazyBackend(["a"])
    policy = pm.Token(backend=backend)
    job = policy.submit(lambda resource: Job()).unwrap()
    assert policy.try_submit(which) is None
    threading.Timer(0.01, job.wait).start()
    assert policy.submit(lambda resource: Job()).resource == "a"


def test_a_placement_that_nobody_keeps_counts_as_complete():
    backend = LazyBackend(["a"])
    policy = pm.DynamicLoad(backend=backend)
    policy.submit(lambda resource: Job())
    backend.running.clear()
    assert policy.loads() == [0]


def test_an_event_counts_once_whoever_reports_it():
    kept: list[pm.Placement] = []

    class Twice(pm.Backend):
        def submit(self, selection: pm.Placement, work: Any, /, *args: Any, **kwargs: Any) -> Any:
            kept.append(selection)
            selection.report("task_submission")
            return work(selection.resource)

    policy = pm.DynamicLoad(backend=Twice(["a"]))
    policy.submit(which)
    for _ in range(3):
        kept[0].report("task_failure")
        kept[0].report("task_completion")
    assert policy.loads() == [0]


@pytest.mark.parametrize("value", [None, -1.0, float("nan"), float("inf")])
def test_an_impossible_time_is_refused(value: float | None):
    class Wrong(pm.Backend):
        def submit(self, selection: pm.Placement, work: Any, /, *args: Any, **kwargs: Any) -> Any:
            selection.report("task_time", value)

    with pytest.raises(ValueError, match="task_time was reported with") as caught:
        pm.DynamicLoad(backend=Wrong(["a"])).submit(which)
    assert isinstance(caught.value, pm.InvalidOptionError)


def test_an_unknown_event_is_refused_with_the_known_ones():
    class Wrong(pm.Backend):
        def submit(self, selection: pm.Placement, work: Any, /, *args: Any, **kwargs: Any) -> Any:
            selection.report("lunch")

    with pytest.raises(ValueError, match="no event lunch: report task_submission"):
        pm.DynamicLoad(backend=Wrong(["a"])).submit(which)


def test_resources_beside_a_backend_are_refused(policy_class: Any):
    with pytest.raises(pm.InvalidOptionError, match="pass them to the backend"):
        policy_class(["a"], backend=pm.Backend(["b"]))


def test_an_object_that_is_not_a_backend_is_a_type_error(policy_class: Any):
    with pytest.raises(TypeError, match="based on Backend"):
        policy_class(backend="a")


def test_a_backend_without_resources_is_refused(policy_class: Any):
    with pytest.raises(pm.EmptyResourceSetError):
        policy_class(backend=pm.Backend([]))


def test_a_backend_that_does_not_call_its_base_is_refused_with_what_to_write(policy_class: Any):
    class Forgetful(pm.Backend):
        def __init__(self) -> None:
            pass

    with pytest.raises(TypeError, match=r"Forgetful has no resources.*write super\(\)\.__init__"):
        policy_class(backend=Forgetful())
