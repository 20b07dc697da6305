# SPDX-License-Identifier: Apache-2.0
"""The second level: a policy of each worker's process."""

from __future__ import annotations

import re
import threading

import pytest

import pointsman as pm


def test_a_worker_makes_its_policy_once(four_processes):
    def identity(_):
        import os

        import pointsman as pm

        policy = pm.dask.local_policy(lambda: pm.RoundRobin([pm.Arena(1)]))
        return os.getpid(), id(policy), policy.run(pow, 2, 3).result()

    policy = pm.RoundRobin(pm.dask.workers(four_processes))
    seen = {policy.run(identity, i).result(60) for i in range(12)}
    assert len(seen) == 4
    assert {result for _, _, result in seen} == {8}


def test_threads_that_ask_at_the_same_time_get_one_policy():
    made = []
    barrier = threading.Barrier(7)

    def factory():
        made.append(1)
        return pm.RoundRobin(["a"])

    def ask():
        barrier.wait()
        pm.dask.local_policy(factory)

    threads = [threading.Thread(target=ask) for _ in range(7)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert made == [1]


def test_another_factory_makes_another_policy():
    first = pm.dask.local_policy(lambda: pm.RoundRobin(["a"]))
    second = pm.dask.local_policy(lambda: pm.RoundRobin(["a", "b"]))
    assert first is not second


def test_a_factory_that_fails_is_asked_again():
    answers = [ValueError("no device yet"), pm.RoundRobin(["a"])]

    def factory():
        answer = answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    with pytest.raises(ValueError, match="no device yet"):
        pm.dask.local_policy(factory)
    assert pm.dask.local_policy(factory) is pm.dask.local_policy(factory)


def test_a_factory_may_ask_for_the_policy_of_another():
    def inner():
        return pm.RoundRobin(["a"])

    def outer():
        return pm.RoundRobin([pm.dask.local_policy(inner)])

    made = []
    thread = threading.Thread(target=lambda: made.append(pm.dask.local_policy(outer)), daemon=True)
    thread.start()
    thread.join(60)
    assert made[0].get_resources() == [pm.dask.local_policy(inner)]


def test_a_factory_that_asks_for_itself_is_told_so():
    def outer():
        return pm.dask.local_policy(inner)

    def inner():
        return pm.dask.local_policy(outer)

    errors = []

    def ask():
        with pytest.raises(RuntimeError, match="asks for the policy that it makes") as raised:
            pm.dask.local_policy(outer)
        errors.append(raised)

    for _ in range(2):
        thread = threading.Thread(target=ask, daemon=True)
        thread.start()
        thread.join(60)
    assert len(errors) == 2


def test_a_factory_that_takes_long_does_not_delay_another():
    begun, go_on = threading.Event(), threading.Event()

    def slow():
        begun.set()
        return pm.RoundRobin(["slow"]) if go_on.wait(60) else None

    thread = threading.Thread(target=pm.dask.local_policy, args=(slow,), daemon=True)
    thread.start()
    assert begun.wait(60)
    assert pm.dask.local_policy(lambda: pm.RoundRobin(["quick"])).get_resources() == ["quick"]
    assert not go_on.is_set() and thread.is_alive()
    go_on.set()
    thread.join(60)


def test_an_explanation_shows_the_worker_and_the_device_in_it(four_processes):
    def blur(image):
        import pointsman as pm

        devices = pm.dask.local_policy(lambda: pm.RoundRobin([pm.Arena(1)]))
        work = devices.run(str.lower, image)
        pm.dask.tell_choice(work)
        return work.result()

    policy = pm.DynamicLoad(pm.dask.workers(four_processes))
    submission = policy.run(blur, "IMAGE")
    assert submission.result(60) == "image"
    explanation = submission.explain()
    [inner] = explanation.inner
    assert re.match(r"RoundRobin chose Arena.*: it was the turn of number 1 of 1", inner)
    assert re.match(
        f"DynamicLoad chose <Dask worker .*; there {re.escape(inner)}$", str(explanation)
    )


def test_calls_at_the_same_time_tell_their_own_choices(four_processes):
    def choose(item):
        import pointsman as pm

        work = pm.RoundRobin([item]).submit(lambda resource: resource)
        pm.dask.tell_choice(work)
        return work.result()

    policy = pm.RoundRobin(pm.dask.workers(four_processes))
    submissions = [policy.run(choose, i) for i in range(20)]
    for i, submission in enumerate(submissions):
        assert submission.result(60) == i
        assert submission.explain().inner[0].startswith(f"RoundRobin chose {i}:")


def test_a_choice_outside_of_a_worker_is_told_to_nobody():
    submission = pm.RoundRobin(["a"]).submit(lambda resource: resource)
    pm.dask.tell_choice(submission)
    assert submission.explain().inner == ()


def test_a_trace_shows_the_worker_and_the_device_in_it(four_processes):
    def blur(image):
        import time

        import pointsman as pm

        devices = pm.dask.local_policy(lambda: pm.RoundRobin([pm.Arena(1)]))
        work = devices.run(time.sleep, 0.05)
        pm.dask.tell_choice(work)
        work.result()
        time.sleep(0.05)  # the end of the inner work is told meanwhile
        return image.lower()

    workers = pm.dask.workers(four_processes)
    policy = pm.RoundRobin(workers)
    with pm.trace() as traced:
        submissions = [policy.run(blur, "IMAGE") for _ in range(4)]
        assert [each.result(60) for each in submissions] == ["image"] * 4
    outer = [task for task in traced.tasks if task.resource in map(repr, workers)]
    inner = [task for task in traced.tasks if task not in outer]
    assert len(outer) == len(inner) == 4
    for task in inner:
        place = re.fullmatch(r"Arena\(.*\) of (<Dask worker .*>)", task.resource)
        assert place, task.resource
        [around] = [each for each in outer if each.resource == place[1]]
        assert (task.name, task.policy) == ("blur", "RoundRobin")
        assert around.submitted <= task.begin < task.ended <= around.ended
        assert 0.04 < task.ended - task.begin < around.ended - around.submitted - 0.04
    assert pm.plot.timeline(traced).axes[0].get_yticklabels()


def test_a_traced_failure_on_a_device_is_told_as_one(four_processes):
    def fail():
        import time

        import pointsman as pm

        work = pm.dask.local_policy(lambda: pm.RoundRobin([pm.Arena(1)])).run(int, "no number")
        pm.dask.tell_choice(work)
        work.wait()
        time.sleep(0.05)

    policy = pm.RoundRobin(pm.dask.workers(four_processes))
    with pm.trace() as traced:
        policy.run(fail).result(60)
    assert [task.succeeded for task in traced.tasks] == [True, False]
