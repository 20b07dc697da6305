# SPDX-License-Identifier: Apache-2.0
"""``pm.replay``: the data, the table, the settings and the errors. Times are invented."""

from __future__ import annotations

import dataclasses

import pytest

import pointsman as pm


@pytest.fixture
def burst(made_trace):
    """Twelve tasks submitted at once that take 2 ms on "gpu" and 4 ms on "cpu"."""
    tasks = []
    for i in range(6):
        tasks.append(("blur", "gpu", 0, 2 * i, 2 * i + 2, True))
        tasks.append(("blur", "cpu", 0, 4 * i, 4 * i + 4, True))
    return made_trace(*tasks)


def test_a_replay_has_the_makespans_and_the_bound(burst):
    replayed = pm.replay(burst, pm.RoundRobin)
    assert replayed.policy == "RoundRobin"
    assert replayed.makespan == pytest.approx(0.024)
    assert replayed.original_makespan == pytest.approx(0.024)
    # 12 tasks at a rate of one in 2 ms and one in 4 ms
    assert replayed.bound == pytest.approx(0.016, rel=1e-3)
    assert (replayed.measured, replayed.predicted, replayed.assumed) == (2, 0, 0)


def test_a_replay_has_the_usage_of_each_resource(burst):
    gpu, cpu = pm.replay(burst, pm.RoundRobin).resources
    assert (gpu.resource, gpu.slots, gpu.tasks) == ("gpu", 1, 6)
    assert gpu.busy == pytest.approx(0.012)
    assert gpu.utilisation == pytest.approx(0.5)
    assert cpu.utilisation == pytest.approx(1.0)


@pytest.mark.parametrize(
    "policy", ["earliest_finish", "EarliestFinish", pm.EarliestFinish], ids=str
)
def test_a_policy_is_a_name_or_a_class(burst, policy):
    assert pm.replay(burst, policy).policy == "EarliestFinish"


@pytest.mark.parametrize(
    "policy",
    [
        pm.AutoTune,
        pm.DynamicLoad,
        pm.EarliestFinish,
        pm.FixedResource,
        pm.Random,
        pm.RoundRobin,
        pm.Token,
        pm.WeightedRoundRobin,
    ],
)
def test_every_policy_runs_each_task_once_and_alike_each_time(burst, policy):
    replayed = pm.replay(burst, policy)
    assert sum(usage.tasks for usage in replayed.resources) == 12
    assert replayed.makespan >= replayed.bound * (1 - 1e-9)
    assert [task.number for task in replayed.trace.tasks] == list(range(1, 13))
    assert {task.policy for task in replayed.trace.tasks} == {policy.__name__}
    assert pm.replay(burst, policy) == replayed


@pytest.mark.parametrize(
    ("policy", "settings", "tasks"),
    [
        (pm.FixedResource, {"index": 1}, [0, 12]),
        (pm.WeightedRoundRobin, {"weights": [2, 1]}, [8, 4]),
        (pm.RoundRobin, {"offset": 1}, [6, 6]),
        (pm.Token, {"tokens": 1}, [8, 4]),
        (pm.DynamicLoad, {"tie_break": "first"}, [6, 6]),
    ],
)
def test_settings_reach_the_policy(burst, policy, settings, tasks):
    assert [usage.tasks for usage in pm.replay(burst, policy, **settings).resources] == tasks


def test_another_seed_draws_other_resources(burst):
    first, second = (
        [task.resource for task in pm.replay(burst, pm.Random, seed=seed).trace.tasks]
        for seed in (1, 2)
    )
    assert first != second


def test_a_resource_can_be_left_out(burst):
    (gpu,) = pm.replay(burst, pm.RoundRobin, ["gpu"]).resources
    assert (gpu.tasks, gpu.busy) == (12, pytest.approx(0.024))


def test_a_resource_can_be_made_of_another_one(burst):
    twice = pm.ReplayedResource("twice", like="gpu", ratio=0.5, slots=3, latency=0.001)
    replayed = pm.replay(burst, pm.RoundRobin, [twice])
    assert replayed.makespan == pytest.approx(0.001 + 4 * 0.001)
    assert replayed.resources[0].slots == 3


def test_a_replay_prints_as_a_table(burst):
    lines = str(pm.replay(burst, pm.RoundRobin)).splitlines()
    assert lines[0].split()[:4] == ["resource", "tasks", "busy", "utilisation"]
    assert lines[1].split()[:5] == ["gpu", "6", "12", "ms", "50%"]
    assert lines[-1] == "RoundRobin: 24 ms, recorded 24 ms, bound 16 ms (1.50 x)"


def test_a_replay_is_a_table_in_jupyter(burst):
    html = pm.replay(burst, pm.RoundRobin, [pm.ReplayedResource("<new>", like="gpu")])._repr_html_()
    assert "<caption>RoundRobin: 24 ms" in html
    assert "<td>&lt;new&gt;</td><td>12</td>" in html
    assert "<td>cpu</td><td>-</td>" in html  # it is not in the replay


def test_predicted_times_are_counted(made_trace):
    trace = made_trace(
        ("blur", "gpu", 0, 0, 2, True),
        ("blur", "cpu", 0, 0, 4, True),
        ("total", "gpu", 0, 2, 3, True),
    )
    replayed = pm.replay(trace, pm.FixedResource, index=1)
    assert (replayed.measured, replayed.predicted, replayed.assumed) == (3, 1, 0)
    assert replayed.makespan == pytest.approx(0.010)
    assert str(replayed).endswith("; times: 3 measured, 1 predicted, 0 assumed")


def test_a_replay_can_be_saved_and_replayed_again(burst, tmp_path):
    replayed = pm.replay(burst, pm.RoundRobin)
    replayed.trace.save(tmp_path / "replayed.json")
    again = pm.replay(pm.Trace.load(tmp_path / "replayed.json"), pm.RoundRobin)
    assert again.makespan == pytest.approx(replayed.makespan)


def test_a_program_that_waits_is_replayed_with_its_waits():
    policy = pm.RoundRobin([pm.Arena(1), pm.Arena(1)])
    with pm.trace() as traced:
        for _ in range(10):
            policy.run(pow, 2, 10).result()
    one_after_the_other = pm.replay(traced, pm.RoundRobin).trace
    ends = {task.number: task.ended for task in one_after_the_other.tasks}
    waits = {event.task for event in traced.events if event.kind == "wait"}
    for task in one_after_the_other.tasks[1:]:
        if task.number - 1 in waits:
            assert task.submitted >= ends[task.number - 1]


@pytest.mark.parametrize(
    ("arguments", "settings", "text"),
    [
        (("best",), {}, "no policy is called 'best': pass a class or one of auto_tune"),
        ((pm.PolicyBase,), {}, "no policy is called"),
        ((pm.Token,), {"offset": 1}, "a replay of Token has no setting 'offset': pass tokens"),
        ((pm.Token,), {"tokens": 0}, "tokens is 0"),
        ((pm.Token, []), {}, "resources is empty"),
        ((pm.Token, "gpu"), {}, "pass a list of names"),
        ((pm.Token, ["tpu"]), {}, "no resource 'tpu': pass one of these: gpu, cpu"),
        ((pm.Token, [pm.ReplayedResource("gpu", ratio=0)]), {}, "pass a positive ratio"),
        ((pm.Token, [pm.ReplayedResource("gpu", slots=0)]), {}, "'gpu' has 0 slots"),
        ((pm.Token, [pm.ReplayedResource("gpu", latency=-1)]), {}, "a latency of -1 s"),
        ((pm.DynamicLoad,), {"tie_break": "last"}, "tie_break is 'last'"),
        ((pm.Token,), {"tokens": "many"}, "tokens is 'many'"),
    ],
)
def test_errors_name_the_value_and_the_remedy(burst, arguments, settings, text):
    with pytest.raises(pm.InvalidOptionError) as raised:
        pm.replay(burst, *arguments, **settings)
    assert text in str(raised.value)


def test_an_index_beyond_the_resources_is_refused(burst):
    with pytest.raises(pm.ResourceIndexError):
        pm.replay(burst, pm.FixedResource, index=2)


def test_a_trace_without_complete_tasks_is_refused():
    with pytest.raises(pm.InvalidOptionError, match="let the recorded block wait"):
        pm.replay(pm.Trace(), pm.RoundRobin)


def test_a_replay_is_compared_by_its_numbers(burst):
    replayed = pm.replay(burst, pm.RoundRobin)
    assert dataclasses.replace(replayed, makespan=1.0) != replayed
    assert "trace=" not in repr(replayed)
