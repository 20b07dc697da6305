# SPDX-License-Identifier: Apache-2.0
# Futures that cancel and wait as concurrent.futures does, also under Ctrl-C.
"""The executor that ``policy.as_executor()`` returns, for example for asyncio's
``run_in_executor``, for ``dask.compute(..., scheduler=executor)`` and, through
``pointsman.joblib_backend``, for joblib."""

from __future__ import annotations

import atexit
import contextlib
import functools
import itertools
import math
import os
import threading
import time
import weakref
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError, Executor, Future, InvalidStateError
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from pointsman._concurrency import threads_of
from pointsman._late_starts import LateStarts
from pointsman._recovering_submission import RecoveringSubmission
from pointsman._recovery import RecoveringPolicy
from pointsman._suspension import is_in_event_loop
from pointsman.error import SubmitTimeoutError

if TYPE_CHECKING:
    from pointsman._core import Submission, _Policy
    from pointsman._policy import P, Policy

T = TypeVar("T")

# Ctrl-C raises KeyboardInterrupt in the main thread between any two steps of Python code, even in
# the handler of an earlier one. So steps that must not be separated happen within one C function,
# a lock is held by a `with` that takes and releases it in C, and waiting for a call repeats the
# steps that Ctrl-C skipped.

# The calls of all executors that are not finished: a future can outlive its executor.
_open_calls: set[_Call] = set()  # iterate over a copy: other threads change it
_executors: weakref.WeakSet[PolicyExecutor] = weakref.WeakSet()
_is_exiting = False
_CHECK_SECONDS = 0.05  # between two checks whether a call without a resource was cancelled
_LONG_SECONDS = 1e8  # a wait with a timeout does not run the work in the waiting thread


class _ThisThread(threading.local):
    calls: tuple[_Call, ...] = ()  # which this thread runs, or whose futures it completes


_this_thread = _ThisThread()


def is_in_call() -> bool:
    """Return True if this thread runs a call of an executor."""
    return bool(_this_thread.calls)


class _Condition(threading.Condition):
    """A condition that Ctrl-C cannot leave locked: unlike in threading's, no Python step follows
    the one that takes the lock."""

    __enter__ = property(lambda self: self._lock.__enter__)  # type: ignore[assignment]
    __exit__ = property(lambda self: self._lock.__exit__)  # type: ignore[assignment]


class PolicyFuture(Future):  # type: ignore[type-arg]
    """A ``concurrent.futures.Future`` of a submission; cancelling it frees the resource.

    If a function on an arena waits for this future without a timeout, and its call has not begun,
    the waiting thread runs the call.
    """

    def __init__(self) -> None:
        super().__init__()
        self._condition = _Condition()
        self._started: list[Submission] = []
        self._late_start: threading.Event | None = None  # if another thread starts the call

    @property
    def submission(self) -> Submission | None:
        """The submission of the call; None until the policy has chosen a resource."""
        return next(iter(self._started), None)

    def cancel(self) -> bool:
        """Drop a call that has not begun; return True if it was dropped."""
        is_cancelled = super().cancel()
        submission = self.submission
        if is_cancelled and submission is not None:
            submission.cancel()
        return is_cancelled

    def result(self, timeout: float | None = None) -> Any:
        """Wait for the call and return its value, or raise its exception."""
        try:
            self._help(timeout)
            return super().result(timeout)
        finally:
            self = None  # type: ignore[assignment]  # else the traceback would keep it alive

    def exception(self, timeout: float | None = None) -> BaseException | None:
        """Wait for the call and return its exception, or None."""
        self._help(timeout)
        return super().exception(timeout)

    def _help(self, timeout: float | None) -> None:
        if timeout is not None or self.done():
            return
        if self._late_start is not None:
            self._late_start.wait()
        submission = self.submission
        if submission is not None and isinstance(submission, RecoveringSubmission):
            submission.wait()  # runs each attempt here
        elif submission is not None:
            submission._help()

    def __reduce__(self) -> NoReturn:
        raise TypeError("a future cannot be pickled: pass its result() instead")


class _Call:
    """The callable that a resource runs for a future; in another process, only the function."""

    __slots__ = (
        "__wrapped__",
        "args",
        "began",
        "executor",
        "future",
        "is_watched",
        "kwargs",
    )

    def __init__(
        self,
        executor: PolicyExecutor,
        fn: Callable[..., Any],
        args: Any,
        kwargs: dict[str, Any],
    ) -> None:
        self.__wrapped__ = fn  # policies identify the task by it
        self.executor = executor
        self.future = PolicyFuture()
        self.args = args
        self.kwargs = kwargs
        self.began = False
        self.is_watched = False

    def __reduce__(self) -> Any:
        return functools.partial, (self.__wrapped__,)

    @property
    def __pointsman_size__(self) -> Any:
        return getattr(self.__wrapped__, "__pointsman_size__", None)

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        if self.executor._may_run_again:
            return self.run_once_more(*args, **kwargs)
        self.began = True
        if not self.future.set_running_or_notify_cancel():
            return None
        self._within(self._run, *args, **kwargs)
        return None

    def _run(self, /, *args: Any, **kwargs: Any) -> None:
        try:
            result = self.__wrapped__(*args, **kwargs)
        except BaseException as error:
            self.future.set_exception(error)
            _open_calls.discard(self)
            # Else the traceback would keep them alive.
            self = args = kwargs = None  # type: ignore[assignment]
        else:
            self.future.set_result(result)
            _open_calls.discard(self)

    def run_once_more(self, /, *args: Any, **kwargs: Any) -> Any:
        """Return the result, or raise. The end of the submission completes the future."""
        if not self.future.running() and not self.future.set_running_or_notify_cancel():
            return None
        return self._within(self.__wrapped__, *args, **kwargs)

    def start_by(self, run: Callable[..., Any]) -> Iterator[Any]:
        """Return an iterator that calls ``run``, once, with the arguments, for rules and keys."""
        return itertools.starmap(functools.partial(run, **self.kwargs), ((self, *self.args),))

    def _within(self, step: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Return the result of a step of this call, in which no shutdown waits for the call."""
        outer = _this_thread.calls
        _this_thread.calls = (*outer, self)
        try:
            return step(*args, **kwargs)
        finally:
            _this_thread.calls = outer

    def watch(self) -> None:
        """Make the future complete with the submission; further calls change nothing."""
        submission = self.future._started[0]
        submission._ignore_failure()  # the future has it; Python's futures log none
        if not self.is_watched:
            submission.add_done_callback(self.ended)
            self.is_watched = True
        if self.future.cancelled():
            submission.cancel()

    def ended(self, submission: Submission) -> None:
        """Complete the future of a completed submission, whether or not the call ran here."""
        if not self.began or self.future.cancelled():
            self._within(_hand_over, submission, self.future)
        elif not self.future.done():
            self._within(self.broken_off, submission)
        if self.future.done():
            _open_calls.discard(self)

    def broken_off(self, submission: Submission) -> None:
        """Give the future the error of a submission that Ctrl-C interrupted before or after the
        function. Without an error, the call still runs, on a resource that does not report its end.
        """
        try:
            submission.result()
        except BaseException as error:
            _settle(self.future.set_exception, error)

    def wait(self) -> None:
        """Block until the call is finished or has been cancelled."""
        if self.future.submission is None:
            self.executor._late_starts.join()
        submission = self.future.submission
        if submission is None:  # Ctrl-C came before the call was started
            _open_calls.discard(self)
            return
        self.watch()
        if self.future.cancelled():
            return
        submission._help()
        while not submission.wait(_LONG_SECONDS):
            pass
        self.ended(submission)
        with contextlib.suppress(CancelledError):  # cancelled meanwhile
            Future.exception(self.future)


def _hand_over(submission: Submission, future: PolicyFuture) -> None:
    """Give ``future`` the outcome of a call that ran in another process, or did not run."""
    if not future.cancelled():
        try:
            _settle(future.set_result, submission.result())
            return
        except CancelledError as error:
            if not Future.cancel(future):  # the call has begun
                _settle(future.set_exception, error)
        except BaseException as error:
            _settle(future.set_exception, error)
            return
    _notify_of_cancellation(future)


def _notify_of_cancellation(future: PolicyFuture) -> None:
    with future._condition:
        if future._state == "CANCELLED":  # and `as_completed` and `wait` are not notified yet
            future.set_running_or_notify_cancel()


def _settle(setter: Callable[[Any], None], outcome: Any) -> None:
    try:
        setter(outcome)
    except InvalidStateError:  # cancelled meanwhile
        pass


class PolicyExecutor(Executor):
    """Runs each call on the resource that ``policy`` chooses for it, as ``policy.run`` does.

    It behaves as ``ThreadPoolExecutor`` does, including ``shutdown(cancel_futures=True)``, but has
    no threads of its own and so no ``initializer``, thread names or count of idle threads. While no
    resource is free, ``submit`` waits; in the thread of an event loop it returns at once, and
    another thread waits. The resources belong to the policy and remain usable after a shutdown. May
    be used from any thread.

    searched: the policy that ``policy`` wraps, if it wraps one. Ctrl-C cannot interrupt the methods
        of a provided policy.
    timeout: seconds that a call may wait for a free resource; None for no limit.
    """

    def __init__(
        self,
        policy: Policy,
        searched: _Policy | None = None,
        timeout: float | None = None,
    ) -> None:
        self._policy = policy
        self._searched: Any = policy if searched is None else searched
        self._timeout = timeout
        self._may_run_again = isinstance(self._searched, RecoveringPolicy)
        self._run: Callable[..., Submission] = (
            self._searched.run
            if timeout is None
            else functools.partial(self._searched._run_within, timeout)
        )
        self._late_starts = LateStarts()
        self._is_shut_down = False
        self._cancels = False
        self._begin()
        _executors.add(self)

    @property
    def _max_workers(self) -> int:
        """The number of calls that can run at a time; dask reads it."""
        return threads_of(self._policy)

    def __repr__(self) -> str:
        return f"{self._policy!r}.as_executor()"

    def __reduce__(self) -> NoReturn:
        raise TypeError(
            "an executor cannot be pickled: its resources belong to this process. Make one in the "
            "other process, with policy.as_executor()"
        )

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Run ``fn(*args, **kwargs)`` on a resource; return a ``concurrent.futures.Future``.

        Raises RuntimeError after a shutdown, and once the interpreter shuts down;
        UnsuitableResourcesError (a TypeError) if no resource can run functions;
        SubmitTimeoutError (a TimeoutError) if no resource becomes free within the policy's timeout;
        in the thread of an event loop, the future raises it instead.
        """
        call = _Call(self, fn, args, kwargs)
        future = call.future
        with self._gate():
            self._check_open()
            _open_calls.add(call)
            try:
                if is_in_event_loop() and hasattr(self._searched, "_try_run"):
                    self._start_without_waiting(call)
                else:
                    future._started.extend(call.start_by(self._run))
                    self._check_started(future)
            finally:
                if not (future._started or future._late_start):
                    _open_calls.discard(call)
        if future._late_start is None:
            call.watch()
        if self._cancels:
            future.cancel()
        return future

    def _start_without_waiting(self, call: _Call) -> None:
        """Start a call if a resource is free; otherwise let another thread start it."""
        started: list[Submission | None] = call.future._started  # type: ignore[assignment]
        if self._late_starts.is_busy():
            started.append(None)
        else:
            started.extend(call.start_by(self._searched._try_run))
            self._check_started(call.future)
        if started == [None]:
            started.clear()
            deadline = None if self._timeout is None else time.monotonic() + self._timeout
            call.future._late_start = threading.Event()
            try:
                self._late_starts.add(functools.partial(self._start_late, call, deadline))
            except BaseException:
                call.future._late_start = None
                raise

    def _start_late(self, call: _Call, deadline: float | None) -> None:
        """Wait for a free resource and start the call there, unless it is cancelled."""
        future = call.future
        try:
            while not (future._started or future.cancelled()):
                left = math.inf if deadline is None else max(deadline - time.monotonic(), 0.0)
                seconds = min(left, _CHECK_SECONDS)
                try:
                    run = functools.partial(self._searched._run_within, seconds)
                    future._started.extend(call.start_by(run))
                    self._check_started(future)
                except SubmitTimeoutError:
                    if left <= seconds:
                        raise
            if future._started:
                call.watch()
        except BaseException as error:
            _settle(future.set_exception, error)
        finally:
            if not future._started:
                _notify_of_cancellation(future)
                _open_calls.discard(call)
            future._late_start.set()  # type: ignore[union-attr]

    def _check_started(self, future: PolicyFuture) -> None:
        """Raise if `extend` has taken a StopIteration of the rule for the end of what it reads."""
        if not future._started:
            raise RuntimeError(
                f"{self._policy!r} has placed no call, as its rule has raised StopIteration: "
                "return None for no resource, or raise another error"
            )

    def _check_open(self) -> None:
        if self._is_shut_down:
            raise RuntimeError("cannot schedule new futures after shutdown")
        if _is_exiting:
            raise RuntimeError("cannot schedule new futures after interpreter shutdown")

    def _gate(self) -> Any:
        """Return the lock that this thread holds while it starts a call."""
        try:
            return self._of_thread.gate
        except AttributeError:
            gate = threading.RLock()
            with self._lock:
                self._gates.add(gate)
            self._of_thread.gate = gate
            return gate

    def _begin(self) -> None:
        """Make the locks; again in a forked child, which lacks the threads that hold them."""
        self._lock = threading.Lock()
        self._gates: weakref.WeakSet[Any] = weakref.WeakSet()
        self._of_thread = threading.local()

    def _wait_for_starts(self) -> None:
        """Block until no other thread is starting a call. All open calls have then been started."""
        with self._lock:
            gates = list(self._gates)
        for gate in gates:
            with gate:
                pass

    def _open(self) -> list[_Call]:
        return [call for call in _open_calls.copy() if call.executor is self]

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Stop accepting calls.

        wait: block until all calls are finished. Raises RuntimeError if a call or a done callback
            of this executor asks for it, since the call would wait for itself.
        cancel_futures: drop calls that have not begun.
        """
        self._cancels = self._cancels or cancel_futures
        self._is_shut_down = True
        if cancel_futures:
            for call in self._open():
                call.future.cancel()
        if wait:
            if any(call.executor is self for call in _this_thread.calls):
                raise RuntimeError(
                    "a call of this executor cannot wait for itself: pass shutdown(wait=False), or "
                    "shut the executor down outside of its calls and of their done callbacks"
                )
            self._wait_for_starts()
            _wait_for(self._open())


def _wait_for(calls: Iterable[_Call]) -> None:
    # Started calls first: a call that is not started may need the resource of one of them.
    for call in sorted(calls, key=lambda call: call.future.submission is None):
        call.wait()


def _end() -> None:
    """Run submitted calls before the exit, as the executors of concurrent.futures do."""
    global _is_exiting
    _is_exiting = True
    _wait_for(_open_calls.copy())


def _forget_calls() -> None:
    """In a forked child, which lacks the threads that start calls and run them."""
    _open_calls.clear()
    for executor in _executors:
        executor._begin()


try:
    threading._register_atexit(_end)  # type: ignore[attr-defined]
except RuntimeError:  # the interpreter is already shutting down
    _is_exiting = True
atexit.register(_end)  # for calls submitted by threads that have ended since
os.register_at_fork(after_in_child=_forget_calls)
