# SPDX-License-Identifier: Apache-2.0
# Each suspends the coroutine where the verb without `_async` blocks the thread.
"""``submit_async``, ``run_async`` and ``map_async`` of any policy, for asyncio and Trio."""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterable
from typing import TYPE_CHECKING, Any, Protocol

from pointsman import _search
from pointsman._concurrency import threads_of
from pointsman._map import Mapping, check_arguments
from pointsman._policy import P, Policy, V
from pointsman._suspension import Pause, suspension

if TYPE_CHECKING:
    from pointsman._core import Submission, _Policy


async def submit_async(
    policy: _Policy, work: Callable[..., Any], /, *args: Any, **kwargs: Any
) -> Submission:
    """Call ``work(resource, *args, **kwargs)`` on the resource that ``policy`` chooses; while none
    is free, the coroutine waits."""
    return await _search.find(policy, lambda: policy.try_submit(work, *args, **kwargs))


async def run_async(
    policy: _Policy, func: Callable[..., Any], /, *args: Any, **kwargs: Any
) -> Submission:
    """Run ``func(*args, **kwargs)`` on the resource that ``policy`` chooses; while none is free,
    the coroutine waits."""
    return await _search.find(policy, lambda: policy._try_run(func, *args, **kwargs))


class Searchable(Policy, Protocol):
    """A policy, with options or without, that can be asked once for a free resource."""

    def _try_run(
        self, func: Callable[P, V], /, *args: P.args, **kwargs: P.kwargs
    ) -> Submission[V] | None:
        """Run ``func`` as ``run`` does, or return None if no resource is free."""


def map_async(
    policy: Searchable,
    func: Callable[..., V],
    /,
    *iterables: Iterable[Any],
    chunksize: int | None = None,
    ordered: bool = True,
    in_flight: int | None = None,
) -> AsyncIterator[V]:
    """Run ``func`` on the items of the iterables and return an asynchronous iterator over the
    results. The arguments mean the same as for ``pointsman.map``.

    If you leave the loop early, close the iterator, for example with ``contextlib.aclosing``: this
    cancels the chunks that have not begun. A cancelled ``anext`` closes it, too.
    """
    check_arguments("map_async", iterables, chunksize, in_flight)
    mapping = Mapping(policy, func, iterables, chunksize, None)
    return _Results(policy, mapping, in_flight or 4 * threads_of(policy), ordered).each()


class _Results:
    """The chunks of one call of ``map_async`` that are in flight."""

    def __init__(self, policy: Searchable, mapping: Mapping, in_flight: int, ordered: bool) -> None:
        self.policy = policy
        self.mapping = mapping
        self.in_flight = in_flight
        self.ordered = ordered
        self.pending: deque[Submission] = mapping.pending
        self.held: list[Any] = []  # items for which no resource was free
        self.resume: Callable[[], None] = lambda: None

    async def each(self) -> AsyncGenerator[Any, None]:
        """Yield the results as the chunks become ready."""
        error: BaseException | None = None
        try:
            while True:
                await self.submit_more()
                if not self.pending:
                    return
                results, error, _ = self.mapping.adapted_to((await self.next_ready()).result())
                for result in results:
                    yield result
                if error is not None:
                    raise error
        finally:
            error = None  # else its traceback would keep this frame alive
            self.mapping.cancel()

    async def submit_more(self) -> None:
        """Submit chunks as long as resources are free and no other coroutine searches for one. Wait
        for one if no chunk is in flight."""
        searched = getattr(self.policy, "_searched_policy", self.policy)
        line = _search.line_of(searched, suspension())
        while len(self.pending) < self.in_flight:
            self.held = self.held or self.mapping.next_items()
            if not self.held:
                return
            submission = _search.find_now(
                line, lambda: self.policy._try_run(self.mapping.chunk, self.held)
            )
            if submission is None:
                if self.pending:
                    return
                submission = await self.policy.run_async(self.mapping.chunk, self.held)
            self.held = []
            self.pending.append(submission)
            submission.add_done_callback(lambda _submission: self.resume())

    async def next_ready(self) -> Submission:
        """Take the next chunk that is complete; meanwhile submit others."""
        while True:
            suspended = suspension()
            self.resume = suspended.resume
            for each in self.pending if not self.ordered else (self.pending[0],):
                if each.done():
                    suspended.resume()
                    await Pause(suspended)  # other coroutines may run after each chunk
                    self.pending.remove(each)
                    return each
            # Resources can also be freed by others.
            await Pause(suspended, _search.LONGEST_PAUSE if self.held else None)
            await self.submit_more()
