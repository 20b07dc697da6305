# SPDX-License-Identifier: Apache-2.0
"""select and report: for code that does its own submission."""

from __future__ import annotations

import _thread
import signal
import threading
from concurrent.futures import Future
from typing import Any

import pytest

import pointsman as pm


def work(resource: Any, *_: Any) -> Any:
    return resource


def test_every_policy_selects(policy_class: Any):
    policy = policy_class(["a", "b"])
    selection = policy.select(work)
    assert selection.resource in ("a", "b")
    assert selection.unwrap() is selection.resource
    assert selection.policy is policy
    assert selection.submit(work).result() == selection.resource
    assert repr(selection) == f"<Selection of {selection.resource!r} by {policy_class.__name__}>"
    assert pm.submit(selection, work).resource == selection.resource


def test_a_selection_counts_as_load_until_it_is_dropped():
    policy = pm.DynamicLoad(["a", "b"])
    selection = pm.select(policy, work)
    assert policy.loads() == [1, 0]
    del selection
    assert policy.loads() == [0, 0]


HELD = "counts as load until submitted, reported complete or deleted"


def test_the_repr_of_a_selection_says_how_long_it_counts_as_load():
    policy = pm.Token(["a", "b"])
    submitted, reported = policy.select(work), policy.select(work)
    assert repr(submitted) == f"<Selection of 'a' by Token, {HELD}>"
    submitted.submit(work)
    reported.report("task_completion")
    assert repr(submitted) == "<Selection of 'a' by Token>"
    assert repr(reported) == "<Selection of 'b' by Token>"


def test_the_first_submission_takes_over_the_load_of_a_selection():
    policy = pm.DynamicLoad(["a"])
    running: Future[int] = Future()
    selection = policy.select(work)
    selection.submit(lambda resource: running)
    assert policy.loads() == [1]
    selection.submit(lambda resource: running)
    assert policy.loads() == [2]
    running.set_result(1)
    assert policy.loads() == [0]


def test_a_report_of_completion_releases_the_load():
    policy = pm.DynamicLoad(["a"])
    selection = policy.select(work)
    pm.report(selection, "task_submission")
    assert policy.loads() == [1]
    pm.report(selection, "task_completion")
    assert policy.loads() == [0]


@pytest.mark.parametrize("policy_class", [pm.DynamicLoad, pm.AutoTune, pm.EarliestFinish, pm.Token])
def test_an_extra_report_of_completion_is_refused_and_changes_no_load(policy_class: Any):
    policy = policy_class(["a"])
    selection = policy.select(work)
    selection.report("task_submission")
    selection.report("task_completion")
    with pytest.raises(pm.UnexpectedReportError, match="task_completion was reported"):
        selection.report("task_completion")
    assert policy.loads() == [0]

    running: Future[int] = Future()
    submitted = policy.select(work)
    submitted.submit(lambda resource: running)
    with pytest.raises(pm.UnexpectedReportError):
        submitted.report("task_completion")
    assert policy.loads() == [1]
    running.set_result(1)
    assert policy.loads() == [0]


def test_a_user_defined_policy_refuses_an_extra_report_of_completion():
    class First(pm.PolicyBase):
        def try_select(self, f: Any, *args: Any, **kwargs: Any) -> Any:
            return self.get_resources()[0]

    policy = First(["a"])
    selection = policy.select(work)
    selection.report("task_completion")
    with pytest.raises(RuntimeError, match="report it once for each task"):
        selection.report("task_completion")
    assert policy.loads() == [0]


def test_auto_tune_learns_from_reported_times():
    policy = pm.AutoTune(["slow", "fast"])
    for _ in range(8):
        selection = policy.select(work, 3)
        selection.report("task_submission")
        selection.report("task_time", 0.5 if selection.resource == "slow" else 0.001)
        selection.report("task_completion")
    assert {policy.submit(work, 3).resource for _ in range(5)} == {"fast"}


def test_events_that_a_policy_does_not_need_are_ignored(policy_class: Any):
    selection = policy_class(["a"]).select(work)
    selection.report("task_submission")
    selection.report("task_time", 0.001)
    selection.report("task_time_bound", seconds=0.001)
    selection.report("task_failure")
    selection.report("task_completion")


def test_invalid_reports_are_refused():
    selection = pm.RoundRobin(["a"]).select()
    with pytest.raises(ValueError, match="'lunch' is not known: pass one of task_submission"):
        selection.report("lunch")
    with pytest.raises(ValueError, match="task_time has a value: pass its seconds"):
        selection.report("task_time")
    with pytest.raises(ValueError, match="task_completion has no value"):
        selection.report("task_completion", 1.0)
    with pytest.raises(ValueError, match="pass a number of seconds from 0"):
        selection.report("task_time", -1.0)


def test_a_selection_waits_for_a_free_resource_and_ctrl_c_ends_the_wait():
    policy = pm.Token(["a"])
    running: Future[int] = Future()
    policy.submit(lambda resource: running)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    threading.Timer(0.05, _thread.interrupt_main).start()
    with pytest.raises(KeyboardInterrupt):
        policy.select(work)
    threading.Timer(0.01, running.set_result, [1]).start()
    assert policy.select(work).resource == "a"


def test_a_selection_with_a_timeout_ends_at_it():
    policy = pm.Token(["a"])
    held = policy.select(work)
    with pytest.raises(pm.SubmitTimeoutError):
        policy.with_options(timeout=0.01).select(work)
    held.report("task_completion")
    assert policy.with_options(timeout=60).select(work).resource == "a"


def test_every_policy_selects_within_a_timeout(policy_class: Any):
    assert policy_class(["a"]).with_options(timeout=60).select(work, 1).resource == "a"


def test_a_policy_that_looks_at_the_task_asks_for_it():
    for policy_class in (pm.AutoTune, pm.EarliestFinish):
        with pytest.raises(TypeError, match="pass the task"):
            policy_class(["a"]).select()
