# SPDX-License-Identifier: Apache-2.0
"""Many threads on one policy: nothing is lost or counted twice, with or without the GIL."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

import pytest

import pointsman as pm

THREADS = 8
ROUNDS = 100
LONG = 120.0  # seconds; more than any wait that is not stuck


def on_threads(work: Callable[[int], None]) -> None:
    """Calls ``work(number)`` on threads that begin together; raises an error of one of them."""
    together = threading.Barrier(THREADS)
    errors: list[BaseException] = []

    def run(number: int) -> None:
        try:
            together.wait(LONG)
            work(number)
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(LONG)
    assert not any(thread.is_alive() for thread in threads)
    if errors:
        raise errors[0]


def make(policy_class: Any, resources: list[Any]) -> Any:
    if policy_class is pm.Token:
        return pm.Token(resources, tokens=THREADS * ROUNDS)
    return policy_class(resources)


def loads_of(policy: Any) -> int:
    return sum(policy.loads())


def test_values_futures_and_calls_of_all_threads_end(policy_class: Any):
    policy = make(policy_class, [pm.Arena(2), pm.Arena(2)])
    counted = [0] * THREADS

    def work(number: int) -> None:
        for turn in range(ROUNDS):
            plain = policy.submit(lambda arena, x: x + 1, turn)
            task = policy.submit(lambda arena, x: arena.run(abs, -x), turn)
            call = policy.run(pow, turn, 2)
            selected = policy.select(abs, 0).submit(lambda arena: 7)
            assert policy.try_submit(lambda arena: 5).result() == 5
            assert (plain.result(), selected.result()) == (turn + 1, 7)
            assert (task.result(LONG), call.result(LONG)) == (turn, turn * turn)
            assert task.resource in policy.get_resources()
            counted[number] += 1

    on_threads(work)
    assert policy.submission_group().wait(LONG)
    assert counted == [ROUNDS] * THREADS
    assert loads_of(policy) == 0


def test_groups_wait_for_submissions_of_other_threads(policy_class: Any):
    policy = make(policy_class, [pm.Arena(2)])

    def work(number: int) -> None:
        for turn in range(ROUNDS // 4):
            submissions = [policy.run(abs, -turn) for _ in range(4)]
            assert policy.submission_group().wait(LONG)
            assert [s.result() for s in submissions] == [turn] * 4

    on_threads(work)
    assert loads_of(policy) == 0


def test_every_callback_is_called_once_whoever_adds_it():
    policy = pm.DynamicLoad(["a", "b"])
    for _ in range(ROUNDS // 4):
        future: Future[int] = Future()
        submission = policy.submit(lambda resource, future: future, future)
        told: list[int] = []

        def work(
            number: int, future: Any = future, submission: Any = submission, told: Any = told
        ) -> None:
            submission.add_done_callback(lambda _: told.append(number))
            if number == 0:
                future.set_result(9)
            assert submission.result(LONG) == 9

        on_threads(work)
        assert policy.submission_group().wait(LONG)
        assert sorted(told) == list(range(THREADS))
    assert policy.loads() == [0, 0]


def test_all_threads_may_wait_for_one_submission():
    arena = pm.Arena(2)
    policy = pm.RoundRobin([arena])
    for _ in range(ROUNDS // 4):
        begin = threading.Event()
        submission = policy.run(begin.wait, LONG)
        unwrapped: list[Any] = []

        def work(
            number: int, begin: Any = begin, submission: Any = submission, seen: Any = unwrapped
        ) -> None:
            seen.append(submission.unwrap())
            if number == 0:
                begin.set()
            assert submission.wait(LONG)
            assert submission.result(LONG) is True

        on_threads(work)
        assert len({id(task) for task in unwrapped}) == 1


class Parcel:
    """Work of a type that pointsman supports only after registration."""

    def __init__(self, error: Exception | None = None) -> None:
        self.error = error
        self.arrived = threading.Event()

    def wait(self) -> None:
        assert self.arrived.wait(LONG)
        if self.error is not None:
            raise self.error


def test_types_may_be_registered_while_others_are_submitted():
    policy = pm.DynamicLoad(["a", "b"])
    pm.register_waitable(Parcel, wait=Parcel.wait, done=lambda parcel: parcel.arrived.is_set())

    def work(number: int) -> None:
        for turn in range(ROUNDS // 4):
            kind = type(f"Parcel{number}", (Parcel,), {})
            pm.register_waitable(kind, result=lambda _, turn=turn: turn, done=lambda _: True)
            own, plain = kind(), Parcel()
            own.arrived.set()
            first = policy.submit(lambda resource, parcel=own: parcel)
            second = policy.submit(lambda resource, parcel=plain: parcel)
            plain.arrived.set()
            assert first.result(LONG) == turn
            assert second.result(LONG) is plain

    on_threads(work)
    assert policy.submission_group().wait(LONG)
    assert policy.loads() == [0, 0]


class Parcels:
    """Work that fails, and that completes only when somebody waits for it."""

    def wait(self) -> None:
        raise KeyError("lost")


def test_all_threads_that_wait_for_failed_work_get_its_error():
    policy = pm.RoundRobin(["a"])
    for _ in range(ROUNDS // 4):
        submission = policy.submit(lambda resource: Parcels())

        def work(number: int, submission: Any = submission) -> None:
            assert submission.wait()
            with pytest.raises(KeyError, match="lost"):
                submission.result()

        on_threads(work)


def test_a_selection_that_all_threads_submit_counts_each_once():
    policy = pm.DynamicLoad(["a"])
    for _ in range(ROUNDS // 4):
        selection = policy.select(abs, 0)
        futures: list[Future[int]] = [Future() for _ in range(THREADS)]
        on_threads(lambda number, s=selection, f=futures: s.submit(lambda resource: f[number]))
        assert policy.loads() == [THREADS]
        for future in futures:
            future.set_result(0)
        assert policy.submission_group().wait(LONG)
        assert policy.loads() == [0]


def test_a_policy_may_be_initialised_while_others_submit(policy_class: Any):
    policy = make(policy_class, ["a", "b"])

    def work(number: int) -> None:
        for turn in range(ROUNDS):
            if number == 0:
                policy.initialize(["c"] if turn % 2 == 0 else ["a", "b"])
            else:
                assert policy.submit(lambda resource, x: x, turn).result() == turn
                assert repr(policy).startswith(f"<{policy_class.__name__} of ")

    on_threads(work)
    assert loads_of(policy) == 0
