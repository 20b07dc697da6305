# SPDX-License-Identifier: Apache-2.0
# The engine calls `text_of_failure` for each failure, and counts those that are a resource's fault.
"""When a resource that fails is left out, and the health of a policy's resources."""

from __future__ import annotations

import asyncio
import concurrent.futures
import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final, Literal

from pointsman._html import html_table
from pointsman._representation import names_of, text_of, text_of_time

HealthState = Literal["healthy", "suspect", "probing", "quarantined"]

_OPENCL_MODULES: Final = ("pointsman", "pyopencl")
# OpenCL's codes for a device, context or queue that no longer works: not available, out of
# resources (NVIDIA's for a context that a kernel has broken), invalid context, invalid queue. Not
# among them: no memory for a buffer, which is no failure of the device: -4, -5 of an allocation.
_NO_MEMORY: Final = frozenset({-4, -6})  # for a buffer; on the host
_OUT_OF_RESOURCES: Final = -5
_DEVICE_IS_LOST: Final = frozenset({-2, _OUT_OF_RESOURCES, -34, -36})

_logger = logging.getLogger("pointsman")


def is_resource_failure(error: BaseException) -> bool:
    """Return True if ``error`` is the fault of the resource on which the work ran.

    These are: a broken process or thread pool; an executor that was shut down; OpenCL's errors of a
    device, context or queue that no longer works (of ``pointsman.opencl`` and of pyopencl); a lost
    worker or connection of Dask; an arena of the parent of a forked process; and every exception
    with an attribute ``is_resource_failure`` that is True. All others are the fault of the work.

    >>> pm.is_resource_failure(ValueError("no photograph"))
    False
    >>> class PrinterLostError(Exception):
    ...     is_resource_failure = True
    >>> pm.is_resource_failure(PrinterLostError())
    True
    """
    if getattr(error, "is_resource_failure", False) is True:
        return True
    if isinstance(error, concurrent.futures.BrokenExecutor):
        return True
    module = type(error).__module__.partition(".")[0]
    if module in _OPENCL_MODULES:
        return not lacks_device_memory(error) and getattr(error, "code", None) in _DEVICE_IS_LOST
    if module == "distributed":  # without importing Dask
        return type(error).__name__ in ("KilledWorker", "CommClosedError")
    return type(error) is RuntimeError and str(error).startswith(
        "cannot schedule new futures after"
    )


def lacks_device_memory(error: BaseException) -> bool:
    """Return True for an OpenCL error that means that device memory is short for now.

    Of pyopencl's -5, out of resources, only the routine that failed tells.
    """
    if type(error).__module__.partition(".")[0] not in _OPENCL_MODULES:
        return False
    code = getattr(error, "code", None)
    makes = str(getattr(error, "routine", "")).lower().removeprefix("cl").startswith("create")
    return (
        getattr(error, "is_out_of_memory", False) is True
        or code in _NO_MEMORY
        or (code == _OUT_OF_RESOURCES and makes)
    )


@dataclass(frozen=True)
class HealthSettings:
    """When a policy stops to use a resource that fails, and when it tries it again.

    failures: failures in a row, by the resource's fault, after which it is in quarantine.
    back_off: seconds for which it then gets no work. After that one task, the probe, may use it. If
    the probe does not fail, the resource is healthy again; if it fails, the next back-off is twice
    as long.
    longest_back_off: seconds that no back-off exceeds.
    jitter: part, from 0 to 1, by which a back-off may be shortened at random, so that resources
    that failed together are not tried together.
    is_resource_failure: called with an exception of the work; returns True if it is the resource's
    fault. By default ``pointsman.is_resource_failure``. An exception that is the fault of the work
    shows that the resource runs work, and counts as a success.

    The policy's ``health()`` shows the result. Values out of range raise InvalidOptionError (a
    ValueError) when a policy is made with them.

    >>> settings = pm.HealthSettings(failures=1, back_off=5)
    >>> policy = pm.DynamicLoad(["a", "b"], health=settings)
    """

    failures: int = 3
    back_off: float = 0.1
    longest_back_off: float = 60.0
    jitter: float = 0.2
    is_resource_failure: Callable[[BaseException], bool] | None = None


@dataclass(frozen=True)
class ResourceHealth:
    """What a policy knows of the health of a resource; a snapshot, made by ``policy.health()``.

    resource: the resource itself.
    state: "healthy"; "suspect" after a failure; "quarantined" after several in a row; "probing"
    while one task tries it after that.
    failures_in_a_row: failures by its fault since its last success.
    last_error: the type and message of its last failure; empty if it never failed.
    until_probe: seconds until a resource in quarantine is tried again.
    lost: what was lost when it was last put in quarantine, as its method ``after_failure(error)``
    says, if it has one; else empty.

    >>> [entry.state for entry in pm.RoundRobin(["a", "b"]).health()]
    ['healthy', 'healthy']
    """

    resource: Any
    state: HealthState
    failures_in_a_row: int
    last_error: str
    until_probe: float
    lost: str


class HealthList(list[ResourceHealth]):
    """The health of a policy's resources; a table in Jupyter."""

    def _repr_html_(self) -> str:
        names = names_of([entry.resource for entry in self])
        headings = ["resource", "state", "failures in a row", "last error", "lost"]
        rows = (
            (name, entry.state, entry.failures_in_a_row, entry.last_error, entry.lost)
            for name, entry in zip(names, self, strict=True)
        )
        return html_table("Health", headings, rows)


def reports(known: Iterable[tuple[Any, HealthState, int, str, float, str]]) -> HealthList:
    """Return what the engine knows of each resource."""
    return HealthList(ResourceHealth(*entry) for entry in known)


def text_of_failure(
    error: BaseException, is_fault: Callable[[BaseException], bool] | None
) -> str | None:
    """Return the text of a failure that is the fault of its resource, "" if it is the fault of the
    work, and None if nobody's: cancelled or interrupted work.

    is_fault: the function of the ``HealthSettings``, or None for the default.
    """
    cancelled = (concurrent.futures.CancelledError, asyncio.CancelledError)
    if isinstance(error, cancelled) or not isinstance(error, Exception):
        return None
    if not (is_fault or is_resource_failure)(error):
        return ""
    try:
        text = str(error)
    except Exception:
        text = "(its message cannot be read)"
    written = f"{type(error).__name__}: {text}"
    return written.encode("utf-8", "backslashreplace").decode()


def what_is_lost(resource: Any, error: BaseException | None) -> str:
    """Let ``resource`` drop what ``error`` may have spoiled; return what is lost, for people.

    Its method ``after_failure(error)`` does so, if it has one. An exception of that is logged.
    """
    if error is None:
        return ""
    try:
        method = getattr(resource, "after_failure", None)
        return str(method(error)) if callable(method) else ""
    except Exception:
        _logger.exception("after_failure of %s has failed", text_of(resource))
        return ""


def log_quarantine(resource: Any, text: str, lost: str) -> None:
    """Log that ``resource`` has begun to get no work because of the failure ``text``."""
    _logger.warning(
        "%s is in quarantine and gets no work: it failed with %s%s",
        text_of(resource),
        text,
        lost and f"; {lost}",
    )


def why_none(
    refused: Iterable[tuple[Any, bool, tuple[HealthState, int, str, float, str]]],
) -> str:
    """Return one line for each resource that suits a task, and why it is not used.

    Each is a resource, whether the task has failed there already, and its health.
    """
    return "".join(
        f"  {text_of(resource)}: "
        + ("has been tried for this task" if was_tried else _text_of_quarantine(*health))
        + "\n"
        for resource, was_tried, health in refused
    )


def _text_of_quarantine(
    state: HealthState, failures: int, last_error: str, until_probe: float, lost: str
) -> str:
    again = (
        "is being tried" if state == "probing" else f"tried again in {text_of_time(until_probe)}"
    )
    seen = "1 failure," if failures == 1 else f"{failures} failures in a row, the last"
    return f"{seen} {last_error}; {f'{lost}; ' if lost else ''}{again}"
