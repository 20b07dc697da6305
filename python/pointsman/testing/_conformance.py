# SPDX-License-Identifier: Apache-2.0
# Each test checks a promise of the documentation, for any policy, backend and resource.
"""The tests of the conformance suite."""

from __future__ import annotations

import gc
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, ClassVar

import pytest

import pointsman as pm
from pointsman.testing._resource import FakeResource

PATIENCE = 60.0
THREADS = pytest.mark.parametrize("threads", [1, 2, 7, 16], ids=lambda n: f"{n}_threads")


class Sentinel(Exception):
    """Raised by submitted callables, so that tests recognise it."""


def fail(*_: Any, **__: Any) -> Any:
    raise Sentinel


def wait_for(group: Any) -> None:
    """Wait for a submission group; fail instead of hanging the test."""
    waiter = threading.Thread(target=group.wait, daemon=True)
    waiter.start()
    waiter.join(PATIENCE)
    assert not waiter.is_alive(), "the group still waits although all work is complete"


def run_in_threads(n: int, work: Callable[[int], None]) -> None:
    """Call ``work(i)`` in ``n`` threads and raise the exception of one of them."""
    with ThreadPoolExecutor(n) as pool:
        for call in [pool.submit(work, i) for i in range(n)]:
            call.result(PATIENCE)


class Conformance:
    """The tests that policies and backends share."""

    def make_resources(self) -> list[Any]:
        """Return at least two resources."""
        return [FakeResource("first"), FakeResource("second")]

    def make(self, resources: list[Any]) -> Any:
        """Return a policy over ``resources`` with room for 100 outstanding submissions."""
        raise NotImplementedError

    @pytest.fixture
    def resources(self) -> list[Any]:
        return self.make_resources()

    @pytest.fixture
    def policy(self, resources: list[Any]) -> Any:
        return self.make(resources)

    @staticmethod
    def assert_idle(policy: Any) -> None:
        """Assert that nothing is outstanding."""
        policy.try_submit(lambda resource: None)  # a lazy backend reports now
        assert not any(policy.loads()), "load was not released"

    def test_chooses_only_from_its_set(self, policy: Any, resources: list[Any]) -> None:
        assert policy.get_resources() == resources
        for _ in range(50):
            submission = policy.submit(lambda resource: resource)
            assert any(submission.resource is resource for resource in resources)
            assert submission.result() is submission.resource
        self.assert_idle(policy)

    def test_gives_everything_to_a_single_resource(self, resources: list[Any]) -> None:
        policy = self.make(resources[:1])
        for _ in range(20):
            assert policy.submit_and_wait(lambda resource: resource) is resources[0]
        self.assert_idle(policy)

    def test_passes_arguments_and_results_through(self, policy: Any) -> None:
        def work(resource: Any, *args: int, **kwargs: int) -> Any:
            return args, kwargs

        for verb in (policy.submit, policy.try_submit):
            assert verb(work, 1, 2, three=3).result() == ((1, 2), {"three": 3})
        assert policy.submit_and_wait(work) == ((), {})
        assert policy.submit(lambda resource: None).result() is None
        self.assert_idle(policy)

    def test_lets_an_exception_of_the_callable_out_and_works_on(self, policy: Any) -> None:
        for _ in range(20):
            for verb in (policy.submit, policy.try_submit, policy.submit_and_wait):
                with pytest.raises(Sentinel):
                    verb(fail)
        self.assert_idle(policy)
        assert policy.submit_and_wait(lambda resource: 5) == 5

    def test_tells_of_work_that_fails_and_works_on(self, policy: Any) -> None:
        for _ in range(20):
            future: Future[None] = Future()
            submission = policy.submit(lambda resource, future=future: future)
            future.set_exception(Sentinel())
            submission.wait()
            with pytest.raises(Sentinel):
                submission.result()
        self.assert_idle(policy)
        assert policy.submit_and_wait(lambda resource: 5) == 5

    def test_accounts_for_submissions_that_are_dropped(self, policy: Any) -> None:
        futures: list[Future[int]] = [Future() for _ in range(50)]
        for future in futures:
            policy.submit(lambda resource, future=future: future)
        for future in futures:
            future.set_result(1)
        wait_for(policy.submission_group())
        self.assert_idle(policy)

    def test_waits_with_its_group_for_work_that_others_end(self, policy: Any) -> None:
        future: Future[int] = Future()
        submission = policy.submit(lambda resource: future)
        threading.Timer(0.0, future.set_result, [1]).start()
        wait_for(policy.submission_group())
        assert submission.done()
        self.assert_idle(policy)

    @THREADS
    def test_serves_concurrent_submitters(self, policy: Any, threads: int) -> None:
        def submit(_: int) -> None:
            for i in range(30):
                assert policy.submit_and_wait(lambda resource, x: x, i) == i
                with pytest.raises(Sentinel):
                    policy.submit(fail)

        run_in_threads(threads, submit)
        self.assert_idle(policy)

    def test_may_be_dropped_with_work_in_flight(self, resources: list[Any]) -> None:
        policy = self.make(resources)
        futures: list[Future[int]] = [Future() for _ in range(10)]
        kept = [policy.submit(lambda resource, future=future: future) for future in futures]
        group = policy.submission_group()
        del policy
        gc.collect()
        for i, future in enumerate(futures):
            future.set_result(i)
        wait_for(group)
        assert [submission.result() for submission in kept] == list(range(10))


class PolicyConformance(Conformance):
    """Tests of a policy. Derive a class that sets ``policy_class`` or overrides ``make_policy``.

    >>> from pointsman.testing.conformance import PolicyConformance
    >>> class Last(pm.PolicyBase):
    ...     def try_select(self, work, *args, **kwargs):
    ...         return self.get_resources()[-1]
    >>> class TestLast(PolicyConformance):  # pytest collects its tests
    ...     policy_class = Last
    >>> TestLast().make_policy(["a", "b"]).get_resources()
    ['a', 'b']
    """

    policy_class: ClassVar[Any]

    def make_policy(self, resources: Any) -> Any:
        """Return a policy over ``resources``, which may be ``deferred_initialization``."""
        return type(self).policy_class(resources)

    def make(self, resources: list[Any]) -> Any:
        return self.make_policy(resources)

    def test_refuses_an_empty_set(self) -> None:
        with pytest.raises(pm.EmptyResourceSetError):
            self.make_policy([])

    def test_tells_that_it_has_to_be_initialised(self, resources: list[Any]) -> None:
        policy = self.make_policy(pm.deferred_initialization)
        for use in (lambda: policy.submit(fail), policy.get_resources, policy.submission_group):
            with pytest.raises(pm.NotInitializedError):
                use()
        policy.initialize(resources)
        assert policy.submit_and_wait(lambda resource: 5) == 5

    def test_begins_afresh_when_its_set_is_replaced(self, policy: Any) -> None:
        future: Future[int] = Future()
        policy.submit(lambda resource: future)
        others = self.make_resources()
        policy.initialize(others)
        assert policy.get_resources() == others
        self.assert_idle(policy)
        future.set_result(1)
        self.assert_idle(policy)

    def test_takes_a_new_set_while_others_submit(self, policy: Any, resources: list[Any]) -> None:
        stop = threading.Event()

        def submit(i: int) -> None:
            if i == 0:
                for n in range(100):
                    policy.initialize(resources[: 1 + n % 2])
                stop.set()
            while not stop.is_set():
                assert policy.submit(lambda resource: resource).result() in resources

        run_in_threads(4, submit)
        self.assert_idle(policy)


class BackendConformance(Conformance):
    """Tests of a backend. Derive a class that sets ``backend_class`` or overrides ``make_backend``.

    The backend runs under each policy in ``POLICIES`` that needs no more events than it reports.

    >>> from pointsman.testing.conformance import BackendConformance
    >>> class Direct(pm.Backend):
    ...     def submit(self, selection, work, /, *args, **kwargs):
    ...         return work(selection.resource, *args, **kwargs)
    >>> class TestDirect(BackendConformance):  # pytest collects its tests
    ...     backend_class = Direct
    >>> TestDirect().make_backend(["a", "b"]).get_resources()
    ['a', 'b']
    """

    backend_class: ClassVar[Any]
    POLICIES = (pm.RoundRobin, pm.DynamicLoad, pm.AutoTune, pm.EarliestFinish, pm.Token)

    def make_backend(self, resources: list[Any]) -> Any:
        """Return a backend over ``resources``."""
        return type(self).backend_class(resources)

    @pytest.fixture(params=POLICIES, ids=lambda policy: policy.__name__, autouse=True)
    def under(self, request: pytest.FixtureRequest) -> None:
        self.under_policy: Any = request.param

    def make(self, resources: list[Any]) -> Any:
        settings = {"tokens": 100} if self.under_policy is pm.Token else {}
        try:
            return self.under_policy(backend=self.make_backend(resources), **settings)
        except pm.UnsatisfiedReportingError as too_little:
            pytest.skip(str(too_little))

    def test_refuses_an_empty_set(self) -> None:
        with pytest.raises(pm.EmptyResourceSetError):
            self.make([])

    def test_is_left_alone_by_a_policy_that_was_given_another(
        self, policy: Any, resources: list[Any]
    ) -> None:
        policy.initialize(resources)
        assert policy.submit_and_wait(lambda resource: 5) == 5
