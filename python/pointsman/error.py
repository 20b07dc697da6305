# SPDX-License-Identifier: Apache-2.0
# Each exception type also derives from the built-in type that fits, so that code can catch that.
"""The exceptions of pointsman. Each one is also a built-in exception that users may catch:

Error
├── EmptyResourceSetError      ValueError     a policy was given nothing to choose from
├── ResourceIndexError         IndexError     an index names no resource of the set
├── InvalidOptionError         ValueError     an option has an unusable value
├── UnsatisfiedReportingError  RuntimeError   no resource reports the events that a policy needs
├── NotInitializedError        RuntimeError   a deferred policy was used too early
├── ForkedProcessError         RuntimeError   a forked child used threads it lacks
├── ForeignResourceError       ValueError     a rule chose a resource outside its set
├── UnsuitableResourcesError   TypeError      no resource of a policy can run the task
├── NoHealthyResourceError     RuntimeError   every suitable resource is in quarantine
├── UnknownKindError           LookupError    a frozen policy has no record of a kind of task
├── SubmitTimeoutError         TimeoutError   no resource became free in time
├── WaitTimeoutError           TimeoutError   work was not complete in time
├── TimeLimitError             TimeoutError   work took longer than its time limit
├── UnexpectedReportError      RuntimeError   an impossible event was reported
├── WorkCancelledError         CancelledError work was dropped before it began
├── TraceInProgressError       RuntimeError   a trace began while another one records
├── SeveralFailuresError       ExceptionGroup several submissions of a group failed
├── NoExecutorFitsError        RuntimeError   none of the executors of a call can be used
├── SerializationError         TypeError      work cannot be sent to a worker of a cluster
├── ClusterError               RuntimeError   a Dask cluster cannot be used
│   └── WorkerLostError                       a worker has left with work or its result
├── HistoryError               RuntimeError   a history of timings cannot be used
└── OpenCLError                RuntimeError   an OpenCL call or command failed
    └── BuildError                            a program did not compile

``NoExecutorFitsError`` is in ``pointsman.executors``, the three errors of clusters in
``pointsman.dask``. Three warnings, each a RuntimeWarning:

DriverWarning                a driver is skipped
BlockingSelectionWarning     a search for a free resource stops an event loop
HistoryWarning               a history was unusable, or could not be written at the end
"""

from collections.abc import Sequence as _Sequence
from concurrent import futures as _futures

from pointsman._exception_group import ExceptionGroup as _ExceptionGroup

__all__ = [
    "BlockingSelectionWarning",
    "BuildError",
    "DriverWarning",
    "EmptyResourceSetError",
    "Error",
    "ForeignResourceError",
    "ForkedProcessError",
    "HistoryError",
    "HistoryWarning",
    "InvalidOptionError",
    "NoHealthyResourceError",
    "NotInitializedError",
    "OpenCLError",
    "ResourceIndexError",
    "SeveralFailuresError",
    "SubmitTimeoutError",
    "TimeLimitError",
    "TraceInProgressError",
    "UnexpectedReportError",
    "UnknownKindError",
    "UnsatisfiedReportingError",
    "UnsuitableResourcesError",
    "WaitTimeoutError",
    "WorkCancelledError",
]


class Error(Exception):
    """Root of all exceptions of pointsman.

    >>> try:
    ...     pm.RoundRobin([])
    ... except pm.Error as error:
    ...     print(type(error).__name__)
    EmptyResourceSetError
    """


class EmptyResourceSetError(Error, ValueError):
    """A policy was initialised with an empty set of resources.

    >>> pm.RoundRobin([])
    Traceback (most recent call last):
        ...
    pointsman.error.EmptyResourceSetError: the set of resources is empty (size 0): ...
    >>> policy = pm.RoundRobin([pm.Arena()])
    """


class ResourceIndexError(Error, IndexError):
    """An index lies outside the set of resources.

    >>> pm.FixedResource(["a", "b"], index=2)
    Traceback (most recent call last):
        ...
    pointsman.error.ResourceIndexError: resource index 2 is outside a set of 2: ...
    >>> policy = pm.FixedResource(["a", "b"], index=1)
    """


class InvalidOptionError(Error, ValueError):
    """An option, or a setting of a resource, has a value that cannot be used.

    >>> pm.Arena(0)
    Traceback (most recent call last):
        ...
    pointsman.error.InvalidOptionError: an arena cannot have a concurrency of 0: ...
    >>> arena = pm.Arena(1)
    """


class UnsatisfiedReportingError(Error, RuntimeError):
    """No resource reports all events that the policy needs.

    >>> class Untimed(pm.Backend):
    ...     def reports(self, resource):
    ...         return {"task_submission", "task_completion"}
    >>> pm.AutoTune(backend=Untimed(["a"]))
    Traceback (most recent call last):
        ...
    pointsman.error.UnsatisfiedReportingError: none of the backend's 1 resources reports ...
    >>> policy = pm.DynamicLoad(backend=Untimed(["a"]))  # needs no times
    """


class NotInitializedError(Error, RuntimeError):
    """A policy made with ``deferred_initialization`` was used before ``initialize``.

    >>> policy = pm.RoundRobin(pm.deferred_initialization)
    >>> policy.submit(lambda resource: resource)
    Traceback (most recent call last):
        ...
    pointsman.error.NotInitializedError: the policy has no resources yet: ...
    >>> policy.initialize(["a", "b"])
    >>> policy.submit_and_wait(lambda resource: resource)
    'a'
    """


class ForkedProcessError(Error, RuntimeError):
    """A forked child used an object of its parent that needs threads, which the child lacks.

    Spawned workers have threads of their own:

    >>> import multiprocessing
    >>> from concurrent.futures import ProcessPoolExecutor
    >>> workers = ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn"))
    >>> workers.shutdown()
    """

    is_resource_failure = True


class ForeignResourceError(Error, ValueError):
    """A policy's ``try_select`` returned an object that is not one of the policy's resources.

    >>> class Copying(pm.PolicyBase):
    ...     def try_select(self, work, *args, **kwargs):
    ...         return "a copy"  # return self.get_resources()[0] instead
    >>> Copying(["a", "b"]).submit(lambda resource: resource)
    Traceback (most recent call last):
        ...
    pointsman.error.ForeignResourceError: try_select returned 'a copy', which is not in ...
    """


class UnsuitableResourcesError(Error, RuntimeError, TypeError):
    """A policy has no resource that can run the task.

    >>> pm.RoundRobin(["a"]).run(pow, 2, 3)
    Traceback (most recent call last):
        ...
    pointsman.error.UnsuitableResourcesError: 'a' cannot run functions: use arenas, ...
    >>> pm.RoundRobin([pm.Arena(1)]).run(pow, 2, 3).result()
    8
    """


class NoHealthyResourceError(Error, RuntimeError):
    """Every resource that can run the task is in quarantine; the message tells why.

    >>> from concurrent.futures import ThreadPoolExecutor
    >>> pool = ThreadPoolExecutor(1)
    >>> pool.shutdown()
    >>> policy = pm.RoundRobin([pool], health=pm.HealthSettings(failures=1, back_off=60))
    >>> policy.run(pow, 2, 10)
    Traceback (most recent call last):
        ...
    RuntimeError: cannot schedule new futures after shutdown
    >>> policy.run(pow, 2, 10)
    Traceback (most recent call last):
        ...
    pointsman.error.NoHealthyResourceError: no resource is healthy:...
    """


class UnknownKindError(Error, LookupError):
    """A policy with ``mode="frozen"`` knows nothing of this kind of task; it was not run.

    >>> pm.AutoTune([pm.Arena(1)], mode="frozen").run(pow, 2, 3)
    Traceback (most recent call last):
        ...
    pointsman.error.UnknownKindError: there is no record of the kind of task...
    >>> pm.AutoTune([pm.Arena(1)], mode="frozen", default=0).run(pow, 2, 3).result()
    8
    """


class SubmitTimeoutError(Error, TimeoutError):
    """No resource became free within the timeout; the callable was not called.

    >>> policy = pm.Token(["license"])
    >>> selection = policy.select()  # holds the only token
    >>> policy.with_options(timeout=0).submit(lambda resource: resource)
    Traceback (most recent call last):
        ...
    pointsman.error.SubmitTimeoutError: no resource became free within the timeout: ...
    >>> del selection
    >>> policy.with_options(timeout=1.0).submit(lambda resource: resource).result()
    'license'
    """

    def __init__(
        self,
        message: str = "no resource became free within the timeout: raise the timeout of "
        "with_options(), or add resources",
    ) -> None:
        super().__init__(message)


class WaitTimeoutError(Error, TimeoutError):
    """Work was not complete within the timeout of a wait; the work continues.

    >>> from concurrent.futures import Future
    >>> future = Future()
    >>> submission = pm.RoundRobin(["a"]).submit(lambda resource: future)
    >>> submission.result(timeout=0)
    Traceback (most recent call last):
        ...
    pointsman.error.WaitTimeoutError: the work was not complete within 0 s: ...
    >>> future.set_result("late")
    >>> submission.result(timeout=60)
    'late'
    """


class TimeLimitError(Error, TimeoutError):
    """Work took longer than the ``time_limit`` of its submission, and was asked to stop.

    >>> from concurrent.futures import Future
    >>> policy = pm.RoundRobin(["a"]).with_options(time_limit=0.01)
    >>> policy.submit(lambda resource: Future()).result()
    Traceback (most recent call last):
        ...
    pointsman.error.TimeLimitError: the work had not begun on 'a' within 0.01 s: ...
    """


class UnexpectedReportError(Error, RuntimeError):
    """An event was reported to a selection for which it cannot have occurred.

    >>> selection = pm.DynamicLoad(["a"]).select()
    >>> selection.report("task_completion")
    >>> selection.report("task_completion")
    Traceback (most recent call last):
        ...
    pointsman.error.UnexpectedReportError: task_completion was reported for a selection ...
    """


class WorkCancelledError(Error, _futures.CancelledError):
    """The work was cancelled before it began. Also a ``concurrent.futures.CancelledError``.

    >>> import threading
    >>> began, go_on = threading.Event(), threading.Event()
    >>> arena = pm.Arena(1)
    >>> first = arena.run(lambda: (began.set(), go_on.wait()))
    >>> second = began.wait() and arena.run(pow, 2, 3)  # waits for the arena's only thread
    >>> second.cancel()
    True
    >>> second.result()
    Traceback (most recent call last):
        ...
    pointsman.error.WorkCancelledError: ...
    >>> go_on.set()
    """


class TraceInProgressError(Error, RuntimeError):
    """A trace began while another one records.

    >>> with pm.trace():
    ...     with pm.trace():
    ...         pass
    Traceback (most recent call last):
        ...
    pointsman.error.TraceInProgressError: a trace is being recorded already, ...
    """


class HistoryError(Error, RuntimeError):
    """A history of timings cannot be read or written, or pointsman was built without SQLite.

    >>> pm.History("/proc/timings.db")
    Traceback (most recent call last):
        ...
    pointsman.error.HistoryError: the history of timings failed: ...
    """


class SeveralFailuresError(Error, _ExceptionGroup):
    """Several submissions of a policy failed; ``exceptions`` has their exceptions in order.

    An ``ExceptionGroup`` from Python 3.11 on, so that ``except*`` selects among them.

    >>> policy = pm.RoundRobin([pm.Arena(1)])
    >>> submissions = [policy.run(int, text) for text in ("one", "2", "three")]
    >>> try:
    ...     policy.submission_group().wait(raise_errors=True)
    ... except pm.SeveralFailuresError as error:
    ...     print([type(each).__name__ for each in error.exceptions])
    ['ValueError', 'ValueError']
    """

    def derive(self, exceptions: _Sequence[Exception], /) -> "SeveralFailuresError":
        """Return a group of some of the exceptions, for ``except*``."""
        return SeveralFailuresError(self.message, exceptions)


class OpenCLError(Error, RuntimeError):
    """An OpenCL call or command failed; the message names the OpenCL error.

    ``code`` is the number of that error, such as -30 for CL_INVALID_VALUE. ``is_out_of_memory`` is
    True if there was no memory for a buffer, which is not counted as a failure of the device.

    >>> program = pm.opencl.Queue().build("kernel void clear(global float* x) { x[0] = 0; }")
    >>> try:
    ...     program.kernel("clean")
    ... except pm.OpenCLError as error:
    ...     print(error.code, "clear" in str(error))  # the message lists the program's kernels
    -46 True
    """

    code: int
    is_out_of_memory: bool = False


class BuildError(OpenCLError):
    """An OpenCL program did not compile; ``log`` and the message hold the compiler's output.

    >>> try:
    ...     pm.opencl.Queue().build("kernel void clear(global float* x) { y[0] = 0; }")
    ... except pm.BuildError as error:
    ...     print("'y'" in error.log)
    True
    """

    log: str


class DriverWarning(RuntimeWarning):
    """An installed OpenCL driver cannot be loaded or cannot list its devices; others are used.

    Where the broken driver is known and does not matter:

    >>> import warnings
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore", pm.DriverWarning)
    ...     resources = pm.discover()
    """


class BlockingSelectionWarning(RuntimeWarning):
    """A submission has to wait for a free resource in the thread of an event loop, which stops.

    In a coroutine, await ``submit_async`` instead of calling ``submit``:

    >>> import asyncio
    >>> policy = pm.Token(["license"])
    >>> async def use():
    ...     submission = await policy.submit_async(lambda resource: f"used the {resource}")
    ...     return await submission
    >>> asyncio.run(use())
    'used the license'
    """


class HistoryWarning(RuntimeWarning):
    """The file of a ``History`` was unusable and a new one begun, or it could not be written when a
    policy was deleted or the process ended.

    >>> import pathlib, tempfile, warnings
    >>> path = pathlib.Path(tempfile.mkdtemp(), "timings.db")
    >>> _ = path.write_text("no history")
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     history = pm.History(path)
    >>> caught[0].category is pm.HistoryWarning, history.set_aside == f"{path}.set-aside"
    (True, True)
    """
