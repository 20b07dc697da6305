# SPDX-License-Identifier: Apache-2.0
# While other jobs run, no thread waits for a resource: the thread may hold a lock of joblib.
"""Runs joblib's batches as calls of a policy's executor."""

from __future__ import annotations

import functools
import multiprocessing
import threading
from collections import deque
from collections.abc import Callable
from concurrent import futures
from typing import TYPE_CHECKING, Any

from joblib import register_parallel_backend
from joblib._parallel_backends import (
    AutoBatchingMixin,
    FallbackToBackend,
    ParallelBackendBase,
    SequentialBackend,
    ThreadingBackend,
)

from pointsman._concurrency import threads_of
from pointsman._late_starts import LateStarts
from pointsman._policy_executor import is_in_call
from pointsman._suspension import is_in_event_loop
from pointsman.error import SubmitTimeoutError, WaitTimeoutError

if TYPE_CHECKING:
    from pointsman._core import _Policy
    from pointsman._options import PolicyWithOptions


def register(policy: _Policy | PolicyWithOptions, name: str = "pointsman") -> None:
    """Register ``policy`` as a parallel backend of joblib: ``joblib.parallel_backend(name)`` then
    runs calls on its resources, which share memory with the program.

    At most ``n_jobs`` calls run at a time; by default as many as the resources have threads. A
    ``Parallel`` nested in a call runs on joblib's own threads, because the outer call occupies its
    resource meanwhile; a ``Parallel`` nested deeper runs its calls sequentially.
    """
    register_parallel_backend(name, lambda **options: _Backend(policy, **options))


class _JobTimeoutError(WaitTimeoutError, multiprocessing.TimeoutError):
    """A timeout that users can catch as joblib's error and as pointsman's."""


class _Job(futures.Future):  # type: ignore[type-arg]
    """A batch of joblib's calls."""

    def __init__(self, batch: Callable[[], Any]) -> None:
        super().__init__()
        self.batch = batch

    def get(self, timeout: float | None = None) -> Any:
        """Return the result; joblib calls it by this name."""
        try:
            return self.result(timeout)
        except futures.TimeoutError:
            if self.done():  # the batch raised it
                raise
        raise _JobTimeoutError(
            f"a call was not finished within {timeout} s: raise Parallel's timeout, or leave it out"
        )

    def end_as(self, call: futures.Future[Any]) -> None:
        """Take over the outcome of the call that ran the batch."""
        if call.cancelled():
            self.cancel()
        elif (error := call.exception()) is not None:
            self.set_exception(error)
        else:
            self.set_result(call.result())


class _Jobs:
    """Runs at most ``limit`` jobs at a time on a policy. While other jobs run, no thread waits for
    a resource: the thread may hold a lock of joblib that the running jobs need to finish."""

    def __init__(self, policy: _Policy | PolicyWithOptions, limit: int) -> None:
        self._waits_for_resource = policy.as_executor()
        self._looks_once = policy.with_options(timeout=0).as_executor()
        self._late_starts = LateStarts()
        self._limit = limit
        self._lock = threading.Lock()
        self._waiting: deque[_Job] = deque()
        self._running = 0
        self._of_thread = threading.local()

    def submit(self, job: _Job) -> None:
        """Start a job now, or when a running job has finished."""
        with self._lock:
            if self._running >= self._limit:
                self._waiting.append(job)
                return
            self._running += 1
        try:
            self._start(job)
        except BaseException:
            self._start_next()
            raise

    def abort(self) -> None:
        """Drop jobs that have not begun."""
        self._waiting.clear()
        for executor in (self._looks_once, self._waits_for_resource):
            executor.shutdown(wait=False, cancel_futures=True)

    def _start(self, job: _Job) -> None:
        """Start a job. In the thread of an event loop, where executors return calls for which they
        have no resource yet, let another thread start it."""
        if is_in_event_loop():
            self._late_starts.add(functools.partial(self._start_late, job))
        else:
            self._start_here(job)

    def _start_late(self, job: _Job) -> None:
        if not self._is_started(job):
            self._start_next()

    def _start_here(self, job: _Job) -> None:
        try:
            call = self._looks_once.submit(job.batch)
        except SubmitTimeoutError:
            if self._is_put_off(job):
                return
            call = self._waits_for_resource.submit(job.batch)
        # The submission completes after the future, and after the resource is free.
        call.submission.add_done_callback(  # type: ignore[attr-defined]
            lambda _: self._ended(job, call)
        )

    def _is_put_off(self, job: _Job) -> bool:
        """Queue the job until another finishes; return False if no other runs."""
        with self._lock:
            if self._running == 1:
                return False
            self._running -= 1
            self._waiting.appendleft(job)
            return True

    def _start_next(self) -> None:
        """Start a waiting job in place of one that has finished."""
        while True:
            with self._lock:
                if not self._waiting:
                    self._running -= 1
                    return
                job = self._waiting.popleft()
            if self._is_started(job):
                return

    def _is_started(self, job: _Job) -> bool:
        """Start a job; if that fails, end it with the error and return False."""
        try:
            self._start(job)
        except BaseException as error:
            job.set_exception(error)
            return False
        return True

    def _ended(self, job: _Job, call: futures.Future[Any]) -> None:
        """Report finished jobs one at a time per thread: notifying joblib can start the next job,
        which can finish at once and would otherwise be reported by a nested call."""
        steps = [self._start_next, functools.partial(job.end_as, call)]
        if (ahead := getattr(self._of_thread, "steps", None)) is not None:
            ahead.extend(steps)
            return
        self._of_thread.steps = ahead = deque(steps)
        try:
            while ahead:
                ahead.popleft()()
        finally:
            self._of_thread.steps = None


class _Backend(AutoBatchingMixin, ParallelBackendBase):  # type: ignore[misc]
    """Runs joblib's batches as calls of an executor."""

    default_n_jobs = -1
    supports_timeout = True
    supports_retrieve_callback = True
    supports_sharedmem = True
    uses_threads = True

    def __init__(self, policy: _Policy | PolicyWithOptions, **options: Any) -> None:
        super().__init__(**options)
        self._policy = policy
        self._jobs: _Jobs | None = None

    def configure(self, n_jobs: int = 1, parallel: Any = None, **_options: Any) -> int:
        jobs = self.effective_n_jobs(n_jobs)
        level = self.nesting_level or 0
        if jobs == 1 or level > 1:
            raise FallbackToBackend(SequentialBackend(nesting_level=self.nesting_level))
        if is_in_call():
            raise FallbackToBackend(ThreadingBackend(nesting_level=self.nesting_level))
        self.parallel = parallel
        self._jobs = _Jobs(self._policy, jobs)
        return jobs

    def effective_n_jobs(self, n_jobs: int | None) -> int:
        threads = threads_of(self._policy)
        if n_jobs == 0:
            raise ValueError(
                "n_jobs == 0 in Parallel has no meaning: pass the number of jobs, or -1 for "
                "all threads"
            )
        if n_jobs is None or n_jobs < 0:
            return max(threads + 1 + n_jobs if n_jobs is not None else threads, 1)
        return n_jobs

    def submit(
        self, func: Callable[[], Any], callback: Callable[[Any], None] | None = None
    ) -> _Job:
        job = _Job(func)
        if callback is not None:
            job.add_done_callback(callback)
        assert self._jobs is not None
        self._jobs.submit(job)
        return job

    apply_async = submit  # its name before joblib 1.5

    def retrieve_result_callback(self, job: _Job) -> Any:
        return job.result()

    def abort_everything(self, ensure_ready: bool = True) -> None:
        if self._jobs is not None:
            self._jobs.abort()
        if ensure_ready:
            self._jobs = _Jobs(self._policy, self.effective_n_jobs(self.parallel.n_jobs))
