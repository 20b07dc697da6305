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

from fairlead import _main_interpreter as _main_interpreter
from fairlead import executors, opencl
from fairlead._core import (
    Arena,
    ArenaTask,
    AutoTune,
    DynamicLoad,
    EarliestFinish,
    FixedResource,
    Placement,
    Random,
    ResourceStatistics,
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
from fairlead.algorithm import (
    all_of,
    any_of,
    copy,
    copy_if,
    count_if,
    exclusive_scan,
    fill,
    find_if,
    histogram,
    inclusive_scan,
    max_element,
    merge,
    min_element,
    minmax_element,
    none_of,
    reduce,
    sort,
    sort_by_key,
    stable_sort,
    transform,
    transform_reduce,
    unique,
)
from fairlead.backend import Backend
from fairlead.discover import discover
from fairlead.error import (
    BuildError,
    DriverWarning,
    EmptyResourceSetError,
    Error,
    ForeignResourceError,
    ForkedProcessError,
    InvalidOptionError,
    NotInitializedError,
    OpenCLError,
    ResourceIndexError,
    SubmitTimeoutError,
    UnexpectedReportError,
    UnsatisfiedReportingError,
    UnsuitableResourcesError,
    WaitTimeoutError,
    WorkCancelledError,
)
from fairlead.execution import AutoPolicy, auto, device_policy, par, par_unseq, seq, unseq
from fairlead.explanation import Candidate, Explanation
from fairlead.policy import Policy, ScoredPolicy
from fairlead.selection import (
    get_resources,
    get_submission_group,
    report,
    run,
    select,
    submission_group,
    submit,
    submit_and_wait,
    try_submit,
    unwrap,
    wait,
)
from fairlead.task import task, tuned, variants
from fairlead.verbs import map
from fairlead.waitable import register_waitable

__all__ = [
    "Arena",
    "ArenaTask",
    "AutoPolicy",
    "AutoTune",
    "Backend",
    "BuildError",
    "Candidate",
    "DriverWarning",
    "DynamicLoad",
    "EarliestFinish",
    "EmptyResourceSetError",
    "Error",
    "Explanation",
    "FixedResource",
    "ForeignResourceError",
    "ForkedProcessError",
    "InvalidOptionError",
    "NotInitializedError",
    "OpenCLError",
    "Placement",
    "Policy",
    "Random",
    "ResourceIndexError",
    "ResourceStatistics",
    "RoundRobin",
    "ScoredPolicy",
    "Selection",
    "Submission",
    "SubmissionGroup",
    "SubmitTimeoutError",
    "Token",
    "UnexpectedReportError",
    "UnsatisfiedReportingError",
    "UnsuitableResourcesError",
    "WaitTimeoutError",
    "WeightedRoundRobin",
    "WorkCancelledError",
    "all_of",
    "any_of",
    "auto",
    "copy",
    "copy_if",
    "count_if",
    "deferred_initialization",
    "device_policy",
    "discover",
    "exclusive_scan",
    "executors",
    "fill",
    "find_if",
    "get_resources",
    "get_submission_group",
    "histogram",
    "inclusive_scan",
    "map",
    "max_element",
    "merge",
    "min_element",
    "minmax_element",
    "none_of",
    "opencl",
    "par",
    "par_unseq",
    "reduce",
    "register_waitable",
    "report",
    "run",
    "select",
    "seq",
    "sort",
    "sort_by_key",
    "stable_sort",
    "stop_requested",
    "submission_group",
    "submit",
    "submit_and_wait",
    "task",
    "transform",
    "transform_reduce",
    "try_submit",
    "tuned",
    "unique",
    "unseq",
    "unwrap",
    "variants",
    "wait",
]
