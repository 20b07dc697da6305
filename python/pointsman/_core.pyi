# SPDX-License-Identifier: Apache-2.0
# Types of the extension module for policies, submissions and arenas; names with _ are private.
from collections.abc import (
    AsyncIterator,
    Callable,
    Coroutine,
    Generator,
    Iterable,
    Iterator,
    Sequence,
)
from os import PathLike
from typing import Any, Concatenate, Final, Generic, Literal, ParamSpec, TypeAlias, final, overload

from typing_extensions import TypeVar

from pointsman._attempt import Attempt
from pointsman._backend import Backend
from pointsman._domain import Domain
from pointsman._explanation import Explanation
from pointsman._health import HealthList, HealthSettings
from pointsman._histories import History
from pointsman._measured import Estimates, MeasuredKind
from pointsman._options import PolicyWithOptions
from pointsman._policy import Pending, Policy
from pointsman._policy_executor import PolicyExecutor
from pointsman._recovery_options import OnFailure, TimeLimit
from pointsman._statistics import PolicyStatistics

_P = ParamSpec("_P")
_V = TypeVar("_V")
_V_co = TypeVar("_V_co", covariant=True, default=Any)
_R = TypeVar("_R", default=Any)
_R_co = TypeVar("_R_co", covariant=True, default=Any)
_Timeout = TypeVar("_Timeout", bound=float | None)

__version__: Final[str]

class DeferredInitialization: ...

deferred_initialization: Final[DeferredInitialization]

class _Recursion(Generic[_R_co]): ...

# The alias refers to itself so that mypy infers a union from a list of resources of several types;
# it would infer ``object`` from ``Iterable[_R]``.
_Resources: TypeAlias = Iterable[_R] | _Recursion[_Resources[_R]]

_History: TypeAlias = History | str | PathLike[str] | bool | None

@final
class Submission(Generic[_V_co]):
    def wait(self, timeout: float | None = None) -> bool: ...
    def result(self, timeout: float | None = None) -> _V_co: ...
    def unwrap(self) -> Any: ...
    def done(self) -> bool: ...
    def _repr_html_(self) -> str: ...
    def cancel(self) -> bool: ...
    def explain(self) -> Explanation: ...
    def add_done_callback(self, callback: Callable[[Submission[_V_co]], object], /) -> None: ...
    def __await__(self) -> Generator[Any, None, _V_co]: ...
    def _state(self) -> str: ...
    def _failure(self) -> BaseException | None: ...
    def _ignore_failure(self) -> None: ...
    def _help(self) -> None: ...
    @property
    def resource(self) -> Any: ...
    @property
    def attempts(self) -> list[Attempt]: ...
    @property
    def elapsed(self) -> float | None: ...

class Selection(Generic[_R_co]):
    @overload
    def submit(
        self,
        work: Callable[Concatenate[_R_co, _P], Pending[_V]],
        /,
        *args: _P.args,
        **kwargs: _P.kwargs,
    ) -> Submission[_V]: ...
    @overload
    def submit(
        self, work: Callable[Concatenate[_R_co, _P], _V], /, *args: _P.args, **kwargs: _P.kwargs
    ) -> Submission[_V]: ...
    def report(self, info: str, seconds: float | None = None) -> None: ...
    def unwrap(self) -> _R_co: ...
    @property
    def resource(self) -> _R_co: ...
    @property
    def policy(self) -> Policy[_R_co]: ...

class SubmissionGroup:
    def wait(self, timeout: float | None = None, *, raise_errors: bool = False) -> bool: ...
    def cancel(self) -> bool: ...
    def _hold(self) -> GroupHold: ...

class GroupHold:
    def release(self) -> None: ...

class Placement:
    @property
    def resource(self) -> Any: ...
    def unwrap(self) -> Any: ...
    def report(self, info: str, value: float | None = None) -> None: ...

class ResourceStatistics:
    @property
    def resource(self) -> Any: ...
    @property
    def index(self) -> int: ...
    @property
    def load(self) -> int: ...
    @property
    def completed(self) -> int: ...
    @property
    def failed(self) -> int: ...
    @property
    def submissions(self) -> int: ...
    @property
    def mean_elapsed(self) -> float | None: ...
    @property
    def median_elapsed(self) -> float | None: ...
    @property
    def p95_elapsed(self) -> float | None: ...
    @property
    def busy(self) -> float: ...
    @property
    def utilisation(self) -> float: ...
    @property
    def waited(self) -> float: ...
    @property
    def runs_functions(self) -> bool: ...
    _scores: list[Any] | None

class _Policy(Generic[_R]):
    @overload
    def submit(
        self,
        work: Callable[Concatenate[_R, _P], Pending[_V]],
        /,
        *args: _P.args,
        **kwargs: _P.kwargs,
    ) -> Submission[_V]: ...
    @overload
    def submit(
        self, work: Callable[Concatenate[_R, _P], _V], /, *args: _P.args, **kwargs: _P.kwargs
    ) -> Submission[_V]: ...
    @overload
    def try_submit(
        self,
        work: Callable[Concatenate[_R, _P], Pending[_V]],
        /,
        *args: _P.args,
        **kwargs: _P.kwargs,
    ) -> Submission[_V] | None: ...
    @overload
    def try_submit(
        self, work: Callable[Concatenate[_R, _P], _V], /, *args: _P.args, **kwargs: _P.kwargs
    ) -> Submission[_V] | None: ...
    @overload
    def submit_and_wait(
        self,
        work: Callable[Concatenate[_R, _P], Pending[_V]],
        /,
        *args: _P.args,
        **kwargs: _P.kwargs,
    ) -> _V: ...
    @overload
    def submit_and_wait(
        self, work: Callable[Concatenate[_R, _P], _V], /, *args: _P.args, **kwargs: _P.kwargs
    ) -> _V: ...
    def run(
        self, func: Callable[_P, _V], /, *args: _P.args, **kwargs: _P.kwargs
    ) -> Submission[_V]: ...
    def select(self, /, *task: Any) -> Selection[_R]: ...
    def map(
        self,
        func: Callable[..., _V],
        /,
        *iterables: Iterable[Any],
        chunksize: int | None = None,
        ordered: bool = True,
        timeout: float | None = None,
        in_flight: int | None = None,
        progress: bool = False,
    ) -> Iterator[_V]: ...
    @overload
    def submit_async(
        self,
        work: Callable[Concatenate[_R, _P], Pending[_V]],
        /,
        *args: _P.args,
        **kwargs: _P.kwargs,
    ) -> Coroutine[Any, Any, Submission[_V]]: ...
    @overload
    def submit_async(
        self, work: Callable[Concatenate[_R, _P], _V], /, *args: _P.args, **kwargs: _P.kwargs
    ) -> Coroutine[Any, Any, Submission[_V]]: ...
    def run_async(
        self, func: Callable[_P, _V], /, *args: _P.args, **kwargs: _P.kwargs
    ) -> Coroutine[Any, Any, Submission[_V]]: ...
    def map_async(
        self,
        func: Callable[..., _V],
        /,
        *iterables: Iterable[Any],
        chunksize: int | None = None,
        ordered: bool = True,
        in_flight: int | None = None,
    ) -> AsyncIterator[_V]: ...
    def as_executor(self) -> PolicyExecutor: ...
    def with_options(
        self,
        *,
        timeout: float | None = None,
        on_failure: OnFailure = "raise",
        time_limit: TimeLimit | None = None,
        max_outstanding: int | None = None,
        max_outstanding_per_resource: int | None = None,
    ) -> PolicyWithOptions[_R]: ...
    def _try_run(
        self, func: Callable[..., Any], /, *args: Any, **kwargs: Any
    ) -> Submission | None: ...
    def _submit_within(
        self, timeout: float | None, work: Callable[..., Any], /, *args: Any, **kwargs: Any
    ) -> Submission: ...
    def _run_within(
        self, timeout: float | None, func: Callable[..., Any], /, *args: Any, **kwargs: Any
    ) -> Submission: ...
    def _submit_excluding(
        self,
        excluded: tuple[Any, ...],
        timeout: float | None,
        work: Callable[..., Any],
        /,
        *args: Any,
        **kwargs: Any,
    ) -> Submission | tuple[Any, BaseException]: ...
    def _run_excluding(
        self,
        excluded: tuple[Any, ...],
        timeout: float | None,
        func: Callable[..., Any],
        /,
        *args: Any,
        **kwargs: Any,
    ) -> Submission | tuple[Any, BaseException]: ...
    def _select_within(self, timeout: float | None, /, *task: Any) -> Selection[_R]: ...
    def get_resources(self) -> list[_R]: ...
    def submission_group(self) -> SubmissionGroup: ...
    def statistics(self) -> PolicyStatistics: ...
    def loads(self) -> list[int]: ...
    def health(self) -> HealthList: ...
    def _blame(self, resource: Any, text: str) -> None: ...
    def _repr_html_(self) -> str: ...
    def _setting(self) -> tuple[Backend | None, str]: ...

class CustomPolicy(_Policy[_R]):
    def __init__(self, deferred: DeferredInitialization) -> None: ...
    def initialize(
        self,
        resources: _Resources[_R] | None = None,
        *,
        backend: Backend | None = None,
        health: HealthSettings | None = None,
    ) -> None: ...
    def notify(self) -> None: ...

class FixedResource(_Policy[_R]):
    def __init__(
        self,
        resources: _Resources[_R] | DeferredInitialization | None = None,
        index: int = 0,
        *,
        backend: Backend | None = None,
        health: HealthSettings | None = None,
    ) -> None: ...
    def initialize(
        self,
        resources: _Resources[_R] | None = None,
        index: int = 0,
        *,
        backend: Backend | None = None,
        health: HealthSettings | None = None,
    ) -> None: ...

class RoundRobin(_Policy[_R]):
    def __init__(
        self,
        resources: _Resources[_R] | DeferredInitialization | None = None,
        offset: int = 0,
        *,
        backend: Backend | None = None,
        health: HealthSettings | None = None,
    ) -> None: ...
    def initialize(
        self,
        resources: _Resources[_R] | None = None,
        offset: int = 0,
        *,
        backend: Backend | None = None,
        health: HealthSettings | None = None,
    ) -> None: ...

class DynamicLoad(_Policy[_R]):
    def __init__(
        self,
        resources: _Resources[_R] | DeferredInitialization | None = None,
        offset: int = 0,
        *,
        tie_break: Literal["rotate", "first"] = "rotate",
        backend: Backend | None = None,
        health: HealthSettings | None = None,
    ) -> None: ...
    def initialize(
        self,
        resources: _Resources[_R] | None = None,
        offset: int = 0,
        *,
        tie_break: Literal["rotate", "first"] = "rotate",
        backend: Backend | None = None,
        health: HealthSettings | None = None,
    ) -> None: ...

@final
class _Learnt:
    def records(self) -> bytes: ...
    def take(self, records: bytes) -> None: ...
    def expect(self, speeds: bytes) -> None: ...
    def pin(self, pins: bytes) -> None: ...
    @staticmethod
    def name_of(callable: int, sizes: int) -> str: ...

class AutoTune(_Policy[_R]):
    def __init__(
        self,
        resources: _Resources[_R] | DeferredInitialization | None = None,
        resample_time: float = 0.0,
        *,
        exact_times: bool = False,
        history: _History = None,
        mode: Literal["learning", "frozen"] = "learning",
        default: int | None = None,
        backend: Backend | None = None,
        health: HealthSettings | None = None,
    ) -> None: ...
    def initialize(
        self,
        resources: _Resources[_R] | None = None,
        resample_time: float = 0.0,
        *,
        exact_times: bool = False,
        history: _History = None,
        mode: Literal["learning", "frozen"] = "learning",
        default: int | None = None,
        backend: Backend | None = None,
        health: HealthSettings | None = None,
    ) -> None: ...
    def estimates(self, work: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Estimates: ...
    def flush_history(self) -> None: ...
    def _measured_kinds(self, most: int) -> list[MeasuredKind]: ...

class EarliestFinish(_Policy[_R]):
    def __init__(
        self,
        resources: _Resources[_R] | DeferredInitialization | None = None,
        resample_time: float = 0.0,
        *,
        exact_times: bool = False,
        history: _History = None,
        mode: Literal["learning", "frozen"] = "learning",
        default: int | None = None,
        backend: Backend | None = None,
        health: HealthSettings | None = None,
    ) -> None: ...
    def initialize(
        self,
        resources: _Resources[_R] | None = None,
        resample_time: float = 0.0,
        *,
        exact_times: bool = False,
        history: _History = None,
        mode: Literal["learning", "frozen"] = "learning",
        default: int | None = None,
        backend: Backend | None = None,
        health: HealthSettings | None = None,
    ) -> None: ...
    def estimates(self, work: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Estimates: ...
    def flush_history(self) -> None: ...
    def _measured_kinds(self, most: int) -> list[MeasuredKind]: ...

class Random(_Policy[_R]):
    def __init__(
        self,
        resources: _Resources[_R] | DeferredInitialization | None = None,
        seed: int | None = None,
        *,
        backend: Backend | None = None,
        health: HealthSettings | None = None,
    ) -> None: ...
    def initialize(
        self,
        resources: _Resources[_R] | None = None,
        seed: int | None = None,
        *,
        backend: Backend | None = None,
        health: HealthSettings | None = None,
    ) -> None: ...

class Token(_Policy[_R]):
    def __init__(
        self,
        resources: _Resources[_R] | DeferredInitialization | None = None,
        tokens: int = 1,
        *,
        tie_break: Literal["rotate", "first"] = "rotate",
        backend: Backend | None = None,
        health: HealthSettings | None = None,
    ) -> None: ...
    def initialize(
        self,
        resources: _Resources[_R] | None = None,
        tokens: int = 1,
        *,
        tie_break: Literal["rotate", "first"] = "rotate",
        backend: Backend | None = None,
        health: HealthSettings | None = None,
    ) -> None: ...

class WeightedRoundRobin(_Policy[_R]):
    def __init__(
        self,
        resources: _Resources[_R] | DeferredInitialization | None = None,
        weights: Sequence[int] = (),
        *,
        backend: Backend | None = None,
        health: HealthSettings | None = None,
    ) -> None: ...
    def initialize(
        self,
        resources: _Resources[_R] | None = None,
        weights: Sequence[int] = (),
        *,
        backend: Backend | None = None,
        health: HealthSettings | None = None,
    ) -> None: ...

class ArenaTask(Generic[_V_co]):
    __pointsman_waitable__: Final[Any]
    def wait(self, timeout: float | None = None) -> bool: ...
    def result(self, timeout: float | None = None) -> _V_co: ...
    def done(self) -> bool: ...
    def cancel(self) -> bool: ...

class Arena:
    def __init__(self, concurrency: int | None = None, numa_node: int | None = None) -> None: ...
    def run(self, f: Callable[_P, _V], /, *args: _P.args, **kwargs: _P.kwargs) -> ArenaTask[_V]: ...
    def wait(self, timeout: float | None = None) -> bool: ...
    @property
    def concurrency(self) -> int: ...
    @property
    def domain(self) -> Domain: ...
    @property
    def numa_node(self) -> int | None: ...

def stop_requested() -> bool: ...
def _default_arenas() -> list[Arena]: ...
def _runner_of(resource: Any) -> Callable[..., Any]: ...
def _runs_functions(resource: Any) -> bool: ...
def _task_identity(work: Callable[..., Any]) -> int: ...
def _register_waitable(type: type, make: Callable[[Any], Any]) -> None: ...
def _check_interpreter() -> None: ...
def _checked_timeout(timeout: _Timeout) -> _Timeout: ...
def _trace_retry(function: str) -> None: ...
def _are_plain(a: Any, b: Any = None, /) -> bool: ...
def _plain_arguments(
    host_policy: type,
    kept: tuple[type, ...],
    numbers: tuple[type, ...],
    copied: Callable[..., Any],
    operands: Callable[..., Any],
    constants: Callable[..., Any],
) -> tuple[Callable[..., Any], ...]: ...
def _shape_of_both(a: Any, b: Any, /) -> tuple[int, ...] | None: ...
def _broadcast_size(a: Any, b: Any, /) -> int: ...
def _line_kind(a: Any, axis: Any, /) -> int: ...
def _is_target(out: Any, a: Any, dtype: Any, /) -> bool: ...
def _are_apart(a: Any, b: Any, /) -> bool: ...
def _adopt_waitable(module: str, type: str, functions: Any) -> None: ...

_EventTuple: TypeAlias = tuple[str, int, int, int, str, str, str, int, int, bool, bool]
_TaskTuple: TypeAlias = tuple[
    int, str, str, str, int, int | None, int | None, int | None, int | None, bool
]

class _Recording:
    def __init__(self, events: Iterable[_EventTuple], dropped: int) -> None: ...
    def events(self) -> list[_EventTuple]: ...
    def tasks(self) -> list[_TaskTuple]: ...
    @property
    def dropped(self) -> int: ...
    def save(self, path: str | PathLike[str]) -> None: ...

_PlaceTuple: TypeAlias = tuple[str, str, float, int | None, float | None]
_UsageTuple: TypeAlias = tuple[str, int, int, float, float]

def _replay(
    recording: _Recording,
    policy: str,
    shown_policy: str,
    places: list[_PlaceTuple],
    settings: dict[str, Any],
) -> tuple[
    float, list[_UsageTuple], float, list[_UsageTuple], float, int, int, int, _Recording
]: ...

class _TraceSession:
    def __init__(self, max_events: int) -> None: ...
    def stop(self) -> _Recording: ...
