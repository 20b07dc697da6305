# SPDX-License-Identifier: Apache-2.0
# The public interface of the package, gathered from its private modules.
"""Run each piece of work on the best resource that the machine has.

A policy chooses a resource for every submission; the submitted callable receives it:

>>> import pointsman as pm
>>> policy = pm.DynamicLoad([pm.Arena(1), pm.Arena(1)])
>>> submission = policy.submit(lambda arena, x: arena.run(pow, x, 2), 7)
>>> submission.result()
49

Any object can be a resource. ``discover()`` returns the resources of this machine; OpenCL queues
come from ``pointsman.opencl``, which can also be imported on machines without OpenCL.
"""

from pointsman import _main_interpreter as _main_interpreter
from pointsman import algorithm, dask, error, execution, executors, opencl, plot
from pointsman._async_verbs import map_async
from pointsman._attempt import Attempt
from pointsman._backend import Backend
from pointsman._completion import completion_of
from pointsman._core import (
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
from pointsman._core import __version__ as __version__
from pointsman._device_speed import measure_speeds
from pointsman._discover import discover
from pointsman._domain import Domain, domain_of
from pointsman._explanation import Candidate, Explanation
from pointsman._health import HealthSettings, ResourceHealth, is_resource_failure
from pointsman._histories import DeviceSpeed, History, HistoryPin, HistoryRecord
from pointsman._map import map
from pointsman._policy import Policy
from pointsman._policy_base import PolicyBase, ScoredPolicy
from pointsman._recovery_options import Retry, TimesExpected
from pointsman._replay import Replay, ReplayedResource, ResourceUsage, replay
from pointsman._selection import (
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
from pointsman._statistics import KindStatistics, PolicyStatistics
from pointsman._task import task, tuned, variants
from pointsman._trace import Trace, trace
from pointsman._trace_events import TracedTask, TraceEvent
from pointsman._waitable import register_waitable
from pointsman.algorithm import (
    all_of,
    any_of,
    argmax,
    argmin,
    argsort,
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
    searchsorted,
    sort,
    sort_by_key,
    stable_sort,
    transform,
    transform_reduce,
    unique,
)
from pointsman.error import (
    BlockingSelectionWarning,
    BuildError,
    DriverWarning,
    EmptyResourceSetError,
    Error,
    ForeignResourceError,
    ForkedProcessError,
    HistoryError,
    HistoryWarning,
    InvalidOptionError,
    NoHealthyResourceError,
    NotInitializedError,
    OpenCLError,
    ResourceIndexError,
    SeveralFailuresError,
    SubmitTimeoutError,
    TimeLimitError,
    TraceInProgressError,
    UnexpectedReportError,
    UnknownKindError,
    UnsatisfiedReportingError,
    UnsuitableResourcesError,
    WaitTimeoutError,
    WorkCancelledError,
)
from pointsman.execution import AutoPolicy, auto, device_policy, par, par_unseq, seq, unseq

__all__ = [
    "Arena",
    "ArenaTask",
    "Attempt",
    "AutoPolicy",
    "AutoTune",
    "Backend",
    "BlockingSelectionWarning",
    "BuildError",
    "Candidate",
    "DeviceSpeed",
    "Domain",
    "DriverWarning",
    "DynamicLoad",
    "EarliestFinish",
    "EmptyResourceSetError",
    "Error",
    "Explanation",
    "FixedResource",
    "ForeignResourceError",
    "ForkedProcessError",
    "HealthSettings",
    "History",
    "HistoryError",
    "HistoryPin",
    "HistoryRecord",
    "HistoryWarning",
    "InvalidOptionError",
    "KindStatistics",
    "NoHealthyResourceError",
    "NotInitializedError",
    "OpenCLError",
    "Placement",
    "Policy",
    "PolicyBase",
    "PolicyStatistics",
    "Random",
    "Replay",
    "ReplayedResource",
    "ResourceHealth",
    "ResourceIndexError",
    "ResourceStatistics",
    "ResourceUsage",
    "Retry",
    "RoundRobin",
    "ScoredPolicy",
    "Selection",
    "SeveralFailuresError",
    "Submission",
    "SubmissionGroup",
    "SubmitTimeoutError",
    "TimeLimitError",
    "TimesExpected",
    "Token",
    "Trace",
    "TraceEvent",
    "TraceInProgressError",
    "TracedTask",
    "UnexpectedReportError",
    "UnknownKindError",
    "UnsatisfiedReportingError",
    "UnsuitableResourcesError",
    "WaitTimeoutError",
    "WeightedRoundRobin",
    "WorkCancelledError",
    "algorithm",
    "all_of",
    "any_of",
    "argmax",
    "argmin",
    "argsort",
    "auto",
    "completion_of",
    "copy",
    "copy_if",
    "count_if",
    "dask",
    "deferred_initialization",
    "device_policy",
    "discover",
    "domain_of",
    "error",
    "exclusive_scan",
    "execution",
    "executors",
    "fill",
    "find_if",
    "get_resources",
    "get_submission_group",
    "histogram",
    "inclusive_scan",
    "is_resource_failure",
    "map",
    "map_async",
    "max_element",
    "measure_speeds",
    "merge",
    "min_element",
    "minmax_element",
    "none_of",
    "opencl",
    "par",
    "par_unseq",
    "plot",
    "reduce",
    "register_waitable",
    "replay",
    "report",
    "run",
    "searchsorted",
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
    "trace",
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
