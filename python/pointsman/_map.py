# SPDX-License-Identifier: Apache-2.0
# Items are submitted in chunks, sized by the time that the chunks before them took.
"""``map`` over any policy that has ``run``, user-defined ones included."""

from __future__ import annotations

import queue
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sized
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar

from pointsman import _core
from pointsman._chunk import Chunk, Outcome
from pointsman._concurrency import chunk_seconds_of, threads_of
from pointsman.error import InvalidOptionError, SubmitTimeoutError, WaitTimeoutError

if TYPE_CHECKING:
    from pointsman._core import Submission
    from pointsman._policy import Policy

T = TypeVar("T")

LONGEST_CHUNK = 4096
ROUNDING = 0.001  # seconds; a wait may end so much before its deadline


def map(
    policy: Policy,
    func: Callable[..., T],
    /,
    *iterables: Iterable[Any],
    chunksize: int | None = None,
    ordered: bool = True,
    timeout: float | None = None,
    in_flight: int | None = None,
    progress: bool = False,
) -> Iterator[T]:
    """Run ``func`` on the items of the iterables, as ``builtins.map`` calls it, on the resources
    that ``policy`` chooses; return an iterator over the results.

    chunksize: how many items a resource is given at a time; by default as many as take
        about 2 ms, on a Dask cluster 50 ms.
    ordered: True for results in the order of the items, False for results as they become ready.
    timeout: seconds from this call; WaitTimeoutError (a TimeoutError) if a result is not ready by
        then, also if no resource has been free for it.
    in_flight: limit on submitted chunks whose results have not been taken; by default four for
        each thread of the resources. Items are read as needed, so iterables may be endless.
    progress: show a tqdm bar, in a terminal or a notebook; ImportError without that package.

    Rules and scores of the policy see one argument, the list of the items that a resource is given:
    of the values, or, with several iterables, of tuples of them.

    An exception of ``func`` is raised in place of its result. With ``on_failure`` the items that a
    resource was given run again together; if they fail for good, none of them has a result.
    Dropping the iterator, or an exception, cancels the chunks that have not begun. Raises
    InvalidOptionError (a ValueError) for a ``chunksize`` or ``in_flight`` below 1 and for a
    negative ``timeout``.
    """
    check_arguments("map", iterables, chunksize, in_flight)
    show = _progress_bar() if progress else None
    _core._checked_timeout(timeout)
    mapping = Mapping(policy, func, iterables, chunksize, timeout)
    outcomes = mapping.in_order() if ordered else mapping.as_completed()
    if show is not None:
        outcomes = _with_progress(outcomes, iterables, show)
    results = mapping.results_of(outcomes, in_flight or 4 * threads_of(policy))
    next(results)  # a generator that has not begun would not cancel anything
    return results


def check_arguments(
    name: str,
    iterables: tuple[Iterable[Any], ...],
    chunksize: int | None,
    in_flight: int | None,
) -> None:
    """Raise for arguments that ``map`` or ``map_async``, called ``name``, cannot use."""
    if not iterables:
        raise TypeError(f"{name}() needs at least one iterable")
    for option, value in (("chunksize", chunksize), ("in_flight", in_flight)):
        if value is not None and value < 1:
            raise InvalidOptionError(f"{option} is {value}: pass a number from 1, or None")


class Mapping:
    """The chunks of one call of ``map`` that are in flight, and the items not yet submitted."""

    def __init__(
        self,
        policy: Policy,
        func: Callable[..., Any],
        iterables: tuple[Iterable[Any], ...],
        chunksize: int | None,
        timeout: float | None,
    ) -> None:
        self.policy = policy
        self.chunk = Chunk(func, len(iterables) == 1, getattr(policy, "_runs_again", False))
        self.items = iter(iterables[0]) if len(iterables) == 1 else zip(*iterables, strict=False)
        self.adapts = chunksize is None
        self.chunk_seconds = chunk_seconds_of(policy)
        self.size = chunksize or 1
        self.timeout = timeout
        self.deadline = None if timeout is None else time.monotonic() + timeout
        self.pending: deque[Submission] = deque()
        self.ready: queue.SimpleQueue[Submission] | None = None

    def submit_up_to(self, in_flight: int) -> None:
        """Submit chunks until ``in_flight`` of them are in flight."""
        while len(self.pending) < in_flight and self.submit_one():
            pass

    def submit_one(self) -> bool:
        """Submit a chunk; return False if no items are left."""
        items = self.next_items()
        if items:
            submission = self.run(items)
            self.pending.append(submission)
            if self.ready is not None:
                submission.add_done_callback(self.ready.put)
        return bool(items)

    def run(self, items: list[Any]) -> Submission:
        """Run a chunk; raise WaitTimeoutError if no resource is free for it by the deadline."""
        left = self.seconds_left()
        within = None if left is None else getattr(self.policy, "_run_within", None)
        if within is None:
            return self.policy.run(self.chunk, items)
        try:
            submission: Submission = within(left, self.chunk, items)
        except SubmitTimeoutError:
            if (self.seconds_left() or 0.0) > ROUNDING:  # the policy's own timeout is shorter
                raise
            raise self.came_too_late() from None
        return submission

    def next_items(self) -> list[Any]:
        """Return the items of the next chunk; none if no items are left."""
        return list(islice(self.items, self.size))

    def results_of(
        self, outcomes: Generator[Outcome[Any], None, None], in_flight: int
    ) -> Generator[Any, None, None]:
        """Submit the first chunks and yield None; then yield the results in the outcomes.

        If it ends early, cancels the chunks that have not begun.
        """
        error: BaseException | None = None
        try:
            self.submit_up_to(in_flight)
            yield None
            for results, error, _ in outcomes:
                yield from results
                if error is not None:
                    raise error
        finally:
            error = None  # else its traceback would keep this frame alive
            self.cancel()
            outcomes.close()

    def in_order(self) -> Generator[Outcome[Any], None, None]:
        """Yield the outcomes of the chunks in the order of their submission."""
        while self.pending:
            yield self.outcome_of(self.pending[0])
            self.pending.popleft()
            self.submit_one()

    def as_completed(self) -> Generator[Outcome[Any], None, None]:
        """Return an iterator over the outcomes of the chunks as they become ready."""
        self.ready = queue.SimpleQueue()
        return self._as_completed(self.ready)

    def _as_completed(
        self, ready: queue.SimpleQueue[Submission]
    ) -> Generator[Outcome[Any], None, None]:
        while self.pending:
            self.pending[0]._help()
            try:
                submission = ready.get(timeout=self.seconds_left())
            except queue.Empty:
                raise self.came_too_late() from None
            self.pending.remove(submission)
            yield self.outcome_of(submission)
            self.submit_one()

    def outcome_of(self, submission: Submission) -> Outcome[Any]:
        """Wait for a chunk, and adapt the size of later chunks to its time."""
        if not submission.wait(self.seconds_left()):
            raise self.came_too_late()
        return self.adapted_to(submission.result())

    def adapted_to(self, outcome: Outcome[Any]) -> Outcome[Any]:
        """Return the outcome after adapting the size of later chunks to its time."""
        if self.adapts and outcome[2] > 0.0:
            fitting = int(self.chunk_seconds * len(outcome[0]) / outcome[2])
            self.size = max(1, min(fitting, 4 * self.size, LONGEST_CHUNK))
        return outcome

    def seconds_left(self) -> float | None:
        """Return the time until the deadline; None without a deadline."""
        return None if self.deadline is None else max(self.deadline - time.monotonic(), 0.0)

    def came_too_late(self) -> WaitTimeoutError:
        """Return the error for a result that was not ready in time."""
        return WaitTimeoutError(
            f"a result of map() was not ready within its timeout of {self.timeout} s: raise the "
            "timeout, or pass None for no limit"
        )

    def cancel(self) -> None:
        """Cancel all chunks in flight that have not begun. Nobody asks for the others any more."""
        while self.pending:
            submission = self.pending.pop()
            submission.cancel()
            submission._ignore_failure()


def _progress_bar() -> Any:
    """Return tqdm's class of progress bars for the terminal or the notebook."""
    try:
        from tqdm.auto import tqdm
    except ImportError as missing:
        raise ImportError(
            "map(progress=True) needs the package tqdm, which is not installed: pip install tqdm, "
            "or leave progress out"
        ) from missing
    return tqdm


def _with_progress(
    outcomes: Generator[Outcome[T], None, None],
    iterables: tuple[Iterable[Any], ...],
    make_bar: Callable[..., Any],
) -> Generator[Outcome[T], None, None]:
    """Yield the outcomes, and show the number of their results in a bar."""
    lengths = [len(items) for items in iterables if isinstance(items, Sized)]
    with make_bar(total=min(lengths, default=None)) as bar:
        for outcome in outcomes:
            bar.update(len(outcome[0]))
            yield outcome
