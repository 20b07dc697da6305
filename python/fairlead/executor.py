# SPDX-License-Identifier: Apache-2.0
# A policy as an executor of concurrent.futures.
"""``policy.as_executor()``: everything that takes an executor can use a policy::

    with fl.DynamicLoad().as_executor() as executor:
        print(executor.submit(pow, 2, 5).result())  # 32

asyncio's ``run_in_executor``, ``dask.compute(..., scheduler=executor)`` and, by
``fairlead.joblib_backend``, joblib among them.
"""

from __future__ import annotations

import atexit
import functools
import threading
from collections.abc import Callable
from concurrent.futures import CancelledError, Executor, Future, InvalidStateError, wait
from typing import TYPE_CHECKING, Any, TypeVar, cast

from fairlead import verbs

if TYPE_CHECKING:
    from fairlead._core import Policy, Submission
    from fairlead.options import PolicyWithOptions

T = TypeVar("T")

# Those of all executors, for the end of the process: a future outlives its executor.
_outstanding: set[PolicyFuture] = set()


@atexit.register
def _wait_for_outstanding() -> None:
    """As with the executors of concurrent.futures, what was submitted runs before the exit."""
    wait(list(_outstanding))


class PolicyFuture(Future):  # type: ignore[type-arg]
    """A ``Future`` of concurrent.futures for a submission; cancelling it frees the resource."""

    submission: Submission | None = None

    def cancel(self) -> bool:
        """Drop a call that has not begun; return whether it was dropped."""
        is_cancelled = super().cancel()
        if is_cancelled and self.submission is not None:
            self.submission.cancel()
        return is_cancelled


class _Call:
    """What a resource runs for a future. In another process it is the function alone."""

    __slots__ = ("__wrapped__", "args", "began", "future", "kwargs")

    def __init__(
        self, future: PolicyFuture, fn: Callable[..., Any], args: Any, kwargs: dict[str, Any]
    ) -> None:
        self.__wrapped__ = fn  # by which policies know the task
        self.future = future
        self.args = args
        self.kwargs = kwargs
        self.began = False

    def __reduce__(self) -> Any:
        return _bind, (self.__wrapped__, self.args, self.kwargs)

    def __call__(self) -> None:
        self.began = True
        if not self.future.set_running_or_notify_cancel():
            return
        try:
            result = self.__wrapped__(*self.args, **self.kwargs)
        except BaseException as error:
            self.future.set_exception(error)
            self = None  # type: ignore[assignment]  # else the traceback would keep it alive
        else:
            self.future.set_result(result)

    def ended(self, submission: Submission) -> None:
        """The submission is over: the future is too, whether the call ran here or not."""
        if not self.began:
            _hand_over(submission, self.future)
        _outstanding.discard(self.future)


def _bind(fn: Callable[..., T], args: Any, kwargs: dict[str, Any]) -> Callable[[], T]:
    return functools.partial(fn, *args, **kwargs)


def _hand_over(submission: Submission, future: PolicyFuture) -> None:
    """Give a future the outcome of a call that did not run in this process, or not at all."""
    if future.cancelled():
        future.set_running_or_notify_cancel()
        return
    try:
        result = submission.result()
    except CancelledError:
        Future.cancel(future)
        future.set_running_or_notify_cancel()
    except BaseException as error:
        _settle(future.set_exception, error)
    else:
        _settle(future.set_result, result)


def _settle(setter: Callable[[Any], None], outcome: Any) -> None:
    try:
        setter(outcome)
    except InvalidStateError:  # cancelled in this moment
        pass


class PolicyExecutor(Executor):
    """Runs each call on the resource that ``policy`` chooses for it, as ``policy.run`` does.

    It behaves as ``ThreadPoolExecutor`` does, down to ``shutdown(cancel_futures=True)``, but for
    what belongs to threads of an executor's own: ``initializer``, thread names, a count of idle
    threads. The resources are the policy's and go on after a shutdown.
    """

    def __init__(self, policy: Policy | PolicyWithOptions) -> None:
        self._policy = policy
        self._lock = threading.Lock()
        self._is_shut_down = False
        self._pending: set[PolicyFuture] = set()

    @property
    def _max_workers(self) -> int:
        """How many calls run at a time; dask reads it."""
        return verbs.threads_of(self._policy)

    def __repr__(self) -> str:
        return f"{self._policy!r}.as_executor()"

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        """Run ``fn(*args, **kwargs)`` on a resource; return a ``concurrent.futures.Future``.

        Raises RuntimeError after a shutdown.
        """
        future = PolicyFuture()
        call = _Call(future, fn, args, kwargs)
        with self._lock:
            if self._is_shut_down:
                raise RuntimeError("cannot schedule new futures after shutdown")
            self._pending.add(future)
        _outstanding.add(future)
        try:
            submission = self._policy.run(call)
        except BaseException:
            self._pending.discard(future)
            _outstanding.discard(future)
            raise
        future.submission = submission
        submission.add_done_callback(call.ended)
        future.add_done_callback(self._forget)
        if future.cancelled():
            submission.cancel()
        return future

    def _forget(self, future: Future[Any]) -> None:
        self._pending.discard(cast(PolicyFuture, future))

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Take no more calls.

        wait: return when all calls are over.
        cancel_futures: drop those that have not begun.
        """
        with self._lock:
            self._is_shut_down = True
            pending = list(self._pending)
        if cancel_futures:
            for future in pending:
                future.cancel()
        if wait:
            _wait(pending)


_wait = wait  # the argument of shutdown has its name
