# SPDX-License-Identifier: Apache-2.0
# Each exception type also derives from the built-in type that fits, so that code can catch that.
"""The exceptions of pointsman. Each one is also a built-in exception that users may catch::

Error
├── EmptyResourceSetError      ValueError     a policy was given nothing to choose from
├── ResourceIndexError         IndexError     an index names no resource of the set
├── InvalidOptionError         ValueError     an option has an unusable value
├── UnsatisfiedReportingError  RuntimeError   no resource reports the events that a policy needs
├── NotInitializedError        RuntimeError   a deferred policy was used too early
├── ForkedProcessError         RuntimeError   a forked child used threads it lacks
├── ForeignResourceError       ValueError     a rule chose a resource outside its set
├── UnsuitableResourcesError   TypeError      no resource of a policy can run the task
├── SubmitTimeoutError         TimeoutError   no resource became free in time
├── WaitTimeoutError           TimeoutError   work was not complete in time
├── UnexpectedReportError      RuntimeError   an impossible event was reported
├── WorkCancelledError         CancelledError work was dropped before it began
└── OpenCLError                RuntimeError   an OpenCL call or command failed
    └── BuildError                            a program did not compile

Two warnings, both of them a RuntimeWarning::

DriverWarning                a driver is skipped
BlockingSelectionWarning     a search for a free resource stops an event loop
"""

from concurrent import futures as _futures

__all__ = [
    "BlockingSelectionWarning",
    "BuildError",
    "DriverWarning",
    "EmptyResourceSetError",
    "Error",
    "ForeignResourceError",
    "ForkedProcessError",
    "InvalidOptionError",
    "NotInitializedError",
    "OpenCLError",
    "ResourceIndexError",
    "SubmitTimeoutError",
    "UnexpectedReportError",
    "UnsatisfiedReportingError",
    "UnsuitableResourcesError",
    "WaitTimeoutError",
    "WorkCancelledError",
]


class Error(Exception):
    """Root of all exceptions of pointsman."""


class EmptyResourceSetError(Error, ValueError):
    """A policy was initialised with an empty set of resources."""


class ResourceIndexError(Error, IndexError):
    """An index lies outside the set of resources."""


class InvalidOptionError(Error, ValueError):
    """An option, or a setting of a resource, has a value that cannot be used."""


class UnsatisfiedReportingError(Error, RuntimeError):
    """No resource reports all events that the policy needs."""


class NotInitializedError(Error, RuntimeError):
    """A policy made with ``deferred_initialization`` was used before ``initialize``."""


class ForkedProcessError(Error, RuntimeError):
    """A forked child used an object of its parent that needs threads, which the child lacks."""


class ForeignResourceError(Error, ValueError):
    """A policy's ``try_select`` returned an object that is not one of the policy's resources."""


class UnsuitableResourcesError(Error, RuntimeError, TypeError):
    """A policy has no resource that can run the task."""


class SubmitTimeoutError(Error, TimeoutError):
    """No resource became free within the timeout; the callable was not called."""

    def __init__(
        self,
        message: str = "no resource became free within the timeout: raise the timeout of "
        "with_options(), or add resources",
    ) -> None:
        super().__init__(message)


class WaitTimeoutError(Error, TimeoutError):
    """Work was not complete within the timeout of a wait; the work continues."""


class UnexpectedReportError(Error, RuntimeError):
    """An event was reported to a selection for which it cannot have occurred."""


class WorkCancelledError(Error, _futures.CancelledError):
    """The work was cancelled before it began. Also a ``concurrent.futures.CancelledError``."""


class OpenCLError(Error, RuntimeError):
    """An OpenCL call or command failed; the message names the OpenCL error.

    ``code`` is the number of that error, such as -30 for CL_INVALID_VALUE.
    """

    code: int


class BuildError(OpenCLError):
    """An OpenCL program did not compile; ``log`` and the message hold the compiler's output."""

    log: str


class DriverWarning(RuntimeWarning):
    """An installed OpenCL driver cannot be loaded or cannot list its devices; others are used."""


class BlockingSelectionWarning(RuntimeWarning):
    """A submission has to wait for a free resource in the thread of an event loop, which stops."""
