# SPDX-License-Identifier: Apache-2.0
# The public names of the package.
"""Run each piece of work on the best resource that the machine has.

A policy chooses a resource for every submission; the submitted callable receives it::

    import fairlead as fl

    policy = fl.DynamicLoad([fl.Arena(1), fl.Arena(1)])
    submission = policy.submit(lambda arena, x: arena.run(pow, x, 2), 7)
    submission.result()  # 49

Resources are any objects. ``discover()`` lists what this machine has; OpenCL queues come from
``fairlead.opencl``, which can be imported on machines without OpenCL too.
"""

from __future__ import annotations

from fairlead import opencl
from fairlead._core import (
    Arena,
    ArenaTask,
    AutoTune,
    DynamicLoad,
    EarliestFinish,
    FixedResource,
    Random,
    RoundRobin,
    Selection,
    Submission,
    SubmissionGroup,
    Token,
    WeightedRoundRobin,
    deferred_initialization,
    stop_requested,
)
from fairlead._core import __version__ as __version__
from fairlead.discover import discover
from fairlead.error import (
    BuildError,
    DriverWarning,
    EmptyResourceSetError,
    Error,
    ForkedProcessError,
    InvalidOptionError,
    NotInitializedError,
    OpenCLError,
    ResourceIndexError,
    SubmitTimeoutError,
    UnsatisfiedReportingError,
    WaitTimeoutError,
    WorkCancelledError,
)
from fairlead.explanation import Candidate, Explanation
from fairlead.selection import (
    get_resources,
    get_submission_group,
    report,
    run,
    select,
    submit,
    submit_and_wait,
    try_submit,
    unwrap,
    wait,
)
from fairlead.verbs import map

__all__ = [
    "Arena",
    "ArenaTask",
    "AutoTune",
    "BuildError",
    "Candidate",
    "DriverWarning",
    "DynamicLoad",
    "EarliestFinish",
    "EmptyResourceSetError",
    "Error",
    "Explanation",
    "FixedResource",
    "ForkedProcessError",
    "InvalidOptionError",
    "NotInitializedError",
    "OpenCLError",
    "Random",
    "ResourceIndexError",
    "RoundRobin",
    "Selection",
    "Submission",
    "SubmissionGroup",
    "SubmitTimeoutError",
    "Token",
    "UnsatisfiedReportingError",
    "WaitTimeoutError",
    "WeightedRoundRobin",
    "WorkCancelledError",
    "deferred_initialization",
    "discover",
    "get_resources",
    "get_submission_group",
    "map",
    "opencl",
    "report",
    "run",
    "select",
    "stop_requested",
    "submit",
    "submit_and_wait",
    "try_submit",
    "unwrap",
    "wait",
]
