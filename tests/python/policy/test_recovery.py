# SPDX-License-Identifier: Apache-2.0
"""What happens when work fails: `with_options(on_failure=...)`."""

from __future__ import annotations

import logging
import random
import sys
import threading
import weakref
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Future
from itertools import count
from typing import Any

import pytest
from policy.pending_work import Waiting

import pointsman as pm


class Flaky:
    """Fails its first `failures` calls: at once, or in the future that it returns."""

    def __init__(self, failures: int, how: str = "later", error: type[Exception] = OSError) -> None:
        self.failures = failures
        self.how = how
        self.error = error
        self.calls: list[Any] = []

    def __call__(self, resource: Any, value: Any = "done") -> Any:
        self.calls.append(resource)
        future: Future[Any] = Future()
        if len(self.calls) > self.failures:
            future.set_result(value)
        elif self.how == "at once":
            raise self.error(f"call {len(self.calls)}")
        else:
            future.set_exception(self.error(f"call {len(self.calls)}"))
        return future


HOW = pytest.mark.parametrize("how", ["at once", "later"])


@HOW
def test_fallback_runs_on_another_resource(policy_class, how):
    policy = policy_class(["a", "b"])
    view = policy.with_options(on_failure="fallback")
    if policy_class is pm.FixedResource:
        with pytest.raises(OSError, match="call 1"):  # there is no other
            view.submit(Flaky(1, how), 7).result(timeout=60)
        return
    submission = view.submit(Flaky(1, how), 7)
    assert submission.result(timeout=60) == 7
    first, second = submission.attempts
    assert {first.resource, second.resource} == {"a", "b"}
    assert (str(first.error), second.error) == ("call 1", None)
    assert submission.resource == second.resource
    assert policy.loads() == [0, 0]


@HOW
def test_fallback_tries_each_resource_once_and_raises_the_last_error(policy_class, how):
    policy = policy_class(["a", "b", "c"])
    work = Flaky(100, how)
    with pytest.raises(OSError, match="call") as raised:
        policy.with_options(on_failure="fallback").submit(work).result(timeout=60)
    expected = 1 if policy_class is pm.FixedResource else 3
    assert str(raised.value) == f"call {expected}"
    assert len(set(work.calls)) == len(work.calls) == expected
    assert policy.loads() == [0, 0, 0]


@HOW
def test_a_retry_runs_at_most_so_often(policy_class, how):
    policy = policy_class(["a", "b"]).with_options(on_failure=pm.Retry(3))
    submission = policy.submit(Flaky(3, how), 7)
    assert submission.result(timeout=60) == 7
    assert len(submission.attempts) == 4
    work = Flaky(100, how)
    with pytest.raises(OSError, match="call 4"):
        policy.submit(work).result(timeout=60)
    assert len(work.calls) == 4


@HOW
def test_no_work_runs_twice_without_permission(policy_class, how):
    for policy in (policy_class(["a", "b"]), policy_class(["a", "b"]).with_options(time_limit=60)):
        work = Flaky(100, how)
        with pytest.raises(OSError, match="call 1"):
            policy.submit(work).result(timeout=60)
        assert len(work.calls) == 1


def test_explanations_name_the_resources_on_which_the_work_has_failed():
    policy = pm.DynamicLoad(["a", "b"], tie_break="first").with_options(on_failure="fallback")
    submission = policy.submit(Flaky(1))
    submission.wait()
    states = [candidate.state for candidate in submission.explain().candidates]
    assert states == ["left out, as the work had failed there", "idle"]


def test_a_function_on_arenas_falls_back():
    first = pm.Arena(1)
    policy = pm.RoundRobin([first, pm.Arena(1)]).with_options(on_failure="fallback")
    calls = count()

    def fails_once() -> int:
        if next(calls) == 0:
            raise OSError
        return 7

    submission = policy.run(fails_once)
    assert (submission.result(timeout=60), len(submission.attempts)) == (7, 2)


def test_cancelled_work_does_not_run_again():
    futures: list[Future[Any]] = []

    def start(resource: Any) -> Future[Any]:
        futures.append(Future())
        return futures[-1]

    submission = pm.RoundRobin(["a", "b"]).with_options(on_failure="fallback").submit(start)
    assert submission.cancel()
    with pytest.raises(pm.WorkCancelledError):
        submission.result(timeout=60)
    assert len(futures) == 1


def test_a_group_waits_for_work_that_runs_again():
    policy = pm.RoundRobin(["a", "b"])
    view = policy.with_options(on_failure=pm.Retry(20))
    for _ in range(20):
        submission = view.submit(Flaky(10))
        assert policy.submission_group().wait(timeout=60)
        assert submission.done()


def test_a_failure_is_raised_by_the_group_once():
    policy = pm.RoundRobin(["a", "b"])
    submission = policy.with_options(on_failure="fallback").submit(Flaky(100))
    with pytest.raises(OSError, match="call 2"):
        policy.submission_group().wait(timeout=60, raise_errors=True)
    assert policy.submission_group().wait(timeout=60, raise_errors=True)
    del submission


def test_only_the_final_failure_is_logged_if_nobody_looks_at_it(caplog, is_gone):
    policy = pm.RoundRobin(["a", "b"])
    policy.with_options(on_failure="fallback").submit(Flaky(1)).wait()
    failed = policy.with_options(on_failure=pm.Retry(1)).submit(Flaky(100))
    failed.wait()
    reference = weakref.ref(failed)
    del failed
    assert is_gone(reference)
    errors = [record for record in caplog.records if record.levelno == logging.ERROR]
    assert [str(record.exc_info[1]) for record in errors if record.exc_info] == ["call 2"]


def test_each_resource_that_fails_is_logged_once(caplog):
    policy = pm.RoundRobin(["a", "b"]).with_options(on_failure="fallback")
    for _ in range(10):
        policy.submit(Flaky(1)).result(timeout=60)
    warned = [record.getMessage() for record in caplog.records]
    assert warned == [
        "work failed on 'a' with OSError: call 1; it runs again, as on_failure allows"
    ]


class Reader(logging.Handler):
    """Calls a function for each record."""

    def __init__(self, read: Callable[[str], object]) -> None:
        super().__init__()
        self.read = read

    def emit(self, record: logging.LogRecord) -> None:
        self.read(record.getMessage())


@pytest.fixture
def read_log(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[str], object]], None]:
    def begin(read: Callable[[str], object]) -> None:
        monkeypatch.setattr(logging.getLogger("pointsman"), "handlers", [Reader(read)])

    return begin


@HOW
def test_a_repetition_is_logged_before_the_work_ends(read_log, how):
    seen: list[str] = []
    read_log(lambda message: seen.append(message.partition(" on ")[0]))
    view = pm.RoundRobin(["a", "b"]).with_options(on_failure=pm.Retry(2))
    again = Flaky(1, how)
    first: Future[Any] = Future()
    submission = view.submit(lambda resource: again(resource) if first.done() else first)
    submission.add_done_callback(lambda _: seen.append("work ended"))
    first.set_exception(OSError("call 0"))
    submission.result(timeout=60)
    assert seen == ["work failed", "work failed", "work ended"]


@HOW
def test_work_runs_again_where_the_log_cannot_be_written(read_log, how, monkeypatch):
    def full_disk(message: str) -> None:
        raise OSError(message)

    read_log(full_disk)
    errors: list[Any] = []
    monkeypatch.setattr(sys, "excepthook", lambda *error: errors.append(error[1]))
    view = pm.RoundRobin(["a", "b"]).with_options(on_failure="fallback")
    assert view.submit(Flaky(1, how), 7).result(timeout=60) == 7
    assert [str(error)[:16] for error in errors] == ["work failed on '"]


def test_an_interrupt_while_the_log_is_written_reaches_the_caller(read_log):
    def interrupted(message: str) -> None:
        raise KeyboardInterrupt(message)

    read_log(interrupted)
    policy = pm.RoundRobin(["a", "b"])
    with pytest.raises(KeyboardInterrupt, match="work failed"):
        policy.with_options(on_failure="fallback").submit(Flaky(1, "at once"), 7)
    assert policy.submission_group().wait(timeout=60)


def test_await_gives_the_result_of_the_last_attempt(library):
    policy = pm.RoundRobin(["a", "b"]).with_options(on_failure="fallback")

    async def main() -> Any:
        return await policy.submit(Flaky(1), 7)

    assert library.run(main) == 7


def test_callbacks_are_called_once_with_the_submission():
    seen: list[Any] = []
    submission = pm.RoundRobin(["a", "b"]).with_options(on_failure="fallback").submit(Flaky(1))
    submission.add_done_callback(seen.append)
    submission.wait()
    submission.add_done_callback(seen.append)
    assert seen == [submission, submission]


def test_executors_and_map_of_the_view_run_work_again():
    policy = pm.RoundRobin([pm.Arena(1), pm.Arena(1)]).with_options(on_failure=pm.Retry(2))
    calls: Counter[int] = Counter()
    lock = threading.Lock()

    def fails_twice(x: int) -> int:
        with lock:
            calls[x] += 1
            if calls[x] < 3:
                raise OSError(x)
        return x

    with policy.as_executor() as executor:
        assert executor.submit(fails_twice, 100).result(timeout=60) == 100
    assert list(policy.map(fails_twice, range(5), chunksize=1)) == list(range(5))


def test_a_policy_in_quarantine_raises_the_error_of_the_work_and_then_names_its_resources():
    settings = pm.HealthSettings(
        failures=1, back_off=60, is_resource_failure=lambda error: isinstance(error, OSError)
    )
    policy = pm.RoundRobin(["a", "b"], health=settings).with_options(on_failure="fallback")
    with pytest.raises(OSError, match="call 2"):
        policy.submit(Flaky(100)).result(timeout=60)
    with pytest.raises(pm.NoHealthyResourceError):
        policy.submit(Flaky(0))


def test_one_timeout_limits_the_searches_of_all_runs(monkeypatch: pytest.MonkeyPatch):
    view = pm.RoundRobin(["a"]).with_options(on_failure=pm.Retry(3), timeout=2.5)
    waiting = Waiting(view, monkeypatch)
    assert view.submit(Flaky(3, "at once"), 7).result() == 7
    assert waiting.timeouts == [2.5, 1.5, 0.5, 0.0]


@pytest.mark.parametrize("value", ["ignore", None, 3, pm.Retry])
def test_other_settings_are_refused(value):
    with pytest.raises(pm.InvalidOptionError, match="on_failure is .*pass 'raise', 'fallback' or"):
        pm.RoundRobin(["a"]).with_options(on_failure=value)


@pytest.mark.parametrize("times", [0, -1, 1.5, "2"])
def test_a_retry_needs_a_positive_number(times):
    with pytest.raises(pm.InvalidOptionError, match="times is"):
        pm.Retry(times)


def test_options_of_a_view_are_kept_by_its_views():
    view = pm.RoundRobin(["a"]).with_options(on_failure="fallback").with_options(timeout=2.0)
    assert repr(view).endswith(".with_options(timeout=2.0, on_failure='fallback')")


@pytest.mark.parametrize("seed", range(5))
def test_random_failures_lose_nothing_and_run_nothing_too_often(policy_class, seed):
    """Against a model: each piece of work succeeds unless it fails more often than it may run."""
    chosen = random.Random(seed)
    policy = policy_class(["a", "b", "c"])
    view = policy.with_options(on_failure=pm.Retry(2))
    works = [Flaky(chosen.randrange(5), chosen.choice(["at once", "later"])) for _ in range(50)]
    submissions = []
    for number, work in enumerate(works):
        try:
            submissions.append(view.submit(work, number))
        except OSError:
            assert work.failures > 2
            submissions.append(None)
    assert policy.submission_group().wait(timeout=60)
    for number, (work, submission) in enumerate(zip(works, submissions, strict=True)):
        assert len(work.calls) == min(work.failures, 2) + 1
        if submission is not None and work.failures <= 2:
            assert submission.result(timeout=0) == number
        elif submission is not None:
            with pytest.raises(OSError, match="call 3"):
                submission.result(timeout=0)
    assert policy.loads() == [0, 0, 0]


@pytest.mark.parametrize(
    "options",
    [{"on_failure": "fallback"}, {"time_limit": 60}, {"max_outstanding": 5}, {"timeout": 1}],
    ids=str,
)
def test_submissions_of_every_view_are_submissions(options: Any):
    submission = pm.RoundRobin(["a"]).with_options(**options).submit(lambda resource: resource)
    assert isinstance(submission, pm.Submission)
    assert submission.result() == "a"
