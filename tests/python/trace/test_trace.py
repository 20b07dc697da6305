# SPDX-License-Identifier: Apache-2.0
"""What a trace records of submissions, waits, failures and retries."""

from __future__ import annotations

import os
import threading
from concurrent.futures import Future, ThreadPoolExecutor

import pytest

import pointsman as pm


def name_of(resource):
    return resource


def test_a_call_is_a_submission_a_selection_a_start_and_an_end():
    policy = pm.RoundRobin(["a", "b"])
    with pm.trace() as traced:
        policy.submit(name_of)
    assert [event.kind for event in traced.events] == ["submission", "selection", "start", "end"]
    (task,) = traced.tasks
    assert (task.number, task.name, task.resource, task.policy) == (
        1,
        "name_of",
        "'a'",
        "RoundRobin",
    )
    assert task.submitted == 0.0
    assert task.submitted <= task.selected <= task.started <= task.ended
    assert task.succeeded


def test_the_trace_is_empty_until_its_block_ends():
    policy = pm.RoundRobin(["a"])
    with pm.trace() as traced:
        policy.submit(name_of)
        assert traced.events == []
    assert len(traced.events) == 4


def test_nothing_is_recorded_outside_the_block():
    policy = pm.RoundRobin(["a"])
    policy.submit(name_of)
    with pm.trace() as traced:
        pass
    policy.submit(name_of)
    assert traced.events == []


def test_the_start_of_a_call_on_an_arena_is_recorded_on_its_thread():
    policy = pm.DynamicLoad([pm.Arena(1)])
    with pm.trace() as traced:
        assert policy.run(threading.get_ident).result(60) != threading.get_ident()
    (task,) = traced.tasks
    (start,) = [event for event in traced.events if event.kind == "start"]
    assert task.name == "get_ident"
    assert start.thread != task.thread
    assert task.selected <= task.started <= task.ended


def test_work_of_an_executor_ends_when_its_future_does():
    future: Future[int] = Future()
    policy = pm.RoundRobin(["a"])
    with pm.trace() as traced:
        submission = policy.submit(lambda resource: future)
        future.set_result(1)
        submission.result(60)
    (task,) = traced.tasks
    assert task.started is None
    assert task.begin == task.selected
    assert task.ended is not None


def test_work_that_is_pending_when_the_block_ends_has_no_end():
    future: Future[int] = Future()
    with pm.trace() as traced:
        submission = pm.RoundRobin(["a"]).submit(lambda resource: future)
    future.set_result(1)
    assert submission.result(60) == 1
    assert traced.tasks[0].ended is None


def test_the_end_of_work_that_raises_is_a_failure():
    with pm.trace() as traced, pytest.raises(ZeroDivisionError):
        pm.RoundRobin(["a"]).submit(lambda resource: 1 / 0)
    assert [task.succeeded for task in traced.tasks] == [False]


def test_the_wait_for_a_result_is_recorded_with_its_task():
    release = threading.Event()
    with ThreadPoolExecutor(1) as pool, pm.trace() as traced:
        submission = pm.RoundRobin([pool]).run(release.wait, 60)
        threading.Timer(0.0, release.set).start()
        submission.result(60)
    waits = [event for event in traced.events if event.kind == "wait"]
    assert [(wait.task, wait.thread) for wait in waits] in ([(1, 1)], [])


def test_each_repeated_attempt_is_announced_by_a_retry():
    attempts = []

    def fails_once(resource):
        attempts.append(resource)
        if len(attempts) == 1:
            raise OSError("once")
        return resource

    policy = pm.RoundRobin(["a", "b"]).with_options(on_failure=pm.Retry(2))
    with pm.trace() as traced:
        policy.submit(fails_once).result(60)
    retries = [event.name for event in traced.events if event.kind == "retry"]
    assert len(retries) == 1
    assert retries[0].endswith("fails_once")
    assert [task.succeeded for task in traced.tasks] == [False, True]


def test_a_selection_that_is_not_submitted_belongs_to_no_task():
    policy = pm.RoundRobin(["a"])
    with pm.trace() as traced:
        policy.select()
    (selection,) = traced.events
    assert (selection.kind, selection.task, selection.resource) == ("selection", 0, "'a'")


def test_a_resource_of_two_policies_has_one_name_and_equal_reprs_have_two():
    first, second = pm.Arena(1), pm.Arena(1)
    with pm.trace() as traced:
        for policy in (pm.RoundRobin([first, second]), pm.RoundRobin([second])):
            for _ in policy.get_resources():
                policy.submit_and_wait(lambda arena: None)
    names = [task.resource for task in traced.tasks]
    assert names[0] != names[1] == names[2]


def test_the_name_of_a_policy_is_that_of_its_class():
    class Mine(pm.PolicyBase):
        def try_select(self, work, *args, **kwargs):
            return self.get_resources()[0]

    with pm.trace() as traced:
        Mine(["a"]).submit(name_of)
    assert traced.tasks[0].policy == "Mine"


def test_a_repr_that_raises_does_not_disturb_the_task():
    class Nameless:
        def __repr__(self):
            raise RuntimeError

    with pm.trace() as traced:
        assert pm.RoundRobin([Nameless()]).submit_and_wait(lambda resource: 7) == 7
    assert "Nameless" in traced.tasks[0].resource


def test_events_without_room_are_counted():
    policy = pm.RoundRobin(["a"])
    with pm.trace(max_events=1024) as traced:
        for _ in range(1000):
            policy.submit(name_of)
    assert (len(traced.events), traced.dropped) == (1024, 4000 - 1024)
    assert "dropped" in repr(traced)


def test_a_second_trace_is_refused_while_one_records():
    with pm.trace():
        with pytest.raises(pm.TraceInProgressError), pm.trace():
            pass
        assert pm.RoundRobin(["a"]).submit_and_wait(name_of) == "a"
    with pm.trace():
        pass


@pytest.mark.parametrize("max_events", [0, -1])
def test_a_trace_without_room_is_refused(max_events):
    with pytest.raises(pm.InvalidOptionError, match=f"max_events is {max_events}"):
        pm.trace(max_events=max_events)


def test_threads_have_numbers_of_their_own():
    policy = pm.RoundRobin(["a"])
    with pm.trace() as traced, ThreadPoolExecutor(3) as pool:
        list(pool.map(lambda _: policy.submit(name_of), range(30)))
    threads = {event.thread for event in traced.events}
    assert threads <= {1, 2, 3}
    assert len(traced.tasks) == 30


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system cannot fork")
def test_a_forked_child_neither_records_nor_writes(tmp_path):
    policy = pm.RoundRobin(["a"])
    child = -1
    with pm.trace(tmp_path / "trace.json") as traced:
        policy.submit(name_of)
        child = os.fork()
        if child == 0:
            policy.submit(name_of)
    if child == 0:
        os._exit(len(traced.events) + 2 * len(list(tmp_path.iterdir())))
    # The parent may have written its file before the child looked.
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) in (0, 2)
    assert len(traced.tasks) == 1
