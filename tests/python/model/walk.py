# SPDX-License-Identifier: Apache-2.0
# A random walk through the interface of policies and submissions, compared with the model.
"""Random operations on policies in one thread."""

from __future__ import annotations

import asyncio
import contextlib
import random
import time
from collections.abc import Callable
from concurrent.futures import CancelledError
from typing import Any

import pytest
from model.reference_model import (
    PassingBackend,
    ReferencePolicy,
    ReferenceSet,
    Task,
    WorkFailed,
    expected_loads,
)

import pointsman as pm

KINDS = ["value", "raising", "future", "polled", "waited"]
OPTIONS: dict[type, str] = {
    pm.FixedResource: "index",
    pm.RoundRobin: "offset",
    pm.DynamicLoad: "offset",
    pm.Token: "tokens",
}


class Walk:
    """Policies, submissions and selections, each with its expected state.

    interrupt: a context manager in which Ctrl-C may come.
    """

    def __init__(
        self,
        seed: int,
        policy_class: Any,
        interrupt: Callable[[], contextlib.AbstractContextManager[None]] = contextlib.nullcontext,
    ) -> None:
        self.random = random.Random(seed)
        self.policy_class = policy_class
        self.interrupt = interrupt
        self.policies: list[tuple[Any, ReferencePolicy]] = []
        self.tasks: list[Task] = []
        self.submissions: list[tuple[Any, Task]] = []
        self.selections: list[tuple[Any, Task]] = []
        self.loop = asyncio.new_event_loop()
        self.operations: list[Callable[[], None]] = [
            self.make_policy,
            self.initialize,
            self.drop_policy,
            self.wait_for_group,
            self.select,
            self.use_selection,
            *[self.submit] * 6,
            *[self.end_work] * 3,
            *[self.wait] * 2,
            self.run_value,
            self.map_values,
            self.await_submission,
            self.report,
            self.ask,
            self.add_callback,
            self.cancel,
            self.drop_submission,
        ]

    def step(self) -> None:
        """Perform one random operation, then compare everything that is visible."""
        while not self.policies:  # an interruption may prevent the first
            self.make_policy()
        if len(self.submissions) > 50:  # so that a long walk takes linear time
            self.drop_submission()
        self.random.choice(self.operations)()
        self.look()

    def finish(self) -> None:
        """Complete all open work; nothing may remain."""
        self.loop.close()
        self.selections.clear()
        for task in self.tasks:
            if task.is_open:
                task.end()
        for submission, task in self.submissions:
            submission.wait(60)
            assert submission.done()
            eventually(lambda task=task: task.notified == task.callbacks)
        for policy, _ in self.policies:
            assert policy.submission_group().wait(60)
            eventually(lambda policy=policy: not any(policy.loads()))
        self.submissions.clear()
        self.policies.clear()
        self.tasks.clear()

    # Policies

    def options(self, expected: ReferencePolicy) -> dict[str, int]:
        name = OPTIONS.get(self.policy_class)
        if name is None:
            return {}
        if name == "tokens":
            expected.tokens = self.random.randint(1, 3)
            return {name: expected.tokens}
        expected.offset = self.random.randrange(expected.current.size)
        return {name: expected.offset}

    def make_policy(self) -> None:
        if len(self.policies) < 5:
            expected = ReferencePolicy(ReferenceSet(self.random.randint(1, 4)))
            options = self.options(expected)
            with contextlib.suppress(KeyboardInterrupt), self.interrupt():
                self.policies.append((self.made(expected, options), expected))

    def made(self, expected: ReferencePolicy, options: dict[str, int]) -> Any:
        places = expected.current.places()
        if self.random.random() < 0.25:
            return self.policy_class(backend=PassingBackend(places), **options)
        return self.policy_class(places, **options)

    def initialize(self) -> None:
        policy, expected = self.random.choice(self.policies)
        fresh = ReferencePolicy(ReferenceSet(self.random.randint(1, 4)))
        policy.initialize(fresh.current.places(), **self.options(fresh))
        vars(expected).update(vars(fresh))

    def drop_policy(self) -> None:
        if len(self.policies) > 1:
            self.policies.pop(self.random.randrange(len(self.policies)))

    def wait_for_group(self) -> None:
        policy, expected = self.random.choice(self.policies)
        of_policy = [task for task in self.tasks if task.policy is expected]
        for task in of_policy:
            if task.is_open:
                task.end()
        assert policy.submission_group().wait(60)
        for task in of_policy:
            task.is_seen = True

    # Submissions

    def submit(self) -> None:
        policy, expected = self.random.choice(self.policies)
        task = Task(self.random.choice(KINDS), expected)
        task.fails = task.kind == "raising" or (
            task.kind != "value" and self.random.random() < 0.25
        )
        at_once = policy.with_options(timeout=0.0)
        verbs = [policy.try_submit, at_once.submit, at_once.run]
        if self.policy_class is pm.EarliestFinish or not self.may_be_full(expected):
            verbs += [policy.submit, policy.run]
        self.tasks.append(task)
        try:
            with self.interrupt():
                submission = self.random.choice(verbs)(task)
                if submission is not None:
                    self.submissions.append((submission, task))
        except KeyboardInterrupt:
            task.is_lost = True
            expected.knows_turns = False
            assert task.calls <= 1
            return
        except WorkFailed:
            assert task.kind == "raising"
        except pm.SubmitTimeoutError:
            assert task.calls == 0
        if self.is_full(expected, besides=task):
            assert task.calls == 0
        elif not self.may_be_full(expected, besides=task):
            assert task.calls == 1
        self.check_choice(task, expected)

    def check_choice(self, task: Task, expected: ReferencePolicy) -> None:
        if task.place is None:
            return
        assert task.place.owner is expected.current
        if self.policy_class is pm.FixedResource:
            assert task.place.index == expected.offset
        if self.policy_class is pm.RoundRobin and expected.knows_turns:
            turn = (expected.offset + expected.turns) % expected.current.size
            assert task.place.index == turn
        expected.turns += 1

    def is_full(self, expected: ReferencePolicy, besides: Task | None = None) -> bool:
        """Return True if every resource certainly has as many tasks as tokens."""
        others = [task for task in self.tasks if task is not besides]
        return self.policy_class is pm.Token and all(
            least >= expected.tokens for least, _ in expected_loads(others, expected.current)
        )

    def may_be_full(self, expected: ReferencePolicy, besides: Task | None = None) -> bool:
        if self.policy_class is pm.EarliestFinish:
            return True  # bursts of a new callable wait, for 0.1 s at most
        others = [task for task in self.tasks if task is not besides]
        return self.policy_class is pm.Token and all(
            most >= expected.tokens for _, most in expected_loads(others, expected.current)
        )

    def any_submission(self, *, ended: bool) -> tuple[Any, Task] | None:
        fitting = [
            (submission, task)
            for submission, task in self.submissions
            if not ended or not task.is_open
        ]
        return self.random.choice(fitting) if fitting else None

    def end_work(self) -> None:
        open_tasks = [task for task in self.tasks if task.is_open]
        if open_tasks:
            self.random.choice(open_tasks).end()

    def wait(self) -> None:
        """Wait for completed work, or for a moment for work that is not complete."""
        found = self.any_submission(ended=self.random.random() < 0.8)
        if found is None:
            return
        submission, task = found
        if task.is_open:
            if task.kind != "waited":
                with contextlib.suppress(KeyboardInterrupt), self.interrupt():
                    assert submission.wait(self.random.choice([0, 0.0003])) is False
            return
        try:
            with self.interrupt():
                result = submission.result(60)
                assert not task.fails
                assert result is task.work if task.kind == "waited" else result == 7
        except KeyboardInterrupt:
            assert submission.wait(60)
        except (WorkFailed, CancelledError):
            assert task.fails
        assert submission.done()
        task.is_seen = True

    def ask(self) -> None:
        found = self.any_submission(ended=False)
        if found is not None:
            submission, task = found
            assert submission.resource is task.place
            assert str(submission.explain())
            assert repr(submission)
            is_done = submission.done()
            if is_done:
                assert not task.is_open
                task.is_seen = True

    def await_submission(self) -> None:
        """Await completed work in a coroutine."""
        found = self.any_submission(ended=True)
        if found is None:
            return
        submission, task = found

        async def awaiting() -> Any:
            return await submission

        try:
            result = self.loop.run_until_complete(awaiting())
            assert not task.fails
            assert result is task.work if task.kind == "waited" else result == 7
        except (WorkFailed, CancelledError, asyncio.CancelledError):
            assert task.fails
        task.is_seen = True

    # Waiting calls

    def run_value(self) -> None:
        """Run a function that returns or raises, and wait for it."""
        policy, expected = self.random.choice(self.policies)
        if self.may_be_full(expected):
            return
        task = Task(self.random.choice(["value", "raising"]), expected)
        verb = self.random.choice([self.run_by_executor, policy.submit_and_wait])
        try:
            result = verb(policy, task) if verb == self.run_by_executor else verb(task)
            assert result == 7
            assert task.kind == "value"
        except WorkFailed:
            assert task.kind == "raising"
        assert task.calls == 1
        self.check_choice(task, expected)

    def run_by_executor(self, policy: Any, task: Task) -> Any:
        with policy.as_executor() as executor:
            return executor.submit(task).result(60)

    def map_values(self) -> None:
        policy, expected = self.random.choice(self.policies)
        if self.may_be_full(expected):
            return
        expected.knows_turns = False
        count, calls = self.random.randrange(5), 0
        ordered = self.random.random() < 0.5

        def twice(value: int) -> int:
            nonlocal calls
            calls += 1
            return 2 * value

        results = list(policy.map(twice, range(count), ordered=ordered))
        assert sorted(results) == [2 * value for value in range(count)]
        assert calls == count

    def add_callback(self) -> None:
        found = self.any_submission(ended=False)
        if found is not None:
            submission, task = found

            def notify(_: Any) -> None:
                task.notified += 1

            submission.add_done_callback(notify)
            task.callbacks += 1

    def cancel(self) -> None:
        found = self.any_submission(ended=False)
        if found is None or self.random.random() < 0.7:
            return
        submission, task = found
        if submission.cancel() and task.is_open:
            assert task.future.cancelled()
            task.has_ended = task.fails = True

    def drop_submission(self) -> None:
        if self.submissions:
            _, task = self.submissions.pop(self.random.randrange(len(self.submissions)))
            task.is_dropped = not any(other is task for _, other in self.submissions)

    # Selections

    def select(self) -> None:
        policy, expected = self.random.choice(self.policies)
        if len(self.selections) < 5 and not self.may_be_full(expected):
            task = Task("selection", expected)
            task.fails = True
            with contextlib.suppress(KeyboardInterrupt), self.interrupt():
                self.selections.append((policy.select(task), task))
            expected.knows_turns = False
            if self.selections and self.selections[-1][1] is task:
                task.place = self.selections[-1][0].resource
                self.tasks.append(task)

    def use_selection(self) -> None:
        """Submit once with a selection, which uses up its load, and drop it."""
        if self.selections:
            selection, task = self.selections.pop(self.random.randrange(len(self.selections)))
            if self.random.random() < 0.5:
                assert selection.submit(lambda place: place).result(60) is task.place
            self.tasks.remove(task)
            del selection

    def report(self) -> None:
        """Report the events of a task that other code runs; it cannot complete twice."""
        if not self.selections:
            return
        selection, task = self.selections.pop(self.random.randrange(len(self.selections)))
        selection.report("task_submission")
        selection.report("task_time", 0.001)
        selection.report("task_completion")
        with pytest.raises(pm.UnexpectedReportError):
            selection.report("task_completion")
        self.tasks.remove(task)

    def look(self) -> None:
        """Compare the visible state of the policies with the model."""
        for policy, expected in self.policies:
            loads = policy.loads()
            bounds = expected_loads(self.tasks, expected.current)
            assert all(
                least <= load <= most for load, (least, most) in zip(loads, bounds, strict=True)
            ), (loads, bounds)
        self.tasks = [
            task
            for task in self.tasks
            if task.is_open
            or task.may_load()
            or any(task is other for _, other in self.submissions)
        ]


def eventually(condition: Callable[[], bool]) -> None:
    """Wait until another thread has made the condition true."""
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0)
