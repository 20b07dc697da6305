# SPDX-License-Identifier: Apache-2.0
# The engine watches the object as it watches what a submitted callable returned.
"""Tells a backend when the object that its work returned is complete."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from pointsman import _core


def completion_of(work: Any, callback: Callable[[BaseException | None], object], /) -> Any:
    """Call ``callback(error)`` when ``work`` is complete; return the object to wait for.

    For ``Backend.submit``, which returns the result: the engine notices the completion after the
    callback has returned, so that the callback can report a time of the backend's own clock.

    work: any object that a submitted callable may return: a plain value, which is complete already,
    a future, an event, an awaitable, or an object with ``wait()``, for which a thread waits.
    callback: its ``error`` is None, or the exception with which the work failed or was cancelled.
    It runs on the thread that noticed the completion. Its exceptions go to ``sys.unraisablehook``.

    Returns ``work`` itself if it is a plain value, else a ``Submission``, whose ``result()`` is
    that of the work and whose ``unwrap()`` is ``work``. Raises TypeError if ``callback`` is not
    callable.

    >>> class Logging(pm.Backend):
    ...     def submit(self, selection, work, /, *args, **kwargs):
    ...         returned = work(selection.resource, *args, **kwargs)
    ...         return pm.completion_of(returned, lambda error: print("complete,", error))
    >>> policy = pm.RoundRobin(backend=Logging(["a"]))
    >>> policy.submit_and_wait(lambda resource: resource)
    complete, None
    'a'
    """
    if not callable(callback):
        raise TypeError(f"callback is {callback!r}: pass a callable, which will receive the error")
    submission = _watcher().submit(_itself, work)
    submission.add_done_callback(lambda complete: callback(_error_of(complete)))
    is_plain = submission.done() and submission.elapsed is None
    return work if is_plain else submission


@cache
def _watcher() -> _core.FixedResource:
    return _core.FixedResource([None])


def _itself(_: None, work: Any) -> Any:
    return work


def _error_of(submission: _core.Submission) -> BaseException | None:
    try:
        submission.result()
    except BaseException as error:
        return error
    return None
