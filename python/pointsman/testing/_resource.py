# SPDX-License-Identifier: Apache-2.0
# A resource whose work ends when a test says so, and the backend that reports by its clock.
"""Resources under a test's control."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any

from pointsman._backend import Backend
from pointsman.error import InvalidOptionError
from pointsman.testing._clock import ManualClock
from pointsman.testing._faults import Dies, Fails, Fault, Hangs, Slows, Works, one_by_one

if TYPE_CHECKING:
    from pointsman._core import Placement


class FakeResource:
    """Runs nothing: the test completes its work, the oldest first.

    name: the name in the ``repr``.
    clock: work started with a duration ends when this clock has advanced far enough.
    script: what it does with the work that it starts, a piece at a time: ``Works``, ``Fails``,
        ``Hangs``, ``Slows``, ``Dies``, of ``pointsman.testing``. After the script it works. Raises
        InvalidOptionError (a ValueError) for a count below 1 or a factor that is not positive.

    Work is a ``concurrent.futures.Future``, so policies are notified of its completion at once.

    >>> from pointsman.testing import FakeResource
    >>> printer = FakeResource("printer")
    >>> submission = pm.RoundRobin([printer]).submit(lambda resource: resource.start())
    >>> submission.done()
    False
    >>> printer.finish("printed")
    >>> submission.result()
    'printed'

    A program that must survive a device that dies is tested with a script:

    >>> from pointsman.testing import Dies, Works
    >>> lost = ConnectionError("lost")
    >>> fragile = FakeResource("fragile", script=[Works(1), Dies(lost)])
    >>> policy = pm.RoundRobin([fragile, "sound"]).with_options(on_failure="fallback")
    >>> def start(resource):
    ...     return resource.start() if resource is fragile else "done by " + resource
    >>> submissions = [policy.submit(start) for _ in range(4)]
    >>> fragile.finish("done by the fragile one")
    >>> [submission.result() for submission in submissions]
    ['done by the fragile one', 'done by sound', 'done by sound', 'done by sound']
    """

    def __init__(
        self,
        name: str = "fake",
        clock: ManualClock | None = None,
        *,
        script: Iterable[Fault] = (),
    ) -> None:
        self.name = name
        self.clock = clock
        self._faults = one_by_one(script)
        self.outstanding: list[Future[Any]] = []
        self._free_at = 0.0

    def __repr__(self) -> str:
        return f"<FakeResource {self.name}>"

    def start(
        self, value: Any = None, *, seconds: float | None = None, error: Exception | None = None
    ) -> Future[Any]:
        """Start work and return its future.

        value, error: result or exception of work with a duration.
        seconds: duration on the clock, counted from the end of the work before it. Without it, the
        test ends the work with ``finish`` or ``fail``. Raises InvalidOptionError (a ValueError) if
        the resource has no clock, and the error of the script if the resource has died.
        """
        fault = next(self._faults, Works())
        if isinstance(fault, Dies):
            raise fault.error.with_traceback(None)
        if isinstance(fault, Fails):
            error = fault.error.with_traceback(None)
        if isinstance(fault, Slows):
            if seconds is None:
                raise InvalidOptionError(f"{self!r} slows work down: start it with seconds")
            seconds *= fault.factor
        work: Future[Any] = Future()
        work.set_running_or_notify_cancel()
        if isinstance(fault, Hangs):
            pass  # the test ends it
        elif seconds is None and isinstance(fault, Fails):
            work.set_exception(error)
            return work
        elif seconds is not None:
            if self.clock is None:
                raise InvalidOptionError(
                    f"{self!r} has no clock to count {seconds} s by: make it with a ManualClock"
                )
            self._free_at = max(self.clock.now(), self._free_at) + seconds
            self.clock.call_at(self._free_at, lambda: self._end(work, value, error))
        self.outstanding.append(work)
        return work

    def revive(self) -> None:
        """End the script: the resource works from now on."""
        self._faults = iter(())

    def finish(self, value: Any = None) -> None:
        """Complete the oldest outstanding work, with ``value`` as its result."""
        self._end(self.outstanding[0], value, None)

    def fail(self, error: Exception) -> None:
        """End the oldest outstanding work with ``error``."""
        self._end(self.outstanding[0], None, error)

    def _end(self, work: Future[Any], value: Any, error: Exception | None) -> None:
        self.outstanding.remove(work)
        if error is None:
            work.set_result(value)
        else:
            work.set_exception(error)


class FakeBackend(Backend):
    """Reports to the policy how long work took on the clock of its ``FakeResource``.

    resources: iterable of resources. Raises InvalidOptionError (a ValueError) if one has no clock.

    >>> from pointsman.testing import FakeBackend, FakeResource, ManualClock
    >>> clock = ManualClock()
    >>> slow, fast = FakeResource("slow", clock), FakeResource("fast", clock)
    >>> policy = pm.AutoTune(backend=FakeBackend([slow, fast]))
    >>> for _ in range(10):
    ...     submission = policy.submit(lambda r: r.start(seconds=2.0 if r is slow else 1.0))
    ...     clock.advance(2.0)
    >>> submission.resource
    <FakeResource fast>
    """

    def __init__(self, resources: Iterable[FakeResource]) -> None:
        super().__init__(resources)
        for resource in self.get_resources():
            if resource.clock is None:
                raise InvalidOptionError(f"{resource!r} has no clock: make it with a ManualClock")

    def submit(
        self, selection: Placement, work: Callable[..., Any], /, *args: Any, **kwargs: Any
    ) -> Any:
        """Call ``work`` and report the time of the future that it returns."""
        clock = selection.resource.clock
        start = clock.now()

        def report(future: Future[Any]) -> None:
            if not future.cancelled() and future.exception() is None:
                selection.report("task_time", clock.now() - start)

        returned = work(selection.resource, *args, **kwargs)
        if isinstance(returned, Future):
            returned.add_done_callback(report)
        return returned
