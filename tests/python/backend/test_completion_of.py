# SPDX-License-Identifier: Apache-2.0
"""completion_of calls back at the end of any object that work returned."""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
from concurrent.futures import CancelledError, Future
from pathlib import Path
from typing import Any

import pytest

import pointsman as pm

GUIDE = Path(__file__).resolve().parents[3] / "docs/guide/writing-a-policy-backend-resource.md"


class Failed(Exception):
    """Raised by the work of these tests."""


@pytest.mark.parametrize(
    "value", [None, 3, "text", [1, 2], object()], ids=lambda v: type(v).__name__
)
def test_a_plain_value_is_complete_at_once_and_returned_as_it_is(value: Any):
    errors: list[BaseException | None] = []
    assert pm.completion_of(value, errors.append) is value
    assert errors == [None]


def test_a_future_calls_back_when_it_is_complete():
    errors: list[BaseException | None] = []
    future: Future[int] = Future()
    completion = pm.completion_of(future, errors.append)
    assert completion.unwrap() is future
    assert errors == []
    future.set_result(3)
    assert errors == [None]
    assert completion.result() == 3


def test_the_callback_receives_the_error_of_work_that_failed_or_was_cancelled():
    errors: list[BaseException | None] = []
    failed: Future[int] = Future()
    error = Failed()
    pm.completion_of(failed, errors.append)
    failed.set_exception(error)
    cancelled: Future[int] = Future()
    pm.completion_of(cancelled, errors.append)
    cancelled.cancel()
    assert errors[0] is error
    assert isinstance(errors[1], CancelledError)


def test_an_arena_task_calls_back():
    called: Future[BaseException | None] = Future()
    completion = pm.completion_of(pm.Arena(1).run(pow, 2, 3), called.set_result)
    assert called.result(60) is None
    assert completion.result() == 8


def test_an_object_that_can_only_be_waited_for_calls_back():
    class Job:
        def wait(self) -> None:
            raise Failed

    called: Future[BaseException | None] = Future()
    pm.completion_of(Job(), called.set_result)
    assert isinstance(called.result(60), Failed)


def test_an_awaitable_calls_back():
    async def work() -> int:
        await asyncio.sleep(0)
        return 4

    called: Future[BaseException | None] = Future()
    completion = pm.completion_of(work(), called.set_result)
    assert called.result(60) is None
    assert completion.result(60) == 4


def test_something_that_is_not_callable_is_refused():
    with pytest.raises(TypeError, match="callback is 3: pass a callable"):
        pm.completion_of(1, 3)  # type: ignore[arg-type]


def test_the_time_that_a_callback_reports_counts():
    class TwoSeconds(pm.Backend):
        def submit(self, selection: pm.Placement, work: Any, /, *args: Any, **kwargs: Any) -> Any:
            def report(error: BaseException | None) -> None:
                if error is None:
                    selection.report("task_time", 2.0)

            return pm.completion_of(work(selection.resource), report)

    policy = pm.ScoredPolicy(lambda statistics: 0, backend=TwoSeconds(["a"]))
    for made in (None, Future(), pm.Arena(1).run(pow, 2, 3)):
        submission = policy.submit(lambda resource, made=made: made)
        if isinstance(made, Future):
            made.set_result(1)
        submission.result()
    policy.submission_group().wait()
    (entry,) = policy.statistics()
    assert (entry.completed, entry.mean_elapsed) == (3, 2.0)


def test_the_backend_of_the_guide_passes_the_conformance_suite(tmp_path: Path):
    text = GUIDE.read_text(encoding="utf-8")
    shown = re.search(r"^class OwnTime\(.*?(?=^\S)", text, re.MULTILINE | re.DOTALL)
    assert shown
    beginning = "import pointsman as pm\nfrom pointsman.testing import ManualClock\n\n"
    (tmp_path / "shown.py").write_text(
        f"{beginning}clock = ManualClock()\n\n{shown[0]}", encoding="utf-8"
    )
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    run = subprocess.run(
        [*command, "-p", "pointsman.testing.plugin", "--pointsman-backend=shown:OwnTime"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert re.search(r"[1-9][0-9] passed", run.stdout)
